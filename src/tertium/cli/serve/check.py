"""``tertium serve check``: is everything in a store as it was written?"""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.serve.flags import configure_store, opened
from tertium.plurals import counted

EXAMPLES: Final = """\
Looks at hashes of texts, numbers of lines, shapes of scores, and whether what names something names
what exists. Prints what is wrong, a line each, and ends with 1 if anything is.

examples:
  tertium serve check --store team.db
  tertium serve check --store team.db -f json
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium serve check [--store STORE] [-f json]"
    parser.epilog = EXAMPLES
    configure_store(parser.add_argument)
    parser.add_argument(
        "-f", "--format", choices=("text", "json"), default="text", help="text or json"
    )


def run(arguments: Namespace) -> int:
    """Look at the store and say what was found."""
    with opened(arguments.store) as store:
        from tertium.serve.store.check import check_store

        checked = check_store(store)
    if arguments.format == "json":
        from tertium.plain import json_text

        print(json_text(checked.to_dict()), end="")
    else:
        for problem in checked.problems:
            print(problem)
        total = sum(checked.rows.values())
        found = "nothing wrong" if checked.clean else f"{len(checked.problems)} problems"
        print(f"{checked.place}: {counted(total, 'row')}, {found}")
    return 0 if checked.clean else 1
