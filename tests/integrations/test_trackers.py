"""Trackers of experiments, with packages that write down what they are told."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tertium.errors import MissingExtraError
from tertium.integrations.trackers import PROGRAMS, step_of, tracker

Told = list[tuple[Any, ...]]


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The three packages with the signatures that theirs have, and every call of them."""
    calls: Told = []

    def init(*, project: str) -> SimpleNamespace:
        calls.append(("init", project))

        def log(data: dict[str, float], step: int | None = None) -> None:
            calls.append(("log", data, step))

        return SimpleNamespace(log=log, finish=lambda: calls.append(("end",)))

    def set_experiment(experiment_name: str) -> None:
        calls.append(("init", experiment_name))

    def log_metrics(metrics: dict[str, float], step: int | None = None) -> None:
        calls.append(("log", metrics, step))

    class SummaryWriter:
        def __init__(self, logdir: str) -> None:
            calls.append(("init", logdir))

        def add_scalar(self, tag: str, scalar_value: float, global_step: int) -> None:
            calls.append(("log", {tag: scalar_value}, global_step))

        def flush(self) -> None:
            pass

        def close(self) -> None:
            calls.append(("end",))

    packages = {
        "wandb": SimpleNamespace(init=init),
        "mlflow": SimpleNamespace(
            set_experiment=set_experiment,
            start_run=lambda: None,
            log_metrics=log_metrics,
            end_run=lambda: calls.append(("end",)),
        ),
        "tensorboardX": SimpleNamespace(SummaryWriter=SummaryWriter),
    }
    for name, package in packages.items():
        monkeypatch.setitem(sys.modules, name, package)
    return calls


@pytest.mark.parametrize("program", PROGRAMS)
def test_scores_go_where_they_are_told_to(program: str, told: Told) -> None:
    with tracker(f"{program}:news") as one:
        one.log({"BLEU": 31.5}, 2000)
    assert told == [("init", "news"), ("log", {"BLEU": 31.5}, 2000), ("end",)]


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_missing_package_is_said_with_its_cure(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "tensorboardX" if program == "tensorboard" else program
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=f"package {name} is missing.*pip install {name}"):
        tracker(program)


def test_steps_are_numbers_of_names() -> None:
    assert [step_of(name, 7) for name in ("a/100/best.txt", "epoch3-step40.txt")] == [7, 40]


def test_follow_tracks_each_output(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tertium.cli.main import main
    from tertium.scale import training_runs

    (tmp_path / "ref.txt").write_text("the cat sat\na dog ran\n", encoding="utf-8")
    outputs = tmp_path / "out"
    outputs.mkdir()
    for step, text in ((10, "the cat\na dog\n"), (20, "the cat sat\na dog ran\n")):
        (outputs / f"step-{step}.txt").write_text(text, encoding="utf-8")
    look = training_runs.look_again

    def once(follower: Any, *, every: float) -> Any:
        found = look(follower, every=every)
        for _ in range(2):
            yield next(found)

    monkeypatch.setattr(training_runs, "look_again", once)
    words = ("score", str(tmp_path / "ref.txt"), "--follow", str(outputs), "-m", "chrf")
    options = ("-q", "--every", "0.01", "--track", "wandb:news")
    assert main([*words, *options]) == 0
    logged = [call for call in told if call[0] == "log"]
    assert [call[2] for call in logged] == [10, 20]
    assert logged[1][1] == {"chrF": 100.0}
    assert told[-1] == ("end",)
