"""``tertium serve export-site``: a project as pages that anybody may read."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from tertium.cli.serve.flags import configure_store, opened
from tertium.plurals import counted

EXAMPLES: Final = """\
The folder opens from a disk (index.html) and can be put on any web host. Public are systems,
scores, tests, uploads by date, and the ratings of closed campaigns by system. Nobody's name is in
it, nor what waits for whom. Texts of test sets, and notes, stay private unless they are asked for.
A folder that has a site is written anew: what is public no more is removed.

examples:
  tertium serve export-site newsroom --store team.db -o public
  tertium serve export-site newsroom --test-set news-2026 --with-texts news-2026
      one test set, with every segment to read
  tertium serve export-site newsroom --with-texts all --with-notes
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium serve export-site PROJECT [--store STORE] [-o FOLDER] [flags]"
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("project", metavar="PROJECT", help="name of the project, as in the address of its page")
    configure_store(add)
    add("-o", "--output", metavar="FOLDER", default="site", help="(default: %(default)s)")
    add(
        "--test-set",
        metavar="TEST-SET",
        action="append",
        default=[],
        help="only this one; may be given again (default: all)",
    )
    add(
        "--with-texts",
        metavar="TEST-SET",
        action="append",
        default=[],
        help="publish the texts of this one, too, or of 'all'; may be given again",
    )
    add(
        "--with-notes",
        action="store_true",
        help="publish the notes of project, test sets and outputs",
    )


def run(arguments: Namespace) -> int:
    """Write the site and say where it begins."""
    with opened(arguments.store) as store:
        from tertium.serve.site import SiteChoice, site_files, write_site

        choice = SiteChoice(
            test_sets=tuple(arguments.test_set),
            texts=tuple(arguments.with_texts),
            notes=arguments.with_notes,
        )
        folder = Path(arguments.output)
        number = write_site(folder, site_files(store, arguments.project, choice))
    print(f"{folder / 'index.html'}: {counted(number, 'file')}")
    return 0
