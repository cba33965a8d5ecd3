"""The job for GitLab and the hook of pre-commit: run as a runner would, passing and failing."""

import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.support.commands import Outcome, shell
from tests.support.places import REPOSITORY, SAMPLE

pytestmark = pytest.mark.slow

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a suite of the sample whose name has a space."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SUITE", "my suite.toml")
    return tmp_path


def _suite(folder: Path, baseline: str) -> None:
    lines = (
        'sets = ["first", "second"]',
        f'references = "{SAMPLE}/reference.1.en"',
        f'baseline = "{baseline}"',
        'require = "not-lower"',
        "trials = 500",
        f'systems = ["{SAMPLE}/systems/alder.txt", "{SAMPLE}/systems/birch.txt"]',
    )
    (folder / "my suite.toml").write_text("\n".join(lines), encoding="utf-8")


def _ran(folder: Path) -> Outcome:
    made = yaml.safe_load((REPOSITORY / "deploy/gitlab-suite.yml").read_text(encoding="utf-8"))
    install, *steps = made["translation-quality"]["script"]
    assert install == 'python -m pip install --quiet "${TERTIUM}[stats]"'
    script = folder / "job.sh"
    script.write_text("\n".join(steps), encoding="utf-8")
    return shell(f"bash --noprofile --norc -eo pipefail {script}", folder)


def test_a_job_passes_and_fails(job: Path) -> None:
    _suite(job, "birch")
    done = _ran(job)
    assert done.status == 0, done.err
    assert "holds in every test set" in done.out
    _suite(job, "alder")
    done = _ran(job)
    assert done.status == 1
    assert "does not hold in first, second" in done.out
    suite = ElementTree.parse(job / "suite.xml").getroot().find("testsuite")  # noqa: S314
    assert suite is not None
    assert suite.get("failures") == "2"
    assert (job / ".cache" / "suite.sqlite").is_file()


def test_a_bad_suite_is_an_error_of_its_own(job: Path) -> None:
    done = _ran(job)
    assert done.status == 2
    assert "my suite.toml" in done.err


def test_the_hook_runs_the_command(job: Path) -> None:
    hooks: list[dict[str, Any]] = yaml.safe_load(
        (REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    )
    (hook,) = hooks
    assert (hook["id"], hook["pass_filenames"], hook["language"]) == (
        "tertium-suite",
        False,
        "python",
    )
    _suite(job, "alder")
    assert shell(f"{hook['entry']} 'my suite.toml'", job).status == 1
    _suite(job, "birch")
    assert shell(f"{hook['entry']} 'my suite.toml'", job).status == 0
