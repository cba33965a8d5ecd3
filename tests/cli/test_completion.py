"""What a shell offers when TAB is pressed."""

from pathlib import Path

import pytest

from tertium.cli.main import COMMANDS
from tertium.metrics.contract.table import METRICS
from tests.support.commands import output, process


def offered(line: str, tmp_path: Path) -> list[str]:
    """The answer to a shell, which asks through the environment and reads a file."""
    answer = tmp_path / "answer"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
    }
    assert process(variables=asked).status == 0
    return [word.strip() for word in answer.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tertium sc", ["score"]),
        ("tertium score ref.en --conf", ["--confidence", "--confidence-n"]),
        ("tertium score ref.en -m ble", ["bleu", "bleu-sbp"]),
        ("tertium score ref.en -f j", ["json"]),
        ("tertium meta str", ["straw-men"]),
        ("tertium meta agree --ratings-f", ["--ratings-format"]),
        ("tertium nothing --s", []),
    ],
)
def test_shells_are_told_what_may_come_next(line: str, expected: list[str], tmp_path: Path) -> None:
    assert offered(line, tmp_path) == expected


@pytest.mark.slow
def test_every_command_and_metric_is_offered(tmp_path: Path) -> None:
    assert set(offered("tertium ", tmp_path)) >= set(COMMANDS)
    assert set(offered("tertium metrics ", tmp_path)) >= set(METRICS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_a_script_of_their_own(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = output(capsys, "completion", shell)
    assert "tertium" in script
    assert "_ARGCOMPLETE" in script
