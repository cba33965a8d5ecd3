"""sacreBLEU's own tests, run with ``sacrebleu`` replaced by tertium's.

They are in its source distribution and not in what pip installs, so `make test` fetches that
while it sets up. Elsewhere `SACREBLEU_SDIST` may name it.
"""

import os
import re
import sys
import tarfile
from pathlib import Path

import pytest
import sacrebleu

from tests.support.commands import python

MODULES = ("bleu", "chrf", "sentence_bleu", "ter", "significance", "tokenizer_ter")

PROGRAM = """
import sys
import pytest
import tertium.compat
tertium.compat.replace("sacrebleu")
import sacrebleu.metrics.bleu
assert sacrebleu.metrics.bleu.BLEU.__module__ == "tertium.compat.sacrebleu.metrics.bleu"
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *sys.argv[1:]]))
"""


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Path:
    name = f"sacrebleu-{sacrebleu.__version__}"
    beside = Path(sys.prefix) / "sdists" / f"{name}.tar.gz"
    packed = Path(os.environ.get("SACREBLEU_SDIST", beside))
    if not packed.is_file():
        pytest.skip(f"{packed}: no such file, expected sacreBLEU's source distribution")
    folder = tmp_path_factory.mktemp("sacrebleu")
    with tarfile.open(packed) as archive:
        archive.extractall(folder, filter="data")
    return folder / name


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_sacrebleus_own_tests_pass(module: str, distribution: Path) -> None:
    usual = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    words = ["-c", PROGRAM, f"test/test_{module}.py"]
    done = python(*words, folder=distribution, environment=usual)
    assert done.status == 0, done.out + done.err
    assert re.search(r"\d+ passed", done.out), done.out
