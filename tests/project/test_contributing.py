"""What contributors are told is so: folders, files and commands exist, hooks are the linters."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def recipe(target: str) -> list[str]:
    """The commands of a target."""
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found, target
    return [line.strip() for line in found[1].splitlines()]


def test_the_map_names_every_folder_of_the_package() -> None:
    folders = {path.parent.name for path in (ROOT / "src" / "tertium").glob("*/__init__.py")}
    mapped = set(re.findall(r"^\| `src/tertium/(\w+)/`", GUIDE, re.MULTILINE))
    assert mapped == folders


def test_everything_named_in_the_guide_exists() -> None:
    named = re.findall(r"`((?:src|tests|cpp|docs|tools|experiments|benchmarks)/[\w./-]*)`", GUIDE)
    assert len(named) > 20
    for name in named:
        assert (ROOT / name).exists(), name


def test_every_command_of_the_guide_is_a_target() -> None:
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.MULTILINE))
    commands = set(re.findall(r"(?:`|^)make ([\w-]+)", GUIDE, re.MULTILINE))
    assert {"develop", "check", "test", "lint"} <= commands <= targets


def test_hooks_run_what_lint_runs() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^ +entry: \.venv/bin/(.+)$", hooks, re.MULTILINE)
    lint = [line.partition("$(BIN)/")[2].removesuffix(" .") for line in recipe("lint")]
    assert entries == lint


def test_integration_lints_and_tests() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    targets = re.findall(r"^make ([\w-]+)$", script, re.MULTILINE)
    assert targets == ["lint", "docs", "test", "test-scale"]
