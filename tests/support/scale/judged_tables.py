"""What every adapter owes, whatever engine holds the table: asked of each by its own tests."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

import tertium
from tertium.errors import InputError, OptionError
from tertium.scale.adapters.adapter import Adapter

_WORDS: Final = ("the", "a", "cat", "sat", "on", "mat", "ran", ",", ".", "قطة", "猫", "が", "naïve")
_RANDOM: Final = random.Random(20)


def _text(least: int = 1) -> str:
    return " ".join(_RANDOM.choices(_WORDS, k=_RANDOM.randint(least, 12)))


HYPOTHESES: Final = [_text(0) for _ in range(1500)]
REFERENCES: Final = [[_text() for _ in range(_RANDOM.choice((1, 3)))] for _ in HYPOTHESES]
"""Lengths averaged over three references are not whole: sums of them depend on the order."""
SINGLE: Final = [several[0] for several in REFERENCES]
COLUMNS: Final[dict[str, Sequence[Any]]] = {
    "number": range(len(HYPOTHESES)),
    "mt": HYPOTHESES,
    "refs": REFERENCES,
    "ref": SINGLE,
}
WITH_NULLS: Final[dict[str, Sequence[Any]]] = {
    "mt": ["a cat", None, "a dog ran away today", "x"],
    "refs": [["a cat"], ["x"], ["a dog ran off", "a dog"], None],
}
EXACT: Final = ("bleu", "chrf", "ter", "ribes", "bleu[reference_length=average]")

Read = Callable[[Any], list[dict[str, Any]]]
"""How an engine's table becomes records, in any order."""


def expect_columns(adapter: Adapter, table: Any, read: Read) -> None:
    """Scores and statistics beside the columns that were there, as the library computes them."""
    metrics = {"bleu": "bleu", "errors": "wer"}
    judged = sorted(read(adapter.scores(table, metrics, hypotheses="mt", references="refs")),
                    key=lambda record: record["number"])  # fmt: skip
    assert [record["number"] for record in judged] == [*COLUMNS["number"]]
    for name, metric in metrics.items():
        expected = tertium.score(HYPOTHESES, REFERENCES, metric, segments=True).segments
        assert expected is not None
        assert [record[name] for record in judged] == expected.tolist()
        assert [list(record["refs"]) for record in judged] == REFERENCES
    rows = sorted(read(adapter.statistics(table, "chrf", hypotheses="mt", references="ref")),
                  key=lambda record: record["number"])  # fmt: skip
    expected = tertium.parse_metric("chrf").statistics(HYPOTHESES, SINGLE)
    assert [list(record["chrf_statistics"]) for record in rows] == expected.tolist()


def expect_score(adapter: Adapter, table: Any) -> None:
    """The score of all of the table has the bits of `tertium.score`."""
    for metric in EXACT:
        found = adapter.score(table, metric, hypotheses="mt", references="refs")
        expected = tertium.score(HYPOTHESES, REFERENCES, metric)
        assert found.statistics.tolist() == expected.statistics.tolist(), metric
        assert found.value == expected.value, metric
        assert found.signature == expected.signature, metric


def expect_nulls(adapter: Adapter, table: Any, read: Read) -> None:
    """A row without texts has no score, and a table with such rows none as a whole."""
    records = read(adapter.scores(table, "wer", hypotheses="mt", references="refs"))
    long = tertium.score(["a dog ran away today"], [["a dog ran off", "a dog"]], "wer").value
    expected = {"a cat": 0.0, None: None, "a dog ran away today": long, "x": None}
    assert {record["mt"]: record["wer"] for record in records} == expected
    with pytest.raises(InputError, match=r"^table: found 2 rows of 4 without a hypothesis or with"):
        adapter.score(table, "wer", hypotheses="mt", references="refs")


def expect_refusals(adapter: Adapter, table: Any) -> None:
    """What cannot be is said in one line."""
    for ask in (adapter.score, adapter.scores, adapter.statistics):
        with pytest.raises(InputError, match=r"^hypotheses: found no column 'MT', expected one"):
            ask(table, "bleu", hypotheses="MT", references="ref")
        with pytest.raises(OptionError, match="did you mean 'bleu'"):
            ask(table, "blue", hypotheses="mt", references="ref")
        with pytest.raises(OptionError, match=r"^nist: found a metric that has not seen the refer"):
            ask(table, "nist", hypotheses="mt", references="ref")
    with pytest.raises(InputError, match=r"^column 'number': found it twice, expected another"):
        adapter.scores(table, {"number": "bleu"}, hypotheses="mt", references="ref")
    with pytest.raises(InputError, match=r"^column 'bleu': found it twice"):
        adapter.scores(table, ["bleu", "bleu"], hypotheses="mt", references="ref")
    with pytest.raises(OptionError, match=r"^metrics: found none"):
        adapter.scores(table, [], hypotheses="mt", references="ref")
    with pytest.raises(InputError, match=r"^hypotheses: found a column of Arrow's format 'l', exp"):
        adapter.score(table, "bleu", hypotheses="number", references="ref")


def expect_nothing(adapter: Adapter, table: Any, read: Read) -> None:
    """A table without rows has columns, and no score."""
    assert read(adapter.scores(table, "bleu", hypotheses="mt", references="ref")) == []
    with pytest.raises(InputError, match=r"^references: 0 segments, expected at least one"):
        adapter.score(table, "bleu", hypotheses="mt", references="ref")
