"""Python users bring lists of strings; every entry point takes them."""

from collections.abc import Callable

import pytest

import tertium
from tertium.errors import InputError

REFERENCES = [["The cat sat on the mat.", "A cat was on the mat."], "It slept.", ["Nobody came."]]
FIRST = ["The cat sat on a mat.", "It was asleep.", "Nobody came."]
SECOND = ["A cat sat on the mat.", "It slept.", "None came."]


@pytest.fixture
def corpus() -> tertium.Corpus:
    return tertium.Corpus(
        references=REFERENCES,
        sources=["Die Katze saß auf der Matte.", "Sie schlief.", "Niemand kam."],
        documents=["a", "a", "b"],
        genres=["news", "news", "web"],
    )


@pytest.fixture
def systems() -> list[tertium.System]:
    return [
        tertium.System(name="first", hypotheses=FIRST),
        tertium.System(name="second", hypotheses=tuple(SECOND)),
    ]


@pytest.mark.parametrize(
    "call",
    [tertium.evaluate, tertium.compare, tertium.audit, tertium.study, tertium.explain],
    ids=lambda call: call.__name__,
)
def test_every_entry_point_takes_lists(
    call: Callable[..., object], corpus: tertium.Corpus, systems: list[tertium.System]
) -> None:
    metrics = "bleu" if call is tertium.explain else ["bleu", "wer"]
    assert call(corpus, systems, metrics) is not None


def test_lists_and_native_columns_score_alike(
    corpus: tertium.Corpus, systems: list[tertium.System]
) -> None:
    found = tertium.evaluate(corpus, systems, ["bleu"])
    values = [system.scores[0].value for system in found.systems]
    assert values == [tertium.score(one, REFERENCES).value for one in (FIRST, SECOND)]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: tertium.System(name="s", hypotheses="one text"), "s: found one string"),
        (lambda: tertium.System(name="s", hypotheses=["a", None]), "s: found None"),  # type: ignore[list-item]
        (lambda: tertium.System(name="s", hypotheses=[1]), "s: "),  # type: ignore[list-item]
        (lambda: tertium.Corpus(references="one text"), "references: found one string"),
        (lambda: tertium.Corpus(references=["a"], genres="n"), "genres: found one string"),
        (lambda: tertium.Corpus(references=["a"], genres=["n", "w"]), "2 genres, expected 1"),
        (lambda: tertium.Corpus(references=["a"], sources=[]), "0 sources, expected 1"),
    ],
)
def test_what_is_no_list_of_segments_is_refused(make: Callable[[], object], expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        make()
