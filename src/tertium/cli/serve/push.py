"""``tertium push``: send a system's output to a server, from a training run or a build."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tertium.cli.flags.common import configure_shown
from tertium.cli.shell.output import check_output
from tertium.cli.shell.result import Forms, json_pieces, show
from tertium.errors import InputError, OptionError

EXAMPLES: Final = """\
examples:
  tertium push http://127.0.0.1:8090 newsroom/news-2026 --system transformer output.en
      adds an output to the system, waits for its scores and prints them
  tertium push https://eval.example newsroom/news-2026 all-systems.tsv
      a file that names its systems gives an output to each
  tertium push https://eval.example newsroom/news-2026 --system base out.en.gz \\
      --note "step 12000" --tag nightly --key run-7-step-12000
      the same key makes one output, however often a job is started again

The token is read from the variable TERTIUM_TOKEN, or from the file of --token-file: never from
the command line, which others on the machine can see. 'tertium serve' makes tokens for accounts.
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium push ADDRESS PROJECT/TEST-SET [--system NAME] FILE [flags]"
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("address", metavar="ADDRESS", help="address of the server, such as http://127.0.0.1:8090")
    add(
        "place",
        metavar="PROJECT/TEST-SET",
        help="names of project and test set, as in the address of its page",
    )
    add("file", metavar="FILE", help="the output, in any format that tertium reads")
    add("--system", metavar="NAME", help="the system (default: as the file says)")
    add("--note", default="", metavar="TEXT", help="a remark on this output")
    add("--tag", action="append", default=[], metavar="TAG", help="a tag; may be given again")
    add("--key", metavar="KEY", help="a name for this call, which is done once")
    add("--token-file", metavar="FILE", help="a file with the token (default: $TERTIUM_TOKEN)")
    add("--no-wait", action="store_true", help="do not wait for scores that take long")
    configure_shown(add, FORMS)


def run(arguments: Namespace) -> int:
    """Send the file, and print what the server makes of it."""
    from tertium.client import Client

    check_output(arguments.output)

    project, slash, test_set = arguments.place.partition("/")
    if not (slash and project and test_set) or "/" in test_set:
        raise OptionError(
            f"place: found {arguments.place!r}, expected PROJECT/TEST-SET such as newsroom/news"
        )
    client = Client(arguments.address, token=_token(arguments.token_file))
    received = client.push(
        project,
        test_set,
        Path(arguments.file),
        system=arguments.system,
        note=arguments.note,
        tags=arguments.tag,
        key=arguments.key,
    )
    if received["job"] is not None and not arguments.no_wait:
        client.wait(project, received["job"])
    show({**received, "leaderboard": client.leaderboard(project, test_set)}, arguments, FORMS)
    return 0


def _token(path: str | None) -> str | None:
    if path is None:
        return None
    try:
        token = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise InputError(f"{path}: {reason}, expected a file with a token") from None
    if not token or len(token.split()) != 1:
        raise InputError(f"{path}: found no token, expected one word")
    if os.name == "posix" and Path(path).stat().st_mode & 0o077:
        print(f"tertium: warning: {path}: others on this machine may read it", file=sys.stderr)
    return token


def _text(received: dict[str, Any], arguments: Namespace) -> Iterable[str]:
    """A line for each output with its scores, then the answer in words and where to look."""
    project, _, test_set = arguments.place.partition("/")
    board = received["leaderboard"]
    sent = {output["id"] for output in received["outputs"]}
    lines = []
    shown = {entry["output"]["id"]: entry for entry in board["entries"]}
    for output in received["outputs"]:
        cells = shown[output["id"]]["cells"] if output["id"] in shown else []
        scores = [
            f"{head['title']} {cell['text']}" + (f" {cell['range']}" if cell["range"] else "")
            for head, cell in zip(board["metrics"], cells, strict=False)
            if cell is not None
        ]
        told = "  ".join(scores) or "scores are being computed"
        lines.append(f"{output['system']} #{output['number']}  {told}")
    if len(board["entries"]) > len(sent):
        lines.append(board["headline"])
    lines.append(f"{arguments.address.rstrip('/')}/projects/{project}/test-sets/{test_set}")
    return [f"{line}\n" for line in lines]


def _json(received: dict[str, Any], _: Namespace) -> Iterable[str]:
    return json_pieces(received)


FORMS: Final[Forms[dict[str, Any]]] = {"text": _text, "json": _json}
