"""Scores that a Python function gives: means, missing ones, sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import Corpus, InputError, SegmentMetric, System
from tertium.metrics.contract.base import option
from tertium.metrics.foreign.cache import Identity
from tertium.scored import scored


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared(SegmentMetric):
    """The share of a hypothesis' words that its source or first reference has."""

    name: ClassVar[str] = "shared"
    title: ClassVar[str] = "Shared"
    summary: ClassVar[str] = "words in common"

    side: str = option("reference", "what words are looked for in")

    @property
    def needs_sources(self) -> bool:
        return self.side == "source"

    def scores(
        self,
        sources: Sequence[str] | None,
        hypotheses: Sequence[str],
        references: Sequence[Sequence[str]],
    ) -> list[float | None]:
        others = [texts[0] for texts in references]
        if self.side == "source":
            assert sources is not None
            others = list(sources)
        return [
            len(set(text.split()) & set(other.split())) / len(text.split()) if text else None
            for text, other in zip(hypotheses, others, strict=True)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Given(SegmentMetric):
    """Answers whatever the test wants it to."""

    name: ClassVar[str] = "given"
    title: ClassVar[str] = "Given"
    summary: ClassVar[str] = "made up"

    answers: Any = option((), "what is answered")

    def scores(self, sources: Any, hypotheses: Any, references: Any) -> Any:
        return self.answers


CORPUS = Corpus(references=["a b c", ["d e", "f"], "g"], sources=["x", "d", "g"])
SYSTEM = System(name="one", hypotheses=["a x", "d e", "g"])


def test_a_score_is_a_mean_of_segments() -> None:
    result = tertium.evaluate(CORPUS, [SYSTEM], [Shared()], segments=True).systems[0].scores[0]
    assert result.value == pytest.approx((0.5 + 1 + 1) / 3)
    assert result.segments is not None
    assert result.segments.tolist() == [0.5, 1, 1]
    assert str(result) == (f"Shared|nrefs:var|version:tertium-{tertium.__version__} = 0.8333")


def test_sources_reach_a_metric_that_asks_for_them() -> None:
    result = tertium.evaluate(CORPUS, [SYSTEM], [Shared(side="source")]).systems[0].scores[0]
    assert result.value == pytest.approx((0.5 + 0.5 + 1) / 3)


@pytest.mark.parametrize("call", [tertium.evaluate, tertium.audit, tertium.compare, scored])
def test_sources_that_are_not_there(call: Any) -> None:
    bare = Corpus(references=["a", "b"], name="ref.en")
    systems = [System(name=name, hypotheses=["a", "b"]) for name in ("one", "two")]
    with pytest.raises(InputError, match=r"^Shared: found no sources of ref.en, expected some"):
        call(bare, systems, [Shared(side="source")])


def test_one_source_for_all() -> None:
    metric = Shared(side="source").of_source("a b")
    assert metric.score(metric.statistics(["a", "c"], ["x", "y"])).tolist() == [1, 0]
    with pytest.raises(InputError, match="Shared: found no sources, expected one"):
        Shared(side="source").statistics(["a"], ["x"])


@given(st.lists(st.one_of(st.none(), st.just(nan), st.floats(-1e6, 1e6)), min_size=1))
def test_missing_scores_count_for_nothing(answers: list[float | None]) -> None:
    texts = ["text"] * len(answers)
    system = System(name="one", hypotheses=texts)
    metric = Given(answers=tuple(answers))
    found = tertium.evaluate(Corpus(references=texts), [system], [metric], segments=True)
    there = [one for one in answers if one is not None and not isnan(one)]
    value = found.systems[0].scores[0].value
    if there:
        assert value == pytest.approx(sum(there) / len(there), abs=1e-9)
    else:
        assert isnan(value)
    missing = len(answers) - len(there)
    expected = f"one: Given has no score for {missing} of {len(answers)} segments: left out"
    assert found.warnings == ((expected,) if missing else ())
    segments = found.systems[0].scores[0].segments
    assert segments is not None
    assert np.isnan(segments).sum() == missing


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ((1.0,), "Given: found 1 score, expected 2 (segments)"),
        ((1.0, 2.0, 3.0), "Given: found 3 scores, expected 2 (segments)"),
        ((1.0, float("inf")), "Given: segment 2: found inf, expected a number"),
        (("good", 1.0), "Given: segment 1: found 'good', expected a number"),
        (([1.0], 1.0), "Given: segment 1: found [1.0], expected a number"),
    ],
)
def test_answers_that_are_no_scores(answers: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError) as error:
        tertium.score(["a", "b"], ["a", "b"], Given(answers=answers))
    assert str(error.value) == message


def test_numbers_of_other_kinds() -> None:
    answers = (np.float32(0.5), True)
    assert tertium.score(["a", "b"], ["a", "b"], Given(answers=answers)).value == 0.75


def test_scores_are_kept_under_an_identity() -> None:
    asked: list[str] = []

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Kept(Shared):
        release: str = option("1", "its version")

        @property
        def identity(self) -> Identity:
            return Identity("Kept", "none", self.release, "float64", rest=self.side)

        def scores(self, sources: Any, hypotheses: Any, references: Any) -> list[float | None]:
            asked.extend(hypotheses)
            return Shared.scores(self, sources, hypotheses, references)

    plain = tertium.evaluate(CORPUS, [SYSTEM], [Shared()], segments=True)
    for _ in range(2):
        found = tertium.evaluate(CORPUS, [SYSTEM], [Kept()], segments=True)
        assert found.systems[0].scores[0].value == plain.systems[0].scores[0].value
    assert asked == ["a x", "d e", "g"]
    tertium.evaluate(CORPUS, [SYSTEM], [Kept(release="2")])
    assert len(asked) == 6
    tertium.evaluate(CORPUS, [SYSTEM], [Kept(side="source")])
    assert len(asked) == 9
