"""``tertium serve``: evaluation as a team, in the browser."""

from argparse import REMAINDER, ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

from tertium.cli.serve.flags import DEFAULT, configure_store, opened
from tertium.cli.shell.parser import CommandParser
from tertium.errors import OptionError
from tertium.suggestions import did_you_mean

ACTIONS: Final = {
    "user": ("tertium.cli.serve.user", "add, list and disable accounts, set passwords"),
    "backup": ("tertium.cli.serve.backup", "write all of a store to one file"),
    "restore": ("tertium.cli.serve.restore", "fill an empty store from a backup"),
    "export-site": ("tertium.cli.serve.export_site", "write a project as pages for any web host"),
    "check": ("tertium.cli.serve.check", "see whether everything in a store is as it was written"),
}
"""Action → its module, like the commands of ``tertium``, and a line of help."""

EXPLANATION: Final = f"""\
actions:
{"".join(f"  {name:<12} {line}" + chr(10) for name, (_, line) in ACTIONS.items())}
Without an action the server starts and prints its address. Everything is kept in one store: a file
of SQLite, or PostgreSQL. Only this machine reaches the server, and no login is asked for, until
accounts are added; any other host needs them.

examples:
  tertium serve --demo
      a filled store to look at; it is gone when the server stops
  tertium serve
      keeps everything in tertium.db in this folder
  tertium serve --store team.db --port 9000
  tertium serve user add ann --admin --store team.db
      asks for a password; from now on everybody has to log in
  tertium serve --store postgresql://tertium@db.example/tertium --secure --trusted-proxy 127.0.0.1
      for a team, behind a proxy on this machine that speaks HTTPS
  tertium serve --secure --trusted-proxy 10.0.0.0/8 --host 0.0.0.0 --root-path /tertium
      behind a proxy in another container, as https://host/tertium/
  tertium serve user --help
      the flags of an action
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags of the server, and the actions."""
    parser.usage = "tertium serve [--demo] [--store STORE] [--host HOST] [--port PORT] | ACTION …"
    parser.epilog = EXPLANATION
    parser.add_argument("action", metavar="ACTION", nargs="?", help=", ".join(ACTIONS))
    parser.add_argument("words", metavar="…", nargs=REMAINDER, help="flags of the action")
    configure_store(parser.add_argument)
    add = parser.add_argument
    add("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    add("--port", type=int, default=8090, help="its port, 0 for any (default: %(default)s)")
    add("--demo", action="store_true", help="fill the store with the bundled sample first")
    add("--secure", action="store_true", help="browsers come by HTTPS: cookies are sent by it only")
    add(
        "--root-path",
        metavar="PATH",
        default="",
        help="the path under which a proxy shows the server, such as /tertium (default: all)",
    )
    add(
        "--trusted-proxy",
        metavar="CIDR",
        action="append",
        default=[],
        help="address or network of a proxy whose X-Forwarded-For and X-Forwarded-Proto are "
        "believed; may be given again (default: none)",
    )
    add(
        "--request-timeout",
        metavar="SECONDS",
        type=float,
        default=20,
        help="time for the headers of a request, and for a body that stalls (default: %(default)s)",
    )
    add(
        "--connections-per-address",
        metavar="N",
        type=int,
        default=256,
        help="connections that one address may hold open; trusted proxies have no limit "
        "(default: %(default)s)",
    )
    add("--workers", type=int, default=1, help="processes for long work (default: %(default)s)")
    add(
        "--program",
        metavar="COMMAND",
        action="append",
        default=[],
        help="offer a metric of yours: 'command[run=\"python comet.py\",name=COMET]'",
    )
    add(
        "--upload-limit",
        metavar="MB",
        type=int,
        default=100,
        help="megabytes that an upload may have (default: %(default)s)",
    )
    add(
        "--upload-memory",
        metavar="MB",
        type=int,
        default=2000,
        help="megabytes of memory for reading an upload (default: %(default)s)",
    )


def run(arguments: Namespace) -> int:
    """Run the action, or serve until told to stop."""
    if arguments.action is not None:
        return _run_action(arguments)
    _check(arguments)
    with _place(arguments) as place, opened(place) as store:
        from tertium.serve.server import run_server
        from tertium.serve.settings import (
            MEGABYTE,
            Settings,
            parse_network,
            parse_root_path,
        )

        settings = Settings(
            host=arguments.host,
            port=arguments.port,
            secure=arguments.secure,
            root_path=parse_root_path(arguments.root_path),
            trusted_proxies=tuple(str(parse_network(text)) for text in arguments.trusted_proxy),
            request_timeout=arguments.request_timeout,
            connections_per_address=arguments.connections_per_address,
            workers=arguments.workers,
            upload_limit=arguments.upload_limit * MEGABYTE,
            upload_memory=arguments.upload_memory * MEGABYTE,
            programs=tuple(arguments.program),
        )
        page = ""
        if arguments.demo:
            from tertium.serve.demo import fill_demo

            page = fill_demo(store)
        run_server(store, settings, announce=lambda address: print(address + page, flush=True))
    return 0


@contextmanager
def _place(arguments: Namespace) -> Iterator[str]:
    """The store; of a demonstration a file that is soon gone, if none was named."""
    if not arguments.demo or arguments.store != DEFAULT:
        yield arguments.store
        return
    from tempfile import TemporaryDirectory  # slow to import, and rarely needed

    with TemporaryDirectory(prefix="tertium-") as folder:
        yield str(Path(folder) / "demo.db")


def _run_action(arguments: Namespace) -> int:
    if arguments.action not in ACTIONS:
        raise OptionError(did_you_mean("action of 'tertium serve'", arguments.action, ACTIONS))
    place, line = ACTIONS[arguments.action]
    module = import_module(place)
    parser = CommandParser(f"tertium serve {arguments.action}", f"{line[0].upper()}{line[1:]}.")
    module.configure(parser)
    status: int = module.run(parser.parse_args(arguments.words))
    return status


def _check(arguments: Namespace) -> None:
    if not 0 <= arguments.port <= 65535:
        raise OptionError(f"--port: found {arguments.port}, expected 0 to 65535")
    if not arguments.request_timeout > 0:  # nan is no time either
        raise OptionError(f"--request-timeout: found {arguments.request_timeout}, expected seconds")
    least_values = {
        "upload_limit": 1,
        "upload_memory": 200,
        "workers": 0,
        "connections_per_address": 1,
    }
    for flag, least in least_values.items():
        value = getattr(arguments, flag)
        if value < least:
            name = flag.replace("_", "-")
            raise OptionError(f"--{name}: found {value}, expected {least} or more")
