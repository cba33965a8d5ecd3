"""``tertium serve backup``: all of a store in one file."""

from argparse import ArgumentParser, Namespace
from typing import Final

from tertium.cli.serve.flags import configure_store, opened
from tertium.plurals import counted

EXAMPLES: Final = """\
The server may go on: one state of the store is copied. The file is a store of SQLite itself, so
'tertium serve --store FILE' shows it. Who is logged in is left out.

examples:
  tertium serve backup 2026-11-17.db --store team.db
  tertium serve backup 2026-11-17.db --store postgresql://tertium@db.example/tertium
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium serve backup FILE [--store STORE]"
    parser.epilog = EXAMPLES
    parser.add_argument("file", metavar="FILE", help="a new file")
    configure_store(parser.add_argument)


def run(arguments: Namespace) -> int:
    """Write the backup and say what is in it."""
    with opened(arguments.store) as store:
        from tertium.serve.store.backup import backup

        copied = backup(store, arguments.file)
    print(f"{copied.place}: {counted(copied.total, 'row')} of {store.name}")
    return 0
