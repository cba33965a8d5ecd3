"""Minimum Bayes risk that scores only the pairs it needs: the same choice, to the last bit."""

import pickle
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tertium._native import TerIntervals as NativeIntervals
from tertium._native import Texts
from tertium.decode.formats.segments import read_nbest
from tertium.decode.mbr import lists as choices
from tertium.decode.mbr import matrix as mbr_matrix
from tertium.decode.mbr import pruning
from tertium.decode.mbr.decision import Decider, MbrSetting
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.lists import TIE, Choice, mbr
from tertium.decode.mbr.matrix import utility_matrix
from tertium.decode.mbr.pruning import gain_intervals, within_reach
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.edit.ter import TranslationEditRate
from tests.support.effort import examples

pytestmark = pytest.mark.slow

# Every option that the kernel over pairs takes.
SPECS = (
    "ter",
    "ter[case_sensitive=yes]",
    "ter[normalized=yes,punctuation=no]",
    "ter[normalized=yes,asian_support=yes]",
    "ter[shift_length=0]",
    "ter[shift_length=2]",
    "ter[shift_distance=0]",
    "ter[shift_distance=1]",
    "ter[beam=1]",
    "ter[beam=3,shift_length=1]",
    "ter[behaviour=tercom]",
    "ter[behaviour=tercom,beam=2]",
    "ter[behaviour=tercom,normalized=yes,shift_distance=2]",
)
WORDS = ["a", "b", "the", "The", "cat", "cat,", "它", "的", "&quot;", "c", "d"]
texts = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
# Some text and orders of it, as lists of a decoder have them, beside anything else.
orders = texts.flatmap(lambda text: st.permutations(text.split())).map(" ".join)
lists = st.lists(texts | orders | st.just(""), min_size=1, max_size=12)
scores = st.lists(st.sampled_from([0.0, -0.5, -3.0, -40.0, -1e4]), min_size=12, max_size=12)


@pytest.fixture(autouse=True)
def short_lists_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """By default a few pairs are all scored, which takes less time."""
    monkeypatch.setattr(pruning, "WORTHWHILE", 0)


def same_choice(found: Choice, whole: Choice) -> bool:
    """The same candidate for the same reason; what nobody scored is the same when asked for."""
    return (
        (found.winner, found.text, found.score) == (whole.winner, whole.text, whole.score)
        and found.pairs <= whole.pairs == len(whole.candidates) * len(whole.evidence)
        and found.expected.tolist() == whole.expected.tolist()
        and found.ranking() == whole.ranking()
    )


@pytest.mark.parametrize("spec", SPECS)
@given(candidates=lists, given_scores=scores | st.none(), scale=st.sampled_from([0.0, 0.3, 1.0]))
@settings(max_examples=examples(40))
def test_choice_is_that_of_all_pairs(
    spec: str, candidates: list[str], given_scores: list[float] | None, scale: float
) -> None:
    own = given_scores and given_scores[: len(candidates)]
    found = mbr(candidates, spec, scores=own, scale=scale)
    assert same_choice(found, mbr(candidates, spec, scores=own, scale=scale, prune=False))


@pytest.mark.parametrize("spec", ["ter", "ter[beam=2]", "ter[behaviour=tercom]"])
@given(candidates=lists, evidence=lists, given_scores=scores)
@settings(max_examples=examples(40))
def test_choice_by_other_evidence(
    spec: str, candidates: list[str], evidence: list[str], given_scores: list[float]
) -> None:
    own = Evidence.of(evidence, given_scores[: len(evidence)])
    found = mbr(candidates, spec, evidence=own)
    assert same_choice(found, mbr(candidates, spec, evidence=own, prune=False))


@pytest.mark.parametrize("spec", SPECS)
@given(candidates=lists, references=lists)
@settings(max_examples=examples(40))
def test_intervals_hold(spec: str, candidates: list[str], references: list[str]) -> None:
    metric = parse_metric(spec)
    intervals = gain_intervals(metric, candidates, references)
    assert intervals is not None
    rows, columns = np.indices((len(candidates), len(references)), dtype=np.int32).reshape(2, -1)
    gains = -utility_matrix(metric, candidates, references)
    least, most = intervals.bounds(np.arange(len(candidates), dtype=np.int32), 0, len(references))
    assert (least <= gains).all()
    assert (gains <= most).all()
    assert intervals.gains(rows, columns).tolist() == gains.ravel().tolist()
    # Some of both are the same numbers as in the whole.
    some = np.arange(len(candidates), dtype=np.int32)[::2]
    part = intervals.bounds(some, len(references) // 2, len(references))
    assert part[0].tolist() == least[::2, len(references) // 2 :].tolist()
    assert part[1].tolist() == most[::2, len(references) // 2 :].tolist()


def shuffled(random: Random, size: int, length: int, changes: int = 3) -> list[str]:
    """Texts like samples of one sentence: blocks moved, words replaced."""
    base = [f"w{random.randrange(2 * length)}" for _ in range(length)]
    found = []
    for _ in range(size):
        words = list(base)
        for _ in range(random.randrange(changes + 1)):
            place, at = random.randrange(length), random.randrange(length)
            block = words[place : place + random.randrange(1, 4)]
            del words[place : place + len(block)]
            words[at:at] = block
            words[random.randrange(len(words))] = f"w{random.randrange(2 * length)}"
        found.append(" ".join(words))
    return found


# 32 and 64 words are the widths of a lane, 16 texts are measured at once, 512 words are the most.
@pytest.mark.parametrize("length", [31, 33, 64, 65, 140, 515])
@pytest.mark.parametrize("spec", ["ter[shift_length=0]", "ter", "ter[behaviour=tercom]"])
def test_lengths_side_by_side(spec: str, length: int) -> None:
    random = Random(length)
    size = 5 if length > 100 else 18
    some = [*shuffled(random, size, length), *shuffled(random, 2, 12), "", "w1"]
    metric = parse_metric(spec)
    gains = -utility_matrix(metric, some, some)
    intervals = gain_intervals(metric, some, some)
    assert intervals is not None
    least, most = intervals.bounds(np.arange(len(some), dtype=np.int32), 0, len(some))
    assert (least <= gains).all()
    assert (gains <= most).all()
    if spec == "ter[shift_length=0]":
        assert least.tolist() == gains.tolist()  # the most edits are those without a shift
    assert same_choice(mbr(some, metric), mbr(some, metric, prune=False))


def test_blocks_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    some = shuffled(Random(4), 30, 14)
    whole = mbr(some, "ter", prune=False)
    monkeypatch.setattr(mbr_matrix, "PAIRS_AT_ONCE", 100)
    monkeypatch.setattr("tertium.decode.mbr.pruning.PAIRS_AT_ONCE", 100)
    assert same_choice(mbr(some, "ter"), whole)


@pytest.mark.parametrize("spec", ["ter", "ter[behaviour=tercom]"])
@pytest.mark.parametrize("weighted", [False, True])
def test_few_pairs_are_scored(spec: str, weighted: bool) -> None:
    """Of lists like those of a decoder; the result says how many."""
    random = Random(7)
    for _ in range(1 if "tercom" in spec else 3):
        some = shuffled(random, 60 if "tercom" in spec else 80, 20, changes=6)
        own = [-0.1 * place for place in range(len(some))] if weighted else None
        found = mbr(some, spec, scores=own)
        distinct = len(found.candidates)
        assert found.pairs < distinct**2 / 8
        assert np.isnan(found.decisive).any()
        assert same_choice(found, mbr(some, spec, scores=own, prune=False))


def test_few_pairs_are_all_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert mbr(["a b", "b a", "c"], "ter").pairs == 9


def test_pairs_that_have_no_probability_are_not_scored() -> None:
    some = shuffled(Random(3), 20, 24, changes=6)
    own = [0.0, *[-1e9] * (len(some) - 1)]
    assert mbr(some, "ter", scores=own).pairs < len(set(some))


def test_who_ties_is_within_reach() -> None:
    for goal in (0.0, -1.0, -99.5, -1e3, -1e7, 50.0):
        assert within_reach(goal) < goal - TIE * max(1.0, abs(goal))


def test_pruning_and_details(monkeypatch: pytest.MonkeyPatch) -> None:
    """``prune=True`` leaves gaps for good; details of a decision are complete and scored once."""
    some = shuffled(Random(9), 40, 16)
    whole = mbr(some, "ter", prune=False)
    pruned = mbr(some, "ter", prune=True)
    assert (pruned.winner, pruned.score, pruned.pairs) == (whole.winner, whole.score, pruned.pairs)
    assert np.isnan(pruned.expected).any()
    nbest = NBest(segment=0, hypotheses=tuple(some))
    setting = MbrSetting(utility=parse_metric("ter"))
    full = Decider(setting=setting).decide(nbest, 0)
    monkeypatch.setattr(choices, "utility_matrix", None)  # nobody asks for the whole of it
    brief = Decider(setting=setting, detailed=False).decide(nbest, 0)
    assert (brief.text, brief.expected) == (full.text, full.expected) == (whole.text, whole.score)
    assert brief.pairs < full.pairs == whole.pairs == brief.all_pairs == full.all_pairs
    assert brief.utilities == ()
    assert [value for _, value in full.utilities] == whole.expected.tolist()


def test_choices_are_pickled_before_all_is_known() -> None:
    found = mbr(shuffled(Random(2), 30, 12), "ter")
    again = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own
    assert again.expected.tolist() == found.expected.tolist()
    assert found.expected is found.expected


class Halved(TranslationEditRate):
    """A metric of somebody else's, who counts in another way."""

    def score(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return TranslationEditRate.score(self, rows) / 2


def test_only_the_very_metric_is_meant() -> None:
    some = ["a b c", "c a b", "a c"]
    found = mbr(some, Halved())
    assert found.pairs == 9
    assert found.score == mbr(some, "ter").score / 2


def test_errors_are_those_of_all_pairs() -> None:
    metric = TranslationEditRate(behaviour="tercom")
    some = ["a " * 9000, "b " * 9000]
    for prune in (None, False):
        with pytest.raises(InputError, match="ter: found 9000 words against 9000"):
            mbr(some, metric, prune=prune)
        with pytest.raises(InputError, match="candidates: "):
            mbr(["a", "\ud800"], "ter", prune=prune)
    native = NativeIntervals(Texts(["a"]), Texts(["a", "b"]), **TranslationEditRate().search_limits)
    for own, other in (([1], [0]), ([0], [2]), ([-1], [0]), ([0], [])):
        with pytest.raises(ValueError, match="TER: found"):
            native.edits(np.array(own, np.int32), np.array(other, np.int32))
    with pytest.raises(ValueError, match="TER: found"):
        native.bounds(np.array([0], np.int32), 1, 3)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("size", "scale", "most"), [(100, 1.0, 0.02), (300, 1.0, 0.02), (300, 0.0, 0.1)]
)
def test_lists_of_moses(shared_data: Path, size: int, scale: float, most: float) -> None:
    """Three runs of a decoder over ten sentences: 100 hypotheses each, or all of a sentence."""
    runs = [list(read_nbest(shared_data / f"nbest/moses/nbest.{run}.gz")) for run in (1, 2, 3)]
    some = [one for run in runs for one in run]
    if size > 100:
        some = [
            NBest(
                segment=own[0].segment,
                hypotheses=tuple(text for one in own for text in one.hypotheses),
                scores=np.concatenate([one.scores for one in own]),
            )
            for own in zip(*runs, strict=True)
        ]
    scored = pairs = 0
    for one in some:
        assert len(one) == size
        found = mbr(one, "ter", scale=scale)
        whole = mbr(one, "ter", scale=scale, prune=False)
        assert same_choice(found, whole)
        scored, pairs = scored + found.pairs, pairs + whole.pairs
    assert scored < most * pairs
