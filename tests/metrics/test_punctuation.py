"""Words without punctuation, for every metric over words."""

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import Metric
from tertium._native import Texts, tokenize
from tertium.decode.mbr.matrix import utility_matrix
from tertium.decode.oracle.candidates import rate_of
from tertium.metrics.contract.degenerate import own_metrics
from tertium.metrics.contract.options import options_of
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.metrics.contract.word_metric import WordMetric
from tertium.text.tokenizers import NATIVE, Tokenizer
from tests.support.commands import output

pytestmark = pytest.mark.slow

WORD_METRICS = [
    name
    for name in METRICS
    if issubclass(METRICS[name], WordMetric) and METRICS[name].segment_form == "plain text"
]
MARKED = ["Wait , he said : « no » !", "It 's 3% ... or $ 5 — maybe :-) ok"]
BARE = ["Wait he said no", "It 's 3% or 5 maybe ok"]


def is_punctuation(word: str) -> bool:
    return all(unicodedata.category(character)[0] in "PS" for character in word)


@pytest.mark.parametrize("name", NATIVE)
@given(text=st.text(st.sampled_from("ab1 .,!$€%«—-'`…、。好Ω😀\u0301")))
def test_tokens_of_punctuation_and_symbols_go(name: str, text: str) -> None:
    column = Texts([text])
    kept = tokenize(name, column)[0]
    left = tokenize(Tokenizer(name, punctuation=False).native_name, column)[0]
    assert left == [word for word in kept if not is_punctuation(word)]


def test_which_metrics_have_the_option() -> None:
    without = {"chrf", "nee", "meteor", "meteor-0.6", "maxsim", "tesla-m", "entailment"}
    without |= {name for name in METRICS if name.startswith("rouge")}
    options = {name: {one.name for one in options_of(METRICS[name])} for name in own_metrics()}
    assert {name for name, some in options.items() if "punctuation" in some} == (
        set(options) - without
    )
    assert len(WORD_METRICS) == 10


@pytest.mark.parametrize("name", [*WORD_METRICS, "amber", "amber-basic"])
def test_marks_make_no_difference(name: str) -> None:
    metric: Metric = parse_metric(f"{name}[punctuation=no,tokenizer=none]")
    references = ["Wait he said yes", "It 's 3% or 6 maybe ok"]
    bare = tertium.score(BARE, references, metric, segments=True)
    marked = tertium.score(MARKED, references, metric, segments=True)
    assert marked.segments is not None
    assert bare.segments is not None
    assert marked.value == bare.value
    assert marked.segments.tolist() == bare.segments.tolist()
    questions = [f"{one} ?" for one in references]
    assert tertium.score(MARKED, questions, metric).value == bare.value
    keeping = metric.with_options(punctuation=True)
    assert tertium.score(MARKED, questions, keeping).value != bare.value


@pytest.mark.parametrize("name", [*WORD_METRICS, "lrscore", "amber"])
def test_the_signature_says_so(name: str) -> None:
    metric = parse_metric(f"{name}[punctuation=no]")
    assert metric.spec == f"{name}[punctuation=no]"
    assert "|punct:no|" in metric.signature()
    assert parse_metric(f"{name}|{metric.signature()}") == metric
    assert metric.with_options(punctuation=True) == parse_metric(name)
    assert "punct:" not in parse_metric(name).signature()


def test_own_tokenizers_too() -> None:
    letters = Tokenizer("letters", " ".join)
    metric = parse_metric("wer[punctuation=no]").with_options(tokenizer=letters)
    assert tertium.score(["a,b!"], ["ab"], metric).value == 0


def test_explanations_show_the_words_that_count() -> None:
    metric = parse_metric("wer[punctuation=no]")
    lines = metric.trace("Wait, no!", ["Wait no"])
    assert lines == ["REF: Wait no", "HYP: Wait no"]


def test_a_comparison_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, text in (("ref", "a b c\nd e"), ("one", "a , b c\nd e !"), ("two", "a b x\nd f")):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    reference, *systems = (str(tmp_path / name) for name in ("ref", "one", "two"))
    metric = "bleu[punctuation=no,tokenizer=none]"
    shown = output(capsys, "compare", reference, "-i", *systems, "-m", metric)
    assert "tokenized with none, without punctuation" in shown


@pytest.mark.parametrize("spec", ["wer", "wrr", "grr"])
def test_an_oracle_keeps_the_option(spec: str) -> None:
    rate = rate_of(parse_metric(f"{spec}[punctuation=no]"))
    assert rate is not None
    assert not rate.punctuation


@pytest.mark.parametrize("spec", ["bleu", "bleu-sbp", "wer", "per", "grr", "nist"])
def test_utilities_see_no_punctuation(spec: str) -> None:
    metric = parse_metric(f"{spec}[punctuation=no]").for_segments()
    found = utility_matrix(metric, MARKED, ["Wait he said yes", "It 's 3% or 6"])
    bare = utility_matrix(metric, BARE, ["Wait, he said: yes!", "It 's 3% or 6"])
    np.testing.assert_allclose(found, bare)
