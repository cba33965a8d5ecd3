"""TER against its definition, sacreBLEU, tercom's published and golden outputs, invariants."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import lib_ter
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from tertium._native import Texts, tercom_texts
from tertium.errors import OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.edit.ter import TranslationEditRate
from tests.oracles import ter as oracle
from tests.support.strategies import corpora, joined

Segments = list[tuple[list[str], list[list[str]]]]
few_words = st.lists(st.sampled_from("abcd"), max_size=16)
pieces = st.sampled_from(
    ["a", "b", "The", "cat,", "in-law's,", "it's", "3,000", "x.", "..", "&lt;p&gt;", "&amp;quot;",
     "1-2", "\n-", "-\n", "(y)", "!", "<skipped>", "日本語。", "ひらカタ", "、", "\u00a0", "\u3000"]
)  # fmt: skip
odd_texts = st.lists(pieces, max_size=9).map(" ".join)
options = st.fixed_dictionaries(
    {
        "normalized": st.booleans(),
        "no_punct": st.booleans(),
        "asian_support": st.booleans(),
        "case_sensitive": st.booleans(),
    }
)


def ours(chosen: dict[str, Any]) -> TranslationEditRate:
    others = {name: value for name, value in chosen.items() if name != "no_punct"}
    return TranslationEditRate(punctuation=not chosen["no_punct"], **others)


def peer_rows(
    hypotheses: list[str], references: list[list[str]], **chosen: Any
) -> list[list[float]]:
    """Edits and mean reference length of every segment."""
    peer = sacrebleu.TER(**chosen)
    scores = [peer.sentence_score(*pair) for pair in zip(hypotheses, references, strict=True)]
    return [[score.num_edits, score.ref_length] for score in scores]


# (hypothesis, reference, edits, shifts), worked by hand.
BY_HAND = [
    ("a b c", "a b c", 0, 0),
    # Snover et al. 2006, section 3: a shift, two substitutions, a missing word
    (
        "this week the saudis denied information published in the new york times",
        "saudi arabia denied this week information published in the american new york times",
        4,
        1,
    ),
    ("c d a b", "a b c d", 1, 1),
    ("B A", "a b", 1, 1),
    ("x a", "a", 1, 0),
    ("a", "a b c", 2, 0),
    ("", "a b", 2, 0),
    ("a b", "", 2, 0),
    ("", "", 0, 0),
]


@pytest.mark.parametrize(("hypothesis", "reference", "edits", "shifts"), BY_HAND)
@pytest.mark.parametrize("behaviour", ["sacrebleu", "tercom"])
def test_by_hand(hypothesis: str, reference: str, edits: int, shifts: int, behaviour: str) -> None:
    metric = parse_metric(f"ter[behaviour={behaviour}]")
    row = metric.statistics([hypothesis], [reference])[0]
    assert row[[0, 1, 5]].tolist() == [edits, len(reference.split()), shifts]
    assert row[0] == row[2:].sum()


@given(few_words, few_words)
def test_equals_the_definition(hypothesis: list[str], reference: list[str]) -> None:
    row = TranslationEditRate().statistics([" ".join(hypothesis)], [" ".join(reference)])[0]
    assert tuple(row[[0, 5]]) == oracle.ter(hypothesis, reference)


@settings(deadline=None)
@given(
    st.one_of(
        corpora,
        st.lists(
            st.tuples(few_words, st.lists(few_words, min_size=1, max_size=3)),
            min_size=1,
            max_size=4,
        ),
    ),
    options,
)
def test_equals_sacrebleu(segments: Segments, chosen: dict[str, Any]) -> None:
    hypotheses, references = joined(segments)
    rows = ours(chosen).statistics(hypotheses, references)
    assert rows[:, :2].tolist() == peer_rows(hypotheses, references, **chosen)


@settings(deadline=None)
@given(odd_texts, st.lists(odd_texts, min_size=1, max_size=3), options)
def test_equals_sacrebleu_on_odd_text(
    hypothesis: str, references: list[str], chosen: dict[str, Any]
) -> None:
    metric = ours(chosen)
    rows = metric.statistics([hypothesis], [references])
    peer = sacrebleu.TER(**chosen)
    score = peer.sentence_score(hypothesis, references)
    assert rows[0, :2].tolist() == [score.num_edits, score.ref_length]
    assert metric.score(rows[0]) == pytest.approx(score.score, abs=1e-9)
    theirs = str(peer.get_signature()).partition("|version")[0]
    assert metric.signature(len(references)).startswith(f"{theirs}|version:tertium")


@given(st.one_of(odd_texts, st.text(max_size=40)), options)
def test_words_are_those_of_sacrebleu(text: str, chosen: dict[str, Any]) -> None:
    lowered = text if chosen["case_sensitive"] else text.lower()
    found = tercom_texts(
        Texts([lowered]),
        normalized=chosen["normalized"],
        punctuation=not chosen["no_punct"],
        asian=chosen["asian_support"],
        original=False,
    )
    assert found[0] == TercomTokenizer(**chosen)(text.rstrip())


def altered(random: Random, words: list[str], vocabulary: int, changes: int) -> list[str]:
    """Words with blocks moved, and others dropped, added and replaced."""
    words = list(words)
    for _ in range(changes):
        place, new = random.randrange(len(words) + 1), str(random.randrange(vocabulary))
        match random.randrange(4):
            case 0:
                block = words[place : place + 5]
                del words[place : place + 5]
                at = random.randrange(len(words) + 1)
                words[at:at] = block
            case 1:
                words[place : place + 1] = [new]
            case 2:
                del words[place : place + 1]
            case _:
                words.insert(place, new)
    return words


# Around blocks of 64 words, beyond the beam of 25, beyond 1000 shifts tried, and beyond 512
# words, where the beam does all the work. (vocabulary, words of the reference, changes)
LONG = [
    (1000, 63, 12), (1000, 64, 12), (1000, 65, 12), (500, 128, 9), (500, 129, 9),
    (3000, 70, 90), (3000, 110, 120), (5, 40, 20), (2, 60, 3), (9000, 520, 8), (9000, 40, 300),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("vocabulary", "size", "changes"), LONG)
def test_long_segments_equal_sacrebleu(vocabulary: int, size: int, changes: int) -> None:
    random = Random(size)
    reference = [str(random.randrange(vocabulary)) for _ in range(size)]
    hypothesis = " ".join(altered(random, reference, vocabulary, changes))
    rows = TranslationEditRate().statistics([hypothesis], [" ".join(reference)])
    assert rows[:, :2].tolist() == peer_rows([hypothesis], [[" ".join(reference)]])


@contextmanager
def limits(length: int, distance: int, beam: int) -> Iterator[None]:
    """sacreBLEU with other limits than its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lib_ter, "_MAX_SHIFT_SIZE", length)
        patch.setattr(lib_ter, "_MAX_SHIFT_DIST", distance)
        patch.setattr(lib_ter, "_BEAM_WIDTH", beam)
        yield


@settings(deadline=None)
@given(
    st.lists(st.sampled_from("abcdefgh"), max_size=40),
    st.lists(st.sampled_from("abcdefgh"), max_size=40),
    st.integers(0, 4),
    st.integers(0, 8),
    st.integers(1, 12),
)
def test_limits(
    hypothesis: list[str], reference: list[str], length: int, distance: int, beam: int
) -> None:
    metric = TranslationEditRate(shift_length=length, shift_distance=distance, beam=beam)
    texts = [" ".join(hypothesis)], [[" ".join(reference)]]
    with limits(length, distance, beam):
        expected = peer_rows(*texts)
    assert metric.statistics(*texts)[:, :2].tolist() == expected


@pytest.mark.parametrize("behaviour", ["sacrebleu", "tercom"])
@given(few_words, few_words)
def test_alignment_tells_what_the_row_counts(
    behaviour: Any, hypothesis: list[str], reference: list[str]
) -> None:
    metric = TranslationEditRate(behaviour=behaviour)
    texts = " ".join(hypothesis), " ".join(reference)
    found = metric.align(*texts)
    row = metric.statistics([texts[0]], [texts[1]])[0]
    moves = found.alignment.moves
    counts = [found.edits, len(reference), *map(moves.count, "IDS"), len(found.shifts)]
    assert row.tolist() == counts
    words = list(hypothesis)
    for shift in found.shifts:
        block = words[shift.start : shift.start + shift.length]
        assert tuple(block) == shift.words
        del words[shift.start : shift.start + shift.length]
        words[shift.to : shift.to] = block
    assert [hypothesis[place] for place in found.order] == words
    assert [word for _, word in found.alignment.pairs if word] == words
    assert [word for word, _ in found.alignment.pairs if word] == reference


# (text, words of tercom 0.8.0, options)
ORIGINAL = [
    ("a b", ["a", "b"], {}),
    # blanks and control characters at the edges are trimmed, as by String.trim
    (" a b", ["a", "b"], {}),
    ("a b ", ["a", "b"], {}),
    ("\x01 a\x02b\t\x1f", ["a\x02b"], {}),
    (" \t ", [], {}),
    # once more after normalization, before punctuation goes: what becomes empty is an empty word
    (" a. ", ["a", "."], {"normalized": True}),
    (". a", [".", "a"], {"normalized": True}),
    (".", [""], {"normalized": True, "punctuation": False}),
    (" . a ", ["", "a"], {"normalized": True, "punctuation": False}),
    # the end of a text is like a blank: what is cut off before one is cut off there
    ("in 1990.", ["in", "1990", "."], {"normalized": True}),
    ("it is joe's", ["it", "is", "joe", "'s"], {"normalized": True}),
    ("1990-", ["1990", "-"], {"normalized": True}),
    (".5 a", [".", "5", "a"], {"normalized": True}),
    # an empty word where punctuation stood at the beginning, or alone
    (". a", ["", "a"], {"punctuation": False}),
    ("...", [""], {"punctuation": False}),
    ("! ?", [], {"punctuation": False}),
    ("", [], {"punctuation": False}),
    ("(a) b.", ["a", "b"], {"punctuation": False}),
    # only blanks of ASCII end a word
    ("a\u00a0b c\td", ["a\u00a0b", "c", "d"], {}),
    # hyphens at a line's end, markup of skipped parts
    ("in-\nlaw <skipped>b", ["inlaw", "b"], {"normalized": True}),
    # kana are cut off
    (
        "あいアイ漢字a",
        ["あい", "アイ", "漢", "字", "a"],
        {"normalized": True, "asian_support": True},
    ),
]


@pytest.mark.parametrize(("text", "words", "chosen"), ORIGINAL)
def test_words_of_tercom(text: str, words: list[str], chosen: dict[str, Any]) -> None:
    metric = TranslationEditRate(behaviour="tercom", **chosen)
    found = metric.align(text, "")
    assert [word for _, word in found.alignment.pairs] == words


def test_references_are_cut_twice_as_by_sacrebleu() -> None:
    texts = ["my in-law's, she said"], ["my in-law's, she said"]
    rows = TranslationEditRate(normalized=True).statistics(*texts)
    original = TranslationEditRate(normalized=True, behaviour="tercom").statistics(*texts)
    assert rows[0, :2].tolist() == peer_rows(texts[0], [texts[1]], normalized=True)[0] == [2, 6]
    assert original[0, :2].tolist() == [0, 5]


@pytest.mark.parametrize(
    ("rows", "scores"),
    [
        ([[3, 12.0], [0, 0], [2, 0], [5, 4]], [25.0, 0.0, 100.0, 125.0]),
        ([10, 16.0], 62.5),
    ],
)
def test_score(rows: list[Any], scores: Any) -> None:
    full = np.zeros((*np.shape(rows)[:-1], 6))
    full[..., :2] = rows
    assert TranslationEditRate().score(full).tolist() == scores


@pytest.mark.slow
def test_a_very_long_line() -> None:
    words = [str(place % 1009) for place in range(300_000)]
    moved = [*words[3:7], *words[:3], *words[7:200_000], "new", *words[200_001:]]
    rows = TranslationEditRate().statistics([" ".join(moved)], [" ".join(words)])
    assert rows[0].tolist() == [2, len(words), 0, 0, 1, 1]


def test_signature_and_text_lead_back() -> None:
    metric = TranslationEditRate(
        case_sensitive=True, punctuation=False, behaviour="tercom", beam=30, shift_length=3
    )
    expected = "nrefs:2|case:mixed|tok:tercom|norm:no|punct:no|asian:no|behaviour:tercom"
    assert metric.signature(2).startswith(f"{expected}|shift_length:3|beam:30|version:tertium")
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"ter|{metric.signature(2)}") == metric


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shift_length": -1}, "ter: found shift_length -1, expected at least 0"),
        ({"shift_distance": -1}, "ter: found shift_distance -1, expected at least 0"),
        ({"beam": 0}, "ter: found beam 0, expected at least 1"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=re.escape(message)):
        TranslationEditRate(**options)
