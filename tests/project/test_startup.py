"""What a short command must not import: the time until the first number is mostly imports.

Time itself is measured by `make bench`; here stand the modules that would lose it again.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tests.support.commands import python

pytestmark = pytest.mark.slow

PLAIN = [str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / "systems" / "elm.txt")]

UNUSED = {
    "csv",
    "difflib",
    "email",
    "fastapi",
    "hashlib",
    "html",
    "importlib.metadata",
    "json",
    "numpy.typing",
    "pathlib",
    "plotly",
    "pyarrow",
    "random",
    "rich",
    "scipy",
    "shutil",
    "sqlalchemy",
    "statistics",
    "string",
    "subprocess",
    "tempfile",
    "tertium.inference.bootstrap",
    "tertium.scored.slices",
    "tertium.text.column_roles",
    "tertium.text.documents",
    "tertium.text.formats.sgml",
    "tertium.text.keyed_segments",
    "xml",
}

PROGRAM = """
import sys
import numpy
if any(name.startswith("_editable_") for name in sys.modules):
    import subprocess  # by which an editable installation builds the core anew
before = set(sys.modules)
from tertium.cli.main import main
status = main(sys.argv[1:])
print(status, *(set(sys.modules) - before), file=sys.stderr)
"""


def imported(*words: str) -> set[str]:
    """The modules that a command imports beyond those of numpy."""
    # A package that another one patches at start-up would be imported before the command.
    done = python("-c", PROGRAM, *words, variables={"PYTHONNOUSERSITE": "1"})
    assert done.status == 0, done.err
    status, *modules = done.err.split()
    assert status == "0"
    return set(modules)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "wer"])
def test_scoring_plain_text_imports_what_it_needs(metric: str) -> None:
    modules = imported("score", *PLAIN, "-m", metric)
    assert modules & UNUSED <= ({"rich"} if metric != "bleu" else set())
    assert not modules & {"rich.console", "rich.table"}
    family = "edit" if metric in {"ter", "wer"} else "ngram"
    assert f"tertium.metrics.{family}.{metric}" in modules


def test_the_modules_named_here_exist() -> None:
    """A module that was renamed would never be imported, and this file would not notice."""
    assert [name for name in sorted(UNUSED) if find_spec(name) is None] == []


def test_only_the_chosen_metrics_are_imported() -> None:
    modules = imported("score", *PLAIN, "-m", "bleu")
    assert {name for name in modules if name.startswith("tertium.metrics.")} == {
        f"tertium.metrics.{name}"
        for name in (
            "contract", "contract.base", "contract.costs", "contract.options", "contract.spec",
            "contract.catalog", "contract.table", "contract.word_metric", "ngram", "ngram.bleu",
        )
    }  # fmt: skip


def test_formats_for_programs_need_no_table() -> None:
    modules = imported("score", *PLAIN, "-f", "json")
    assert not modules & {"rich", "tertium.report.evaluation", "scipy", "importlib.metadata"}


THREADS = """
import os, sys, time
from tertium.cli.main import main
status = main(sys.argv[1:])
end = time.monotonic() + 5
while len(os.listdir("/proc/self/task")) > 1 and time.monotonic() < end:
    time.sleep(0.01)  # a thread that has been joined may still be on its way out
print(status, len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads as Linux lists them")
def test_scoring_starts_no_threads_of_linear_algebra() -> None:
    """They would wait busily; programs that a metric starts still have their own."""
    done = python("-c", THREADS, "score", *PLAIN, "--threads", "1", "-q")
    assert done.out.splitlines()[-1] == "0 1 None"
    lists = ("oracle", "--each", PLAIN[-1], "--lines", "2", "-r", "/dev/stdin", "-q")
    half = Path(PLAIN[0]).read_bytes().splitlines(keepends=True)[:46]
    chosen = python("-c", THREADS, *lists, text=b"".join(half), variables={"TERTIUM_THREADS": "1"})
    assert chosen.out.splitlines()[-1] == "0 1 None"
    set_by_user = python(
        "-c", THREADS, "score", *PLAIN, "-q", variables={"OPENBLAS_NUM_THREADS": "2"}
    )
    assert set_by_user.out.splitlines()[-1].endswith(" 2")
