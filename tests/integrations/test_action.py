"""The action for GitHub: its commands are run as a runner would, on the sample."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Outcome, shell
from tests.support.places import DOCS, REPOSITORY, SAMPLE, blocks

pytestmark = pytest.mark.slow

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

ACTION = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
INPUTS: dict[str, dict[str, Any]] = ACTION["inputs"]
INSTALL, DECIDE = ACTION["runs"]["steps"]
GIVEN = {
    "references": "reference.*.en",
    "baseline": "systems/birch.txt",
    "systems": "systems/alder.txt",
    "options": "--trials 1000",
}


def decided(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, work: str = "", **changes: str
) -> tuple[Outcome, str]:
    """How the step ends with these inputs, and what it leaves in the summary of the job."""
    values = {name: one.get("default", "") for name, one in INPUTS.items()} | GIVEN | changes
    for variable, text in DECIDE["env"].items():
        (name,) = re.findall(r"^\$\{\{ inputs\.(\w+) \}\}$", text)
        monkeypatch.setenv(variable, values[name])
    summary = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    script = folder / "step.sh"
    script.write_text(DECIDE["run"], encoding="utf-8")
    done = shell(f"bash --noprofile --norc -eo pipefail {script}", Path(work or SAMPLE))
    return done, summary.read_text(encoding="utf-8")


def test_a_system_that_is_not_worse_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, summary = decided(tmp_path, monkeypatch, margin="0.5", source="source.de")
    assert done.status == 0
    assert done.out == summary
    assert summary.startswith("```\nalder scores higher than birch, by BLEU and chrF.\n")
    assert summary.endswith("\n```\n")


def test_a_system_that_is_worse_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = {"baseline": "systems/alder.txt", "systems": "systems/birch.txt"}
    done, summary = decided(
        tmp_path, monkeypatch, **changes, documents="documents.tsv", metrics="chrf ter"
    )
    assert done.status == 1
    assert "birch scores lower than alder" in summary
    assert summary.endswith("\n```\n")


def test_names_with_spaces_dashes_and_quotes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("my system.txt", "-dash.txt", "it's [one].txt"):
        (tmp_path / name).write_bytes((SAMPLE / "systems" / "alder.txt").read_bytes())
    (tmp_path / "my reference.en").write_bytes((SAMPLE / "reference.1.en").read_bytes())
    done, summary = decided(
        tmp_path,
        monkeypatch,
        work=str(tmp_path),
        references="'my reference.en'",
        baseline=str(SAMPLE / "systems" / "birch.txt"),
        systems="my system.txt\n-dash.txt\nit's [one].txt\n",
    )
    assert done.status == 0, summary
    for name in ("my system", "-dash", "it's [one]"):
        assert f"{name} scores higher than birch" in summary


def test_a_requirement_that_no_test_set_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = {"systems": "systems/elm.txt", "require": "better"}
    done, summary = decided(tmp_path, monkeypatch, **changes)
    assert done.status == 1
    assert "no significant difference" in summary


def test_a_suite_is_one_table_and_one_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (
        'sets = ["first", "second"]',
        f'references = "{SAMPLE}/reference.1.en"',
        'baseline = "alder"',
        'require = "not-lower"',
        "trials = 500",
        f'systems = ["{SAMPLE}/systems/alder.txt", "{SAMPLE}/systems/birch.txt"]',
    )
    path = tmp_path / "-my suite.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    changes = {"suite": path.name, "options": "--fresh", "work": str(tmp_path)}
    done, summary = decided(tmp_path, monkeypatch, **changes)
    assert done.status == 1
    assert "required: not-lower: does not hold in first, second" in summary
    assert "| test set | system |" in summary
    better = path.read_text(encoding="utf-8").replace('"alder"', '"birch"')
    path.write_text(better, encoding="utf-8")
    done, summary = decided(tmp_path, monkeypatch, **changes)
    assert done.status == 0, summary


def test_bad_input_is_an_error_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, summary = decided(tmp_path, monkeypatch, systems="systems/absent.txt")
    assert done.status == 2
    assert "systems/absent.txt" in summary


def test_it_installs_its_own_copy() -> None:
    assert INSTALL["run"] == 'python -m pip install --quiet "${GITHUB_ACTION_PATH}[stats]"'
    assert {DECIDE["shell"], INSTALL["shell"]} == {"bash"}


def test_the_page_names_every_input_and_uses_no_other() -> None:
    page = DOCS / "integrations" / "github-actions.md"
    named = re.findall(r"^\| (`[^|]*) \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(named))) == set(INPUTS)
    (workflow,) = map(yaml.safe_load, blocks(page, "yaml"))
    (used,) = [
        step["with"]
        for step in workflow["jobs"]["quality"]["steps"]
        if "./" in step.get("uses", "")
    ]
    assert set(used) <= set(INPUTS)
    assert {name for name, one in INPUTS.items() if one.get("required")} <= set(used)
