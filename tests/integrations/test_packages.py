"""What is said where a package is missing, and which modules need none."""

import re
from pathlib import Path

import pytest

import tertium.integrations
from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.integrations.packages import package, ready
from tests.support.commands import python
from tests.support.places import REPOSITORY

FOLDER = Path(tertium.integrations.__file__).parent
EXTRAS = {
    "evaluate": "evaluate",
    "lightning": "lightning",
    "lm_eval": "lm-eval",
    "opusfilter": "opusfilter",
    "torchmetrics": "torchmetrics",
}
"""Module → the extra that brings its package."""
WITHOUT = {"packages", "pytest_plugin", "rewards", "trackers", "trainer"}

HIDDEN = """
import sys
for name in sys.argv[2].split(","):
    sys.modules[name] = None
import importlib
try:
    importlib.import_module("tertium.integrations." + sys.argv[1])
except Exception as error:
    print(type(error).__name__, error)
"""


NAMES = "torch,evaluate,torchmetrics,lightning,pytorch_lightning,opusfilter,lm_eval"


@pytest.mark.slow
@pytest.mark.parametrize(("module", "extra"), EXTRAS.items())
def test_a_missing_package_is_one_line_with_its_extra(module: str, extra: str) -> None:
    done = python("-c", HIDDEN, module, NAMES)
    assert (done.status, done.err) == (0, "")
    said = f"MissingExtraError tertium.integrations.{module}: the package {module} is missing, "
    assert done.out == f"{said}expected for this module: {install_hint(extra)}\n"


@pytest.mark.slow
@pytest.mark.parametrize("module", sorted(WITHOUT))
def test_modules_that_need_no_package(module: str) -> None:
    assert python("-c", HIDDEN, module, NAMES) == (0, "", "")


@pytest.mark.slow
def test_lightning_by_its_older_name_alone() -> None:
    pytest.importorskip("pytorch_lightning", reason="lightning is missing: make test-integrations")
    assert python("-c", HIDDEN, "lightning", "lightning").out == ""


def test_every_module_is_listed_here_and_its_extra_exists() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*EXTRAS, *WITHOUT, "__init__"}
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    for extra in EXTRAS.values():
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)


def test_what_a_package_itself_lacks_is_not_blamed_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("import no_such_module\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        package("broken_package", "example", "example")
    with pytest.raises(MissingExtraError, match="the package absent_package is missing"):
        package("absent_package.part", "example", "example")


def test_a_metric_that_must_see_all_references_says_how() -> None:
    with pytest.raises(OptionError, match=r"^nist: found a metric that has not seen the refer"):
        ready("nist")
    fitted = tertium.parse_metric("nist").fit(["a b c", "d e"])
    assert ready(fitted) is fitted
    with pytest.raises(OptionError, match="did you mean 'bleu'"):
        ready("blue")
