"""What `make wheel` decides by itself; building takes minutes, and is left to it."""

import re
import sys
import sysconfig
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from tools import make_wheels
from tools.make_wheels import MOST_BYTES, Python, asked, check, found_pythons

from tests.support.places import REPOSITORY

SETTINGS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
LINKED = ("nanobind", "robin-map", "unicode")
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


NOTICES = ("LICENSE", "NOTICE", *(f"licenses/{name}.txt" for name in LINKED))


@pytest.mark.parametrize("left_out", ["", *NOTICES])
def test_a_wheel_without_the_notices_of_linked_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_out: str
) -> None:
    ran: list[str] = []
    monkeypatch.setattr(make_wheels, "run", lambda _, *words: ran.append(words[1]))
    wheel = tmp_path / "tertium-1-cp312-abi3-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in NOTICES:
            if name != left_out:
                archive.writestr(f"tertium-1.dist-info/licenses/{name}", "-")
    if left_out:
        with pytest.raises(SystemExit, match=rf"found no {left_out}, expected the notices"):
            check(wheel, "python")
    else:
        check(wheel, "python")
        assert ran[-1] == "abi3audit"


def test_notices_are_in_the_metadata_of_a_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = pytest.importorskip("scikit_build_core.build", reason="the group 'build' is missing")
    monkeypatch.chdir(REPOSITORY)
    backend.prepare_metadata_for_build_wheel(str(tmp_path))
    (metadata,) = tmp_path.glob("*.dist-info/METADATA")
    stated = re.findall(r"^License-File: (.*)$", metadata.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(stated) == sorted(NOTICES)
    for name in NOTICES:
        written = metadata.parent / "licenses" / name
        assert written.read_bytes() == (REPOSITORY / name).read_bytes()


def test_notices_are_those_of_the_code_that_is_linked() -> None:
    """A new nanobind may have another year, or other code inside."""
    nanobind = pytest.importorskip("nanobind", reason="the group 'build' is missing")
    folder = Path(nanobind.__file__).parent
    (text,) = (
        file.read_text(encoding="utf-8")
        for file in distribution("nanobind").files or ()
        if file.name == "LICENSE"
    )
    assert text == (REPOSITORY / "licenses" / "nanobind.txt").read_text(encoding="utf-8")
    assert [path.name for path in (folder / "ext").iterdir()] == ["robin_map"]
    header = (folder / "ext/robin_map/include/tsl/robin_map.h").read_text(encoding="utf-8")
    comment = re.sub(r"^ \* ?", "", header.partition("*/")[0], flags=re.MULTILINE)
    assert (REPOSITORY / "licenses" / "robin-map.txt").read_text(encoding="utf-8") in comment
    notice = (REPOSITORY / "NOTICE").read_text(encoding="utf-8")
    assert re.findall(r"licenses/(\S+)\.txt", notice) == list(LINKED)


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
