"""NLTK's own tests of six metrics, run with those of ``nltk.translate`` replaced by tertium's.

Its unit tests and doctest files are in its source distribution, which `make test` fetches;
elsewhere `NLTK_SDIST` may name it. Three kinds of data that some of them read are downloads of
NLTK (`python -m nltk.downloader wordnet punkt_tab wmt15_eval`), and without them those are left
out, by name.
"""

import doctest
import os
import re
import sys
import tarfile
import warnings
from importlib import import_module
from pathlib import Path

import nltk
import pytest

from tertium.compat import NLTK_MODULES
from tests.support.commands import python

DATA = {
    "corpora/wordnet": ["unit/translate/test_meteor.py", "meteor.doctest", "meteor_score"],
    "tokenizers/punkt_tab": ["meteor.doctest"],
    "models/wmt15_eval": ["TestBLEUvsMteval13a", "unit/translate/test_nist.py"],
}
"""Which files, classes of tests and modules with examples need which download."""

FILES = (
    "unit/translate/test_bleu.py",
    "unit/translate/test_nist.py",
    "unit/translate/test_meteor.py",
    "unit/test_ribes.py",
    "bleu.doctest",
    "meteor.doctest",
)

# The tests import their neighbors (nltk.test.unit), so NLTK as a whole comes from the distribution.
# Its conftest.py asks for pytest-mock and silences plots; these tests draw none.
PROGRAM = """
import sys
sys.path.insert(0, sys.argv.pop(1))
import pytest
import tertium.compat
tertium.compat.replace("nltk")
from nltk.translate import bleu, bleu_score
assert bleu.__module__ == bleu_score.__name__ == "tertium.compat.nltk.bleu_score"
flags = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--noconftest"]
sys.exit(pytest.main([*flags, *sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    name = f"nltk-{nltk.__version__}"
    beside = Path(sys.prefix) / "sdists" / f"{name}.tar.gz"
    packed = Path(os.environ.get("NLTK_SDIST", beside))
    if not packed.is_file():
        pytest.skip(f"{packed}: no such file, expected NLTK's source distribution")
    folder = tmp_path_factory.mktemp("nltk")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    return folder / name / "nltk" / "test"


def missing() -> set[str]:
    """Whatever needs data that is not here."""
    names: set[str] = set()
    for place, needed_by in DATA.items():
        try:
            nltk.data.find(place)
        except LookupError:
            try:
                nltk.data.find(f"{place}.zip")
            except LookupError:
                names.update(needed_by)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_nltks_own_tests_pass(file: str, distribution: Path) -> None:
    left_out = missing()
    if file in left_out:
        pytest.skip(f"{file}: NLTK's data is not installed")
    usual = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    chosen = " and ".join(f"not {name}" for name in sorted(left_out) if name.startswith("Test"))
    words = ["-c", PROGRAM, str(distribution.parents[1]), file, "--doctest-glob=*.doctest"]
    words += ["-o", "doctest_optionflags=NORMALIZE_WHITESPACE ELLIPSIS", "-k", chosen]
    done = python(*words, folder=distribution, environment=usual)
    assert done.status == 0, done.out + done.err
    assert re.search(r"\d+ passed", done.out), done.out


@pytest.mark.parametrize("name", NLTK_MODULES)
def test_examples_in_nltks_docstrings_hold(name: str) -> None:
    theirs, ours = (import_module(f"{p}.{name}") for p in ("nltk.translate", "tertium.compat.nltk"))
    if name in missing():
        pytest.skip("NLTK's WordNet is not installed")
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    examples = 0
    for test in doctest.DocTestFinder().find(theirs):
        # The names in the examples are ours; helpers of theirs, such as choose, stay.
        test.globs = {**vars(theirs), **vars(ours)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an example without matches, which is 0, warns
            runner.run(test)
        examples += len(test.examples)
    assert examples > 0
    assert runner.summarize(verbose=False).failed == 0
