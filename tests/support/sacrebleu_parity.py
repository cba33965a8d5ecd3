"""What the tests of ``tertium.compat.sacrebleu`` share: random corpora, and what is the same."""

# ruff: noqa: SLF001 - sacreBLEU has no public names for mean and interval

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest
import sacrebleu
from hypothesis import settings
from hypothesis import strategies as st

import tertium

theirs: Any = sacrebleu  # its annotations allow neither None as a reference nor wrong arguments

Corpus = tuple[list[str], list[list[str | None]]]

# Punctuation, figures, entities, letters that grow when lower-cased, scripts, odd spaces.
WORDS = (
    *("the", "The", "a", "house", "Haus", "stands", "stood", "it's", "3.5", "1,000", "$5", "."),
    *(",", "!", "...", "&amp;", "&quot;", "<skipped>", "İ", "ß", "你好", "…", "ный", "\u00a0", "-"),
)

relaxed = settings(deadline=None)  # sacreBLEU's first call imports, and machines are shared

words = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)

# Few different words, so that whole blocks stand elsewhere and are shifted; markup and marks of
# punctuation that tercom's rules take apart, and Chinese and Japanese for `asian_support`.
movable = st.lists(st.sampled_from([*"abcde,", "The", "the", "mat.", "it's"]), max_size=24)
marked = st.lists(
    st.sampled_from([*WORDS, "in-law's,", "&lt;b&gt;", "3-4", "(a)", "你，好。", "ひらカタ", "、"]),
    max_size=9,
)
richer = st.one_of(movable, marked).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn, text: st.SearchStrategy[str] = words, most: int = 5) -> Corpus:
    """Hypotheses and one to three reference sets, some references equal, some missing."""
    hypotheses = draw(st.lists(text, min_size=1, max_size=most))
    rows = []
    for hypothesis in hypotheses:
        row = draw(st.lists(text | st.just(hypothesis) | st.none(), min_size=3, max_size=3))
        rows.append([draw(text) if row[0] is None else row[0], *row[1:]])
    sets = draw(st.integers(1, 3))
    order = draw(st.permutations(range(sets)))
    return hypotheses, [[row[k] for row in rows] for k in order]


def as_ours(text: str) -> str:
    """Their text with our version in it."""
    return text.replace(theirs.__version__, f"tertium-{tertium.__version__}")


def parameters(function: Callable[..., object]) -> list[tuple[object, ...]]:
    """Names, order, kinds and defaults."""
    listed = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, one.default) for one in listed]


def assert_same_score(expected: Any, found: Any) -> None:
    """Equal in every bit, but for the perfect score, and in every printed form."""
    fields = [name for name in vars(expected) if name != "score" and not name.startswith("_")]
    for name in fields:
        # What is shown tells types apart: counts are whole numbers.
        assert f"{name}: {getattr(found, name)!r}" == f"{name}: {getattr(expected, name)!r}"
    perfect = found.score == 100.0
    assert found.score == (pytest.approx(expected.score, abs=1e-12) if perfect else expected.score)
    assert (found._mean, found._ci) == (expected._mean, expected._ci)
    assert (str(found), repr(found)) == (str(expected), repr(expected))
    for width in (0, 1, 4):
        assert found.format(width=width) == expected.format(width=width)
        assert found.format(width, True) == expected.format(width, True)
        assert found.format(width, False, "a:b|c:d") == expected.format(width, False, "a:b|c:d")
        as_json = expected.format(width, signature="a:b|c:d", is_json=True)
        assert found.format(width, signature="a:b|c:d", is_json=True) == as_json


def sacrebleu_part(signature: str) -> str:
    """Our signature without what sacreBLEU leaves out: orders, a beta, more than two digits."""
    shown = re.sub(r"(?<=\|)(order|beta):[^|]*\|", "", signature)
    return re.sub(r"\[(\d+\.\d+)\]", lambda value: f"[{float(value[1]):.2f}]", shown)


def assert_same_signature(expected: Any, found: Any) -> None:
    """Equal but for the version, and for what only ours shows."""
    for short in (False, True):
        text = sacrebleu_part(found.get_signature().format(short=short))
        assert text == as_ours(expected.get_signature().format(short=short))
    assert str(found.get_signature()) == repr(found.get_signature())
    assert sacrebleu_part(str(found.get_signature())) == as_ours(str(expected.get_signature()))
