"""``tertium serve restore``: a backup into an empty store."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.serve.flags import configure_store, opened
from tertium.plurals import counted

EXAMPLES: Final = """\
The store must be empty; a file of SQLite is made. Backups of older versions are brought up to date.

examples:
  tertium serve restore 2026-11-17.db --store new.db
  tertium serve restore 2026-11-17.db --store postgresql://tertium@db.example/tertium
      a way from SQLite to PostgreSQL, too
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium serve restore FILE [--store STORE]"
    parser.epilog = EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a file that 'tertium serve backup' wrote")
    configure_store(parser.add_argument)


def run(arguments: Namespace) -> int:
    """Fill the store and say what is in it."""
    with opened(arguments.store) as store:
        from tertium.serve.store.backup import restore

        copied = restore(arguments.file, store)
    print(f"{copied.place}: {counted(copied.total, 'row')} of {arguments.file}")
    return 0
