"""``tertium serve user``: accounts."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.serve.flags import configure_store, opened
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.serve.accounts.users import Person

ACTIONS_OF_USERS: Final = ("add", "list", "disable", "enable", "password")

EXAMPLES: Final = """\
The first account is always an administrator's: from then on everybody has to log in.
The password is asked for, or read from standard input where that is no terminal.

examples:
  tertium serve user add ann --admin
  pwgen 16 1 | tee password.txt | tertium serve user add bo
  tertium serve user password bo
      a new one; all logins by the old one end, and all tokens (--keep-tokens keeps them)
  tertium serve user disable bo
      nobody gets in by this account any more; what it did stays
  tertium serve user list --store team.db
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium serve user add|list|disable|enable|password [NAME] [flags]"
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("what", metavar="WHAT", choices=ACTIONS_OF_USERS, help=", ".join(ACTIONS_OF_USERS))
    add("name", metavar="NAME", nargs="?", help="the account")
    add("--admin", action="store_true", help="may do everything in every project (with add)")
    add("--keep-tokens", action="store_true", help="let tokens live on (with password)")
    configure_store(add)


def run(arguments: Namespace) -> int:
    """Change or list the accounts."""
    if (arguments.name is None) != (arguments.what == "list"):
        expected = "no name" if arguments.what == "list" else "a name"
        raise OptionError(f"user {arguments.what}: expected {expected} after it")
    if arguments.admin and arguments.what != "add":
        raise OptionError(f"--admin: found with {arguments.what}, expected with add")
    if arguments.keep_tokens and arguments.what != "password":
        raise OptionError(f"--keep-tokens: found with {arguments.what}, expected with password")
    with opened(arguments.store) as store:
        from tertium.serve.accounts.users import add_user, disable_user, set_password, users

        if arguments.what == "list":
            with store.reading() as session:
                for person in users(session):
                    print(_line(person))
            return 0
        password = _password() if arguments.what in {"add", "password"} else ""
        with store.writing() as session:
            if arguments.what == "add":
                add_user(session, "command line", arguments.name, password, admin=arguments.admin)
            elif arguments.what == "password":
                set_password(
                    session,
                    "command line",
                    arguments.name,
                    password,
                    keep_tokens=arguments.keep_tokens,
                )
            else:
                disable_user(
                    session,
                    "command line",
                    arguments.name,
                    disabled=arguments.what == "disable",
                )
    done = {"add": "added", "password": "has a new password"}
    print(f"{arguments.name}: {done.get(arguments.what, arguments.what + 'd')}")
    return 0


def _password() -> str:
    if sys.stdin.isatty():
        from getpass import getpass

        password = getpass("password: ")
        if getpass("once more: ") != password:
            raise OptionError("password: found two that differ, expected the same twice")
        return password
    return sys.stdin.readline().rstrip("\r\n")


def _line(person: "Person") -> str:
    words = ["admin"] * person.admin + ["disabled"] * person.disabled
    return "\t".join([person.name, f"{person.created_at:%Y-%m-%d}", " ".join(words)]).rstrip()
