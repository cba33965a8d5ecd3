"""What `make wheel` decides by itself; building takes minutes, and is left to it."""

import re
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest
from tools import make_wheels
from tools.make_wheels import MOST_BYTES, Python, asked, check, found_pythons

from tests.support.places import REPOSITORY

SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOW = REPOSITORY / ".github" / "workflows" / "wheels.yml"
PINNED = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize(
    ("version", "free", "name", "wheel"),
    [
        ((3, 11), False, "python3.11", "cp311-cp311-"),
        ((3, 12), False, "python3.12", "cp312-abi3-"),
        ((3, 14), False, "python3.14", "cp312-abi3-"),
        ((3, 13), True, "python3.13t", "cp313-cp313t-"),
    ],
)
def test_every_python_has_its_wheel(
    version: tuple[int, int], free: bool, name: str, wheel: str
) -> None:
    python = Python(path="", version=version, free_threaded=free)
    assert (str(python), python.wheel) == (name, wheel)


def test_interpreters_are_asked_what_they_are(tmp_path: Path) -> None:
    here = asked(sys.executable)
    assert here is not None
    assert here.version == sys.version_info[:2]
    assert here.free_threaded == bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
    broken = tmp_path / "python3.12"
    broken.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    broken.chmod(0o755)
    assert asked(str(broken)) is None
    assert here in list(found_pythons())


def test_a_large_wheel_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(make_wheels, "run", lambda _, *words: ran.append(words[1]))
    wheel = tmp_path / "tertium-1-cp312-abi3-any.whl"
    with wheel.open("wb") as file:
        file.truncate(MOST_BYTES)
    with pytest.raises(SystemExit, match="too large"):
        check(wheel, "python")
    assert ran == []
    with wheel.open("wb") as file:
        file.truncate(MOST_BYTES - 1)
    check(wheel, "python")
    assert ran[-1] == "abi3audit"


def test_wheels_for_others_are_tried_with_the_numbers_of_the_sample() -> None:
    settings = SETTINGS["tool"]["cibuildwheel"]
    assert "python {project}/tools/sample_scores.py" in settings["test-command"]
    first = SETTINGS["project"]["requires-python"].removeprefix(">=3.")
    assert settings["build"][0] == f"cp3{first}-*"
    assert SETTINGS["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"
    for name in ("tools/sample_scores.py", "tools/sample_scores.json", "constraints.txt"):
        excluded = SETTINGS["tool"]["scikit-build"]["sdist"]["exclude"]
        assert (REPOSITORY / name).exists()
        assert not [one for one in excluded if name.startswith(one)]


def test_the_workflow_has_versions_that_are_tested_here() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    jobs = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"]
    systems = jobs["wheels"]["strategy"]["matrix"]["runs-on"]
    assert {one.partition("-")[0] for one in systems} == {"ubuntu", "macos", "windows"}
    assert len([one for one in systems if "arm" in one or one == "macos-15"]) == 3
    assert re.findall(r"abi3audit==\S+", WORKFLOW.read_text(encoding="utf-8"))[0] in PINNED
