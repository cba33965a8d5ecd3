"""How many threads work: a flag of the command, the user's environment, or all processors."""

import os
from typing import Any

import pytest

from tertium import _native
from tertium.cli.demo import SAMPLE
from tertium.evaluation import evaluate_inputs
from tertium.results import Evaluation
from tests.support.commands import output

WORDS = ["score", str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / "systems" / "elm.txt")]


@pytest.fixture(autouse=True)
def _usual_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TERTIUM_THREADS", raising=False)
    _native.set_worker_count(0)


def test_the_environment_is_the_users_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    free = _native.worker_count()
    monkeypatch.setenv("TERTIUM_THREADS", "3")
    assert _native.worker_count() == 3
    _native.set_worker_count(2)
    assert _native.worker_count() == 2
    _native.set_worker_count(0)
    assert _native.worker_count() == 3
    monkeypatch.setenv("TERTIUM_THREADS", "many")
    assert _native.worker_count() == free


def test_there_is_a_most() -> None:
    _native.set_worker_count(10**6)
    assert _native.worker_count() == 1024
    with pytest.raises(TypeError):
        _native.set_worker_count(-1)
    _native.set_worker_count(0)


def test_the_flag_holds_for_one_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def watched(*arguments: Any, **options: Any) -> Evaluation:
        seen.append(_native.worker_count())
        return evaluate_inputs(*arguments, **options)

    monkeypatch.setattr("tertium.evaluation.evaluate_inputs", watched)
    free = _native.worker_count()
    shown = output(capsys, *WORDS)
    assert output(capsys, *WORDS, "--threads", str(free + 1)) == shown
    assert seen == [free, free + 1]
    assert _native.worker_count() == free
    assert "TERTIUM_THREADS" not in os.environ
