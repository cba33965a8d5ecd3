"""Audits under several metrics at once: the same findings, and errors that are seen."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from time import sleep
from typing import ClassVar

import numpy as np
import pytest

from tertium import Corpus, System, _native, audit
from tertium.metrics.contract.base import Metric, Rows, Scores
from tertium.text.references import AnyReferences, Hypotheses, aligned
from tertium.threads import side_by_side

METRICS = ["bleu", "chrf", "ter", "wer", "grr"]
WORDS = "the cat sat on a mat while it rained and nobody came to see".split()  # noqa: SIM905


@pytest.fixture
def threads() -> Iterator[None]:
    yield
    _native.set_worker_count(0)


def some_systems() -> tuple[Corpus, list[System]]:
    rng = np.random.default_rng(7)
    references = [" ".join(rng.choice(WORDS, rng.integers(3, 12))) for _ in range(60)]

    def worse(share: float) -> list[str]:
        return [
            " ".join(word for word in line.split() if rng.random() > share) for line in references
        ]

    names = {"one": 0.1, "two": 0.2, "three": 0.25}
    systems = [System(name=name, hypotheses=worse(share)) for name, share in names.items()]
    return Corpus(references=references), systems


@pytest.mark.slow
@pytest.mark.usefixtures("threads")
def test_threads_change_nothing() -> None:
    corpus, systems = some_systems()
    found = []
    for count in (1, 2, 4):
        _native.set_worker_count(count)
        found.append(json.dumps(audit(corpus, systems, METRICS).to_dict()))
    assert found[0] == found[1] == found[2]
    assert json.loads(found[0])["findings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken(Metric):
    """A metric of somebody else that fails when it is asked for other texts than the first."""

    name: ClassVar[str] = "broken"
    title: ClassVar[str] = "Broken"
    summary: ClassVar[str] = "fails"
    citation: ClassVar[str] = ""
    asked: ClassVar[list[int]] = []

    @property
    def columns(self) -> tuple[str, ...]:
        return ("words", "segments")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        self.asked.append(len(hypotheses))
        if len(self.asked) > 3:
            raise ValueError("no more")
        texts, _ = aligned(hypotheses, references)
        return np.array([[float(len(one or "")), 1.0] for one in texts.to_list()])

    def score(self, rows: Rows) -> Scores:
        return np.asarray(rows[..., 0] / np.maximum(1.0, rows[..., 1]))


@pytest.mark.usefixtures("threads")
def test_a_failure_under_one_metric_is_seen() -> None:
    corpus, systems = some_systems()
    _native.set_worker_count(2)
    with pytest.raises(ValueError, match="no more"):
        audit(corpus, systems, ["bleu", Broken(), "ter"])


def test_what_has_not_begun_when_one_fails_is_left_undone() -> None:
    begun: list[int] = []

    def wait(number: int) -> int:
        if number == 0:
            raise ValueError("first")
        sleep(0.05)
        begun.append(number)
        return number

    with pytest.raises(ValueError, match="first"):
        side_by_side([partial(wait, number) for number in range(50)], threads=2)
    assert len(begun) < 49
