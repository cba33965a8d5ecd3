"""The decoder's command: places that do not exist, and runs that do not end."""

import os
import time
from pathlib import Path

import pytest

from tertium.errors import OptionError, TertiumError
from tertium.tune import Decoder
from tests.support.commands import PATIENCE, error, ran


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("run {weigths} {nbest}", r"unknown place '\{weigths\}'; did you mean '\{weights\}'\?"),
        ("run {weights} {n_best}", r"unknown place '\{n_best\}'; did you mean '\{nbest\}'\?"),
        ("awk '{print}' > {nbest}", r"braces of your own: \{ print \}"),
        ("run {Nbest}", r"unknown place '\{Nbest\}'; did you mean '\{nbest\}'\?"),
    ],
)
def test_unknown_places(template: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Decoder(template=template)


def test_places_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("ref", "a\n"), ("w", "f= 1\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = ["tune", str(tmp_path / "ref"), "--weights", str(tmp_path / "w")]
    words += ["--state", str(tmp_path / "state"), "--decoder"]
    assert "did you mean '{weights_json}'?" in error(capsys, *words, "run {weights_jsn} {nbest}")
    slow = "sh -c 'sleep 900' {nbest}"
    found = ran(capsys, *words, slow, "--decoder-timeout", "0.2")
    assert found.status == 2
    assert "decoder: iteration 1: found it running after 0.2 seconds, expected an end" in found.err


def test_a_run_that_does_not_end_is_ended(tmp_path: Path) -> None:
    """With all that it has started."""
    note = tmp_path / "child"
    command = f"sh -c 'sleep 900 & echo $! > {note}; wait' {{nbest}}"
    for seconds in (0.5, 5, 50):  # a busy machine may not have begun when the time is over
        decoder = Decoder(template=command, timeout=seconds)
        with pytest.raises(TertiumError, match=rf"place: found it running after {seconds} seconds"):
            decoder.run(decoder.words(nbest="x"), tmp_path / "log", "place")
        if note.exists() and note.read_text(encoding="utf-8"):
            break
    child = int(note.read_text(encoding="utf-8"))
    for _ in range(20 * PATIENCE):
        if not is_alive(child):
            return
        time.sleep(0.05)
    pytest.fail("the decoder's child went on")


def is_alive(process: int) -> bool:
    """Whether it still runs; one that nobody has waited for yet does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_limits_that_are_none(seconds: float) -> None:
    with pytest.raises(OptionError, match="expected more than 0"):
        Decoder(template="run {nbest}", timeout=seconds)


def test_in_time(tmp_path: Path) -> None:
    decoder = Decoder(template="true {nbest}", timeout=600)
    decoder.run(decoder.words(nbest="x"), tmp_path / "log", "place")
