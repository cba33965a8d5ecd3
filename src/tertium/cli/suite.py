"""``tertium suite``: many test sets, one table, one verdict, one exit code."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.flags.common import configure_shown
from tertium.cli.shell.output import check_output, write_output
from tertium.cli.shell.result import Forms, show, view_forms
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.suite.results import SuiteResult
    from tertium.suite.store import SuiteStore
    from tertium.tables import Part

DOES_NOT_HOLD: Final = 1
LAST: Final = "last"

EXAMPLES: Final = """\
suite.toml:
  sets = ["en-de", "en-cs"]
  references = "{set}/reference*.txt"
  systems = "{set}/{system}.txt"         # or a list, or names and files
  baseline = "production"
  metrics = ["bleu", "chrf"]
  scores = "{set}/comet.tsv"             # scores of COMET and others, as --scores takes them
  require = "not-lower"                  # the exit code says whether it holds everywhere

  [sets.en-ja] in the place of the list gives a test set keys of its own:
  references, systems, source, documents, metrics, scores, pair

exit codes: 0 holds (or nothing is required), 1 does not hold, 2 bad input

examples:
  tertium suite run suite.toml
      decide every test set; only what has changed since the last run is scored again
  tertium suite run suite.toml -f markdown >> "$GITHUB_STEP_SUMMARY"
      the table for a pull request
  tertium suite run suite.toml -f junit -o suite.xml
      for CI systems: a test case for each test set
  tertium suite run suite.toml --since last
      what has changed since the last run
  tertium suite run suite.toml -f json -o run.json; tertium suite verify run.json
      make the numbers of a run again, bit for bit
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = "tertium suite run|verify FILE [flags]"
    parser.epilog = EXAMPLES
    add = parser.add_argument
    add("action", choices=("run", "verify"), help="decide a suite, or make a run's numbers again")
    add("file", metavar="FILE", help="suite.toml, or for verify the JSON of a run")
    add(
        "--since",
        metavar="RUN",
        help=f"say which scores have changed since a run: its JSON, or '{LAST}' for the last one",
    )
    add(
        "--history",
        metavar="FILE",
        help="file of rows, decisions and runs (default: in the system's folder of caches)",
    )
    add("--fresh", action="store_true", help="score everything again, whatever was kept")
    configure_shown(add, FORMS, quiet=True, purposes={"junit": "for CI systems"})


def run(arguments: Namespace) -> int:
    """Run the suite, or make an earlier run again."""
    check_output(arguments.output)
    if arguments.action == "verify":
        return _verify(arguments)
    from tertium.suite import read_suite, run_suite

    suite = read_suite(arguments.file)
    with _store(arguments) as store:
        before = _before(arguments, store)
        result = run_suite(suite, store=store, progress=_progress(arguments, len(suite.sets)))
    arguments.before = before
    show(result, arguments, FORMS)
    return 0 if result.holds else DOES_NOT_HOLD


def _store(arguments: Namespace) -> "SuiteStore":
    from tertium.suite import SuiteStore

    if arguments.fresh:
        return SuiteStore(None)
    return SuiteStore(arguments.history) if arguments.history else SuiteStore.usual()


def _before(arguments: Namespace, store: "SuiteStore") -> dict[str, Any] | None:
    """The run that ``--since`` names."""
    if arguments.since is None:
        return None
    if arguments.since != LAST:
        return _run_file(arguments.since)
    before = store.last_run(arguments.file)
    if before is None and not arguments.quiet:
        print(
            f"tertium: {arguments.file}: found no earlier run, this is the first", file=sys.stderr
        )
    return before


def _run_file(path: str) -> dict[str, Any]:
    from tertium.text.files import TextFile
    from tertium.text.named_rows import whole_json

    record = whole_json(TextFile.find(path))
    if not isinstance(record, dict) or not {"sets", "inputs", "settings", "path"} <= set(record):
        raise InputError(f"{path}: found other JSON, expected a run ('suite run … -f json')")
    return record


def _verify(arguments: Namespace) -> int:
    """Make the numbers of a run again, without anything that was kept, and compare."""
    from tertium.plain import to_plain
    from tertium.plurals import counted
    from tertium.suite import read_suite, run_suite

    told = _run_file(arguments.file)
    suite = read_suite(told["path"])
    progress = _progress(arguments, len(suite.sets))
    made = to_plain(run_suite(suite, progress=progress).to_dict())
    differences = list(_differences("", told, made))
    if differences:
        shown = [f"  {line}\n" for line in differences[:20]]
        more = len(differences) - len(shown)
        shown += [f"  … and {more} more\n"] * (more > 0)
        write_output(
            [f"{arguments.file}: the run cannot be made again\n", *shown], arguments.output
        )
        return DOES_NOT_HOLD
    size = f"{counted(len(made['sets']), 'test set')}, {counted(len(made['inputs']), 'file')}"
    write_output([f"{arguments.file}: the same numbers, bit for bit ({size})\n"], arguments.output)
    return 0


def _differences(key_path: str, told: Any, made: Any) -> Iterable[str]:
    if isinstance(told, dict) and isinstance(made, dict):
        for key in (*told, *(key for key in made if key not in told)):
            yield from _differences(f"{key_path}.{key}".strip("."), told.get(key), made.get(key))
    elif isinstance(told, list) and isinstance(made, list) and len(told) == len(made):
        for index, pair in enumerate(zip(told, made, strict=True)):
            yield from _differences(f"{key_path}[{index}]", *pair)
    elif told != made:
        yield f"{key_path}: found {_short(made)}, expected {_short(told)} as in the run"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _progress(arguments: Namespace, count: int) -> Any:
    """A line on standard error for each test set, where somebody is there to read it."""
    number = 0

    def say(name: str) -> None:
        nonlocal number
        number += 1
        if not arguments.quiet and sys.stderr.isatty():
            print(f"tertium: test set {number} of {count}: {name}", file=sys.stderr)

    return say


def _view(result: "SuiteResult", arguments: Namespace) -> "Iterable[Part]":
    from tertium.report.suite import suite_view

    return suite_view(result, arguments.before)


def _junit(result: "SuiteResult", _: Namespace) -> Iterable[str]:
    from tertium.report.suite import junit

    return junit(result)


FORMS: Final[Forms["SuiteResult"]] = {**view_forms(_view, "text"), "junit": _junit}
