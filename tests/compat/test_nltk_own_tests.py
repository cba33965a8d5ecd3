"""NLTK's own tests of six metrics, run with those of ``nltk.translate`` replaced by tertium's.

Its unit tests and doctest files are in its source distribution, which `make test` fetches;
elsewhere `NLTK_SDIST` may name it. Three kinds of data that some of them read are downloads of
NLTK (`python -m nltk.downloader wordnet punkt_tab wmt15_eval`). Where they are not installed, they
are replaced by data that the same expectations hold for:

- ``wmt15_eval``, 100 segments with what mteval-v13a printed of them, by 400 segments of WMT23
  he-en with what mteval-v13a printed of those;
- ``wordnet`` by the WordNet 3.0 of Debian's package ``wordnet-base``;
- ``punkt_tab`` by a model that has learned nothing: no text of these tests has a period.

What can be replaced by nothing is left out, by name.
"""

import doctest
import os
import re
import shutil
import sys
import tarfile
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import nltk
import pytest

from tertium.compat import NLTK_MODULES
from tests.support.commands import Outcome, python
from tests.support.golden import read_golden
from tests.support.places import REPOSITORY

ORACLES = REPOSITORY.parent / "shared" / "oracles"
WORDNET = Path("/usr/share/wordnet")

NEEDED_BY = {
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
    return {name for place in absent() for name in NEEDED_BY[place]}


def absent() -> list[str]:
    """The downloads that are not installed."""
    names = []
    for place in NEEDED_BY:
        try:
            nltk.data.find(place)
        except LookupError:
            try:
                nltk.data.find(f"{place}.zip")
            except LookupError:
                names.append(place)
    return names


def write_evaluation(folder: Path) -> None:
    """Texts tokenized with 13a, and the last lines of what mteval-v13a printed of them."""
    system = "ONLINE-B"
    for name, text in (("ref.ru", "ref.0.txt"), ("google.ru", f"hyp.{system}.txt")):
        shutil.copy(ORACLES / "heen-tok" / text, folder / name)
    printed = read_golden(ORACLES / "heen", f"mteval-v13a-1ref.{system}").corpus
    rows = [
        f' {kind}:  {"   ".join(printed[f"{measure}.cum{n}"] for n in range(1, 10))}  "S"'
        for kind, measure in (("NIST", "NIST.cased"), ("BLEU", "BLEU.closest.smooth.cased"))
    ]
    last = [rows[0], "", rows[1], "MT evaluation scorer ended"]
    (folder / "mteval-13a.output").write_text("\n".join(last) + "\n", encoding="utf-8")


def write_wordnet(folder: Path) -> None:
    """Debian's files, and two that it lacks, of which METEOR needs nothing."""
    for path in WORDNET.iterdir():
        shutil.copy(path, folder / path.name)
    names = "".join(f"{number:02}\tgroup.{number}\t1\n" for number in range(45))
    (folder / "lexnames").write_text(names, encoding="utf-8")
    (folder / "index.sense").write_text("", encoding="utf-8")


def write_untrained_tokenizer(folder: Path) -> None:
    english = folder / "english"
    english.mkdir()
    for name in ("collocations.tab", "sent_starters.txt", "abbrev_types.txt", "ortho_context.tab"):
        (english / name).write_text("", encoding="utf-8")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of NLTK's data with what stands in for downloads that are not installed."""
    folder = tmp_path_factory.mktemp("nltk_data")
    for place in absent():
        part = folder / place
        part.mkdir(parents=True)
        if place == "corpora/wordnet" and WORDNET.is_dir():
            write_wordnet(part)
        elif place == "models/wmt15_eval" and ORACLES.is_dir():
            write_evaluation(part)
        elif place == "tokenizers/punkt_tab":
            write_untrained_tokenizer(part)
        else:
            part.rmdir()
    nltk.data.path.insert(0, str(folder))
    yield folder
    nltk.data.path.remove(str(folder))


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_nltks_own_tests_pass(file: str, distribution: Path, data: Path) -> None:
    done = run_nltks_tests(PROGRAM, file, distribution, data)
    assert done.status == 0, done.out + done.err
    assert re.search(r"\d+ passed", done.out), done.out


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("file", ["unit/translate/test_bleu.py", "unit/translate/test_nist.py"])
def test_nltk_itself_passes_on_the_data_that_stands_in(
    file: str, distribution: Path, data: Path
) -> None:
    own = PROGRAM.replace('tertium.compat.replace("nltk")\n', "")
    own = re.sub("assert .*\n", 'assert bleu.__module__ == "nltk.translate.bleu_score"\n', own)
    done = run_nltks_tests(own, file, distribution, data)
    assert done.status == 0, done.out + done.err


def run_nltks_tests(program: str, file: str, distribution: Path, data: Path) -> Outcome:
    """One file of NLTK's tests, as a program of its own."""
    left_out = missing()
    if file in left_out:
        pytest.skip(f"{file}: NLTK's data is not installed")
    usual = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    usual["NLTK_DATA"] = os.pathsep.join([str(data), *filter(None, [usual.get("NLTK_DATA")])])
    chosen = " and ".join(f"not {name}" for name in sorted(left_out) if name.startswith("Test"))
    words = ["-c", program, str(distribution.parents[1]), file, "--doctest-glob=*.doctest"]
    words += ["-o", "doctest_optionflags=NORMALIZE_WHITESPACE ELLIPSIS", "-k", chosen]
    return python(*words, folder=distribution, environment=usual)


@pytest.mark.parametrize("name", NLTK_MODULES)
def test_examples_in_nltks_docstrings_hold(name: str, data: Path) -> None:
    assert str(data) in nltk.data.path
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
