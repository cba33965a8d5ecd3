"""A metric's text: what it sets itself, what it leaves open, and the way back to the text."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric, Rows, Scores, option
from tertium.metrics.contract.options import quoted, split, unquoted
from tertium.metrics.contract.spec import Spec
from tertium.metrics.contract.table import METRICS, parse_metric, parse_spec
from tertium.text.references import AnyReferences, Hypotheses
from tertium.text.tokenizers import WHITESPACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Command(Metric):
    """A metric whose options are any text."""

    name: ClassVar[str] = "command"
    title: ClassVar[str] = "Command"
    summary: ClassVar[str] = ""
    citation: ClassVar[str] = ""

    run: str = option("", "a command line")
    label: str | None = option(None, "what to call it")
    parts: tuple[str, ...] = option((), "texts")
    numbers: tuple[float, ...] = option((), "numbers")
    lower: bool = option(False, "a word")

    @property
    def columns(self) -> tuple[str, ...]:
        return ("nothing",)

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        return np.zeros((len(hypotheses), 1))

    def score(self, rows: Rows) -> Scores:
        return rows[..., 0]


TABLE: Mapping[str, type[Metric]] = {"command": Command}


def parsed(text: str) -> Spec:
    return Spec.parse(text, TABLE)


# ---- what a text sets -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("bleu", []),
        ("bleu[tokenizer=13a,order=2]", ["tokenizer", "order"]),
        (" bleu[ reference-length = average ] ", ["reference_length"]),
        (
            "BLEU|nrefs:1|case:lc|eff:no|tok:13a|smooth:exp",
            ["lowercase", "effective_order", "tokenizer", "smoothing"],
        ),
        ("chrF2++|#:1|c:lc|s:no", ["lowercase", "whitespace", "word_order", "beta"]),
        ("chrf++", ["word_order"]),
        ("TER|#:1|c:lc|t:tercom|nr:no|v:x", ["case_sensitive", "words", "normalized"]),
        ("bleu[smoothing=floor[0.1],order=2]", ["smoothing", "order"]),
    ],
)
def test_options_that_a_text_sets(text: str, given: list[str]) -> None:
    spec = parse_spec(text)
    assert [name for name, _ in spec.given] == given
    assert all(spec.sets(name) for name in given)
    assert not spec.sets("punctuation")


def test_defaults_are_for_what_is_left_open_and_fits() -> None:
    assert parse_spec("amber").build(tokenizer=WHITESPACE).spec == "amber[tokenizer=none]"
    assert parse_spec("bleu[tokenizer=13a]").build(tokenizer=WHITESPACE).spec == "bleu"
    assert parse_spec("BLEU|tok:13a").build(tokenizer=WHITESPACE).spec == "bleu"
    assert parse_spec("ter").build(tokenizer=WHITESPACE) == parse_metric("ter")
    # A word in a value is no option.
    metric = parse_spec("nee[annotations=tokenizer.jsonl]")
    assert not metric.sets("tokenizer")
    assert metric.build(unit="segment", annotations="other").spec == (
        "nee[unit=segment,annotations=tokenizer.jsonl]"
    )


@pytest.mark.parametrize("name", METRICS)
def test_a_name_alone_sets_nothing(name: str) -> None:
    spec = parse_spec(name)
    assert (spec.given, str(spec), spec.metric) == ((), name, METRICS[name])
    assert spec == parse_spec(f"{name}[]")
    assert hash(spec) == hash(parse_spec(name.upper()))


# ---- quotes ---------------------------------------------------------------------------------


def test_a_command_line_as_a_value() -> None:
    text = r'command[run="python score.py --a=1,2 \"x [y\" | sort",label=X]'
    spec = parsed(text)
    assert spec.given == (
        ("run", 'python score.py --a=1,2 "x [y" | sort'),
        ("label", "X"),
    )
    assert str(spec) == text
    assert parsed(f"command|run:{text[12:-9]}|label:X|nrefs:1") == spec
    assert parsed("command[run=python -m score,label=none]").given == (
        ("run", "python -m score"),
        ("label", None),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('command[run="a]', "found no closing quote"),
        ("command[run=a[b]", "found no closing ']'"),
        ("command[run=a]]", "found ']' without '['"),
        ("command[run=a]b", "found no closing ']'"),
        (r'command[run="a\"]', "found no closing quote"),
        ("command[run=a,run=b]", "option 'run' given twice"),
        ("command[rum=a]", "did you mean 'run'?"),
        ("run:a|label:b", "found a signature without the metric's name"),
        ('command[numbers="1+x"]', "option numbers: found '\"1+x\"', expected a number joined by"),
        ("comand[run=a]", "comand"),
    ],
)
def test_errors_are_one_line(text: str, message: str) -> None:
    with pytest.raises((OptionError, KeyError)) as error:
        parsed(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


texts = st.text(
    alphabet=st.sampled_from("ab \"\\,=|[]+:'\n*") | st.characters(exclude_categories=["Cs"])
)
finite = st.floats(allow_nan=False, allow_infinity=False)


@given(
    run=texts,
    label=st.none() | texts | st.just("none"),
    parts=st.lists(texts).map(tuple),
    numbers=st.lists(finite).map(tuple),
    lower=st.booleans(),
)
def test_any_values_come_back(
    run: str, label: str | None, parts: tuple[str, ...], numbers: tuple[float, ...], lower: bool
) -> None:
    """By the text of the spec, by that of the metric, and by its signature."""
    metric = Command(run=run, label=label, parts=parts, numbers=numbers, lower=lower)
    spec = Spec(
        metric=Command,
        given=tuple((one.name, getattr(metric, one.name)) for one in metric.options),
    )
    assert parsed(str(spec)) == spec
    assert parsed(str(spec)).build() == metric
    assert parsed(metric.spec).build() == metric
    assert parsed(f"command|{metric.signature()}").build() == metric


@given(st.lists(texts, min_size=1))
def test_quoted_parts_come_back(parts: list[str]) -> None:
    assert [unquoted(one) for one in split(",".join(map(quoted, parts)), ",")] == parts


@given(st.text())
def test_any_text_is_a_spec_or_an_error(text: str) -> None:
    try:
        spec = parsed(f"command[{text}]")
    except OptionError:
        return
    assert parsed(str(spec)) == spec
