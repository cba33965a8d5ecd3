"""METEOR and TER of all pairs at once: the numbers of one pair at a time, in less time."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tertium.decode.mbr.matrix import utility_matrix
from tertium.metrics.contract.base import Metric
from tertium.metrics.edit.ter import TranslationEditRate
from tertium.metrics.meteor.metric import Meteor, Meteor06
from tests.support.effort import examples
from tests.support.meteor_files import write_meteor_folder

WORDS = (
    *("the", "a", "cat", "cats", "car", "automobile", "sat", "of", "course", "naturally"),
    *("big", "large", "at", "once", "right", "away", ",", "."),
)
texts = st.lists(st.sampled_from(WORDS), max_size=18).map(" ".join)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_meteor_folder(tmp_path_factory.mktemp("files") / "meteor")


def one_by_one(metric: Metric, candidates: list[str], references: list[str]) -> NDArray[np.float64]:
    """The definition of the matrix: each pair is a corpus of its own."""
    return np.array(
        [
            [float(metric.score(metric.statistics([one], [other]))[0]) for other in references]
            for one in candidates
        ]
    )


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(texts, min_size=1, max_size=5), st.lists(texts, min_size=1, max_size=5))
def test_meteor_of_pairs(folder: Path, candidates: list[str], references: list[str]) -> None:
    for metric in (Meteor(folder=str(folder)), Meteor(folder=str(folder), beam=3), Meteor06()):
        found = utility_matrix(metric, candidates, references)
        assert found.tolist() == one_by_one(metric, candidates, references).tolist()


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(texts, min_size=1, max_size=5), st.lists(texts, min_size=1, max_size=5))
def test_ter_of_pairs(candidates: list[str], references: list[str]) -> None:
    for metric in (TranslationEditRate(), TranslationEditRate(beam=2, shift_length=2)):
        found = utility_matrix(metric, candidates, references)
        assert found.tolist() == one_by_one(metric, candidates, references).tolist()


def samples(random: Random, size: int, length: int) -> list[str]:
    """Texts that share most of their words, as samples of one sentence do."""
    base = [
        random.choice(WORDS) + str(random.randrange(length)) * (i % 3 == 0) for i in range(length)
    ]
    found = []
    for _ in range(size):
        words = list(base)
        for _ in range(3):
            place = random.randrange(len(words))
            words[place : place + random.randrange(3)] = random.sample(WORDS, random.randrange(3))
        found.append(" ".join(words))
    return found


@pytest.mark.parametrize("length", [20, 63, 66, 140])
@pytest.mark.parametrize("name", ["meteor", "ter"])
def test_long_and_short_texts_together(folder: Path, name: str, length: int) -> None:
    """Beyond 64 words other code does the work; lists may have both."""
    metric = Meteor(folder=str(folder)) if name == "meteor" else TranslationEditRate()
    some = ["", *samples(Random(length), 4, length), *samples(Random(1), 2, 12)]
    assert utility_matrix(metric, some, some).tolist() == one_by_one(metric, some, some).tolist()


@pytest.mark.parametrize("name", ["meteor", "ter"])
def test_pairs_are_not_written_out(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No text is prepared once for each pair it is in, as a corpus of all pairs would be."""
    metric = Meteor(folder=str(folder)) if name == "meteor" else TranslationEditRate()

    def refuse(*_: object) -> None:
        pytest.fail("a corpus of pairs was made")

    monkeypatch.setattr(type(metric), "statistics", refuse)
    assert utility_matrix(metric, ["a b", "c"], ["a b", "c d", "e"]).shape == (2, 3)
