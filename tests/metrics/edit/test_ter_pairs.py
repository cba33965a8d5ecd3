"""TER of all pairs against sacreBLEU where other code takes over: widths of registers, the beam."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter

from tertium._native import Texts, ter_pairs
from tertium.metrics.edit.ter import SHIFTS_TRIED
from tests.support.effort import examples

Words = list[str]

LIMITS = {"shift_length": 10, "shift_distance": 50, "beam": 25}


def edits(hypotheses: list[Words], references: list[Words], **limits: int) -> list[float]:
    """Our edits of all pairs, by hypothesis."""
    texts = [Texts([" ".join(words) for words in side]) for side in (hypotheses, references)]
    chosen: dict[str, Any] = {**LIMITS, **limits, "shifts_tried": SHIFTS_TRIED}
    return [float(row[0]) for row in ter_pairs(*texts, original=False, **chosen)]


def peer_edits(hypotheses: list[Words], references: list[Words], **limits: int) -> list[float]:
    """Those of sacreBLEU, with its limits replaced."""
    chosen = {**LIMITS, **limits}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lib_ter, "_MAX_SHIFT_SIZE", chosen["shift_length"])
        patch.setattr(lib_ter, "_MAX_SHIFT_DIST", chosen["shift_distance"])
        patch.setattr(lib_ter, "_BEAM_WIDTH", chosen["beam"])
        return [
            float(lib_ter.translation_edit_rate(one, other)[0])
            for one in hypotheses
            for other in references
        ]


def altered(random: Random, words: Words, changes: int) -> Words:
    """Blocks moved to other places, words replaced, the ends left alone."""
    words = list(words)
    for _ in range(changes):
        place = random.randrange(2, len(words) - 3)
        length = random.randrange(1, 4)
        block = words[place : place + length]
        del words[place : place + length]
        if random.random() < 0.2:
            block[0] = "new"
        at = random.randrange(2, len(words) - 1)
        words[at:at] = block
    return words


# 32 and 64 positions are the widths of a lane, 16 shifts are tried at once.
@pytest.mark.parametrize("size", [32, 33, 64, 65, 129])
@pytest.mark.parametrize("vocabulary", [8, 400])
def test_widths_of_lanes(size: int, vocabulary: int) -> None:
    random = Random(size * vocabulary)
    base = [str(random.randrange(vocabulary)) for _ in range(size)]
    references = [base, [*base, "more"]]
    hypotheses = [base[3:], *(altered(random, base, changes) for changes in (1, 3))]
    assert edits(hypotheses, references) == peer_edits(hypotheses, references)


@settings(deadline=None, max_examples=examples(30))
@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=36), min_size=1, max_size=3),
    st.lists(st.lists(st.sampled_from("abc"), max_size=36), min_size=1, max_size=3),
    st.integers(1, 8),
)
def test_paths_along_the_edge_of_a_narrow_beam(
    hypotheses: list[Words], references: list[Words], beam: int
) -> None:
    """Repeated words have many shortest paths, of which some leave the beam."""
    found = edits(hypotheses, references, beam=beam)
    assert found == peer_edits(hypotheses, references, beam=beam)


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(30))
@given(
    st.lists(st.sampled_from("abcde"), max_size=12),
    st.lists(st.permutations("pqrstuvw"), min_size=2, max_size=3),
    st.lists(st.sampled_from("abcde"), max_size=12),
    st.integers(0, 3),
    st.integers(0, 6),
)
def test_equal_ends(
    beginning: Words, middles: list[Words], ending: Words, length: int, distance: int
) -> None:
    """What both texts begin and end with is not looked at more than needed, at any limit."""
    texts = [[*beginning, *middle, *ending] for middle in middles]
    limits = {"shift_length": length, "shift_distance": distance}
    assert edits(texts, texts, **limits) == peer_edits(texts, texts, **limits)
    assert edits(texts, texts, beam=2) == peer_edits(texts, texts, beam=2)
