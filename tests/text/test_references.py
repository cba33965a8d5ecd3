"""References as they come from Python: any script, any shape, and what is refused."""

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium._native import AmberReferences, RougeReferences, Texts, TokenizedReferences
from tertium.errors import InputError
from tertium.text.references import References

rows = st.lists(st.lists(st.none() | st.text(max_size=9), min_size=1, max_size=4), max_size=6)
EDGES = (0, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)


@given(rows)
def test_rows_come_back(given_rows: list[list[str | None]]) -> None:
    kept = [row for row in given_rows if any(text is not None for text in row)]
    references = References.of(kept)
    expected = [[text for text in row if text is not None] for row in kept]
    assert [references.of_segment(i) for i in range(len(kept))] == expected
    assert len(references.columns) == max(map(len, kept), default=1)


@pytest.mark.parametrize("widest", EDGES)
def test_characters_of_every_width(widest: int) -> None:
    """Python keeps strings in one, two or four bytes a character, by the widest."""
    text = "".join(chr(code) for code in EDGES if code <= widest) * 3
    assert References.of([text, [text, f"a{text}"]]).of_segment(1) == [text, f"a{text}"]


@pytest.mark.slow
@pytest.mark.parametrize("planes", [1, 17])
def test_every_character_there_is(planes: int) -> None:
    codes = [code for code in range(planes * 0x10000) if not 0xD800 <= code < 0xE000]
    texts = ["".join(map(chr, codes[at : at + 1000])) for at in range(0, len(codes), 1000)]
    assert References.of(texts).columns[0].to_list() == texts


@given(st.text(st.sampled_from("a é\xffשא中क0😀"), max_size=70))
def test_scripts_that_change_within_a_text(text: str) -> None:
    """Characters are written many at once, whatever lengths they have."""
    without = text.replace("😀", "")
    latin = without.encode("latin-1", "ignore").decode("latin-1")
    assert References.of([text, without, latin]).columns[0].to_list() == [text, without, latin]


@pytest.mark.parametrize("place", range(20))
def test_a_lone_surrogate_anywhere(place: int) -> None:
    with pytest.raises(InputError, match="segment 1: a lone surrogate"):
        References.of([place * "中" + "\udc80" + (19 - place) * "a"])


@pytest.mark.parametrize("neighbour", ["", "a", "é", "ש", "中", "😀"])
@pytest.mark.parametrize("code", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_a_lone_surrogate_is_refused(neighbour: str, code: int) -> None:
    bad = f"{neighbour}{chr(code)}{neighbour}"
    with pytest.raises(InputError, match="references: segment 2: a lone surrogate"):
        References.of(["a", ["b", bad]])
    with pytest.raises(InputError, match="segment 1: a lone surrogate"):
        tertium.score([bad], ["b"])


def test_entries_of_any_kind_of_sequence() -> None:
    def entries() -> Iterator[str]:
        yield "ג"
        yield "ד"

    references = References.of(("א", ("ב", None), entries()))  # type: ignore[arg-type]
    assert [references.of_segment(i) for i in range(3)] == [["א"], ["ב"], ["ג", "ד"]]


def test_an_entry_that_shortens_the_list() -> None:
    given_rows: list[object] = []

    def entries() -> Iterator[str]:
        yield "a"
        del given_rows[1:]

    given_rows += [entries(), "b", "c"]
    assert len(References.of(given_rows)) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("text", "references: found one string, expected one entry per segment"),
        (["a", []], "segment 2: no reference, expected at least one"),
        (["a", [None, None]], "segment 2: no reference, expected at least one"),
        (["a", ["b", 3]], "references: segment 2: found int, expected str or None"),
        (
            ["a", 3],
            "references: segment 2: found int, expected a string or a list of strings",
        ),
        (3, "references: found int, expected a list of segments"),
    ],
)
def test_refused(bad: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        References.of(bad)  # type: ignore[arg-type]
    assert str(caught.value) == message


# Tokens of 14 to 17 bytes, and those that differ in nothing but their last byte or their length.
WORDS = st.sampled_from(
    ["a", "a\0", "a\0\0", "ab", "é", "ש", "中", "中中", "😀", "😁", ".", "1", "1.5", "\u3000"]
    + [f"{'x' * length}{last}" for length in range(5, 18) for last in "yz"]
    + [f"{'क' * length}{last}" for length in range(2, 7) for last in "खग"]
)
LINES = st.lists(WORDS, max_size=20).map(" ".join)


@given(st.lists(st.tuples(LINES, LINES, LINES), min_size=1, max_size=4))
def test_references_that_are_kept_count_as_those_that_are_not(
    given_rows: list[tuple[str, str, str]],
) -> None:
    hypotheses = [row[0] for row in given_rows]
    columns = [Texts([row[k] for row in given_rows]) for k in (1, 2)]
    for options in ("none", "13a", "intl", "char", "char,punctuation=no", "zh"):
        for name in ("bleu", "gtm"):
            metric = tertium.parse_metric(f"{name}[tokenizer={options}]")
            kept, passing = (
                metric.statistics(hypotheses, References(columns, reused=reused))
                for reused in (True, False)
            )
            assert (kept == passing).all()


NATIVE: list[Callable[[list[Texts]], object]] = [
    lambda columns: AmberReferences(columns, 4, None),
    lambda columns: AmberReferences(columns, 4, ["the"]),
    lambda columns: RougeReferences(columns, "ascii"),
    lambda columns: TokenizedReferences(columns, "13a"),
    lambda columns: TokenizedReferences(columns, "none", reused=False),
]


@pytest.mark.parametrize("made", NATIVE)
@pytest.mark.parametrize("sizes", [(3, 2), (2, 3), (2, 2, 1), (1, 0)])
def test_reference_sets_of_unequal_lengths_never_reach_a_kernel(
    made: Callable[[list[Texts]], object], sizes: tuple[int, ...]
) -> None:
    columns = [Texts(["a b"] * size) for size in sizes]
    number = next(i for i, size in enumerate(sizes) if size != sizes[0])
    message = f"reference set {number + 1}: {sizes[number]} segments, expected {sizes[0]}"
    with pytest.raises(ValueError, match=message):
        made(columns)
    with pytest.raises(ValueError, match="no references, expected at least one set"):
        made([])
