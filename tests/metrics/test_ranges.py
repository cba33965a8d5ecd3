"""No metric leaves the range that it declares, whatever its options and texts."""

from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tertium
from tertium import Metric, OptionError
from tertium.metrics.contract.degenerate import TEXT, in_form, own_metrics
from tertium.metrics.contract.options import Option, options_of
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.metrics.ngram.bleu import Smoothing
from tertium.text.tokenizers import NATIVE, Tokenizer
from tests.support.effort import examples

pytestmark = pytest.mark.slow

NUMBERS = st.one_of(
    st.floats(-0.5, 3),
    st.sampled_from([0.0, 1.0, 1e-300, 1e300, float("inf"), -float("inf"), float("nan")]),
)
SMOOTHINGS = st.builds(
    lambda method, value: f"{method}[{value}]",
    st.sampled_from(["floor", "add-k"]),
    NUMBERS,
) | st.sampled_from(["none", "exp", "lin-och"])
TEXTS = st.lists(
    st.sampled_from(["the", "cat", "sat", "a", "longerword", "?", ".", "Ω"]), max_size=7
).map(" ".join)
CORPORA = st.lists(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=3)), max_size=4)
# Options that name things outside: they decide no more than which words are equal.
OUTSIDE = {"pipeline", "synonyms", "phrases", "stop_words", "table", "resources", "folder"}
OUTSIDE |= {"paraphrases", "language", "function_words", "annotations", "ner", "types", "unit"}


def values_of(one: Option) -> st.SearchStrategy[Any] | None:
    """Values of an option, sensible and not; nothing if it is no matter of choice."""
    annotation = one.annotation
    simple: dict[Any, st.SearchStrategy[Any]] = {
        bool: st.booleans(),
        int: st.integers(-1, 7),
        float: NUMBERS,
        Tokenizer: st.sampled_from(NATIVE).map(Tokenizer),
        Smoothing: SMOOTHINGS,
    }
    if one.name in OUTSIDE:
        return None
    if annotation in simple:
        return simple[annotation]
    if get_origin(annotation) is Literal:
        return st.sampled_from(get_args(annotation))
    if get_origin(annotation) is tuple and get_args(annotation)[0] is float:
        return st.tuples(*[NUMBERS] * 4) | st.lists(NUMBERS, min_size=1, max_size=5).map(tuple)
    return None


@st.composite
def metrics(draw: st.DrawFn, name: str) -> Metric:
    """A metric with up to three of its options changed, if it agrees to them."""
    choices = {
        one.name: values
        for one in options_of(METRICS[name])
        if (values := values_of(one)) is not None
    }
    changed = draw(st.lists(st.sampled_from(sorted(choices)), unique=True, max_size=3))
    try:
        metric = parse_metric(name).with_options(**{one: draw(choices[one]) for one in changed})
    except OptionError:
        assume(False)
    return metric


@pytest.mark.parametrize("name", own_metrics())
@given(data=st.data(), corpus=CORPORA)
@settings(max_examples=examples(40), deadline=None)
def test_scores_stay_within_the_limits(
    name: str, data: st.DataObject, corpus: list[tuple[str, list[str]]]
) -> None:
    problem = METRICS[name].missing()
    if problem:
        pytest.skip(problem)
    metric = data.draw(metrics(name))
    whole = [*corpus, (TEXT, [TEXT])]
    hypotheses = [in_form(metric, text) for text, _ in whole]
    references = [[in_form(metric, one, reference=True) for one in texts] for _, texts in whole]
    fitted = metric.fit(references)
    rows = fitted.statistics(hypotheses, references)
    assert np.isfinite(rows).all()
    low, high = metric.limits
    for scores in (fitted.score(rows.sum(axis=0)), fitted.for_segments().score(rows)):
        assert np.isfinite(scores).all()
        assert (scores >= low - 1e-9).all()
        assert (scores <= high + 1e-9).all()


def test_limits_follow_the_options() -> None:
    assert parse_metric("bleu").limits == (0, 100)
    assert parse_metric("nist").limits == (0, np.inf)
    assert parse_metric("ter").limits == (0, np.inf)
    assert parse_metric("wrr").limits == (-np.inf, 100)
    assert parse_metric("grr").limits == (-np.inf, 100)
    assert parse_metric("grr[alpha=-0.9,beta=1]").limits == (-np.inf, np.inf)
    assert parse_metric("terp").limits == (0, 100)
    assert parse_metric("terp[capped=no]").limits == (0, np.inf)


@pytest.mark.parametrize("name", ["bleu", "bleu-sbp", "lrscore"])
@pytest.mark.parametrize(
    "weights", ["1+-1+0+0", "3+-1+-1+0", "0+0+0+0", "nan+1+1+1", "inf+1+1+1", "1e308+1e308+0+0"]
)
def test_weights_are_shares(name: str, weights: str) -> None:
    with pytest.raises(OptionError, match=r"expected finite numbers from 0 on, not all 0"):
        parse_metric(f"{name}[weights={weights}]")


HYPOTHESES = ["the cat sat on a mat today", "a dog"]
REFERENCES = ["the cat sat on the mat", "a dog barks"]


@pytest.mark.parametrize("mean", ["geometric", "arithmetic"])
@pytest.mark.parametrize("name", ["bleu", "bleu-sbp"])
def test_only_the_proportion_of_weights_counts(name: str, mean: str) -> None:
    def scores(weights: str) -> list[float]:
        spec = f"{name}[mean={mean}{weights}]"
        found = tertium.score(HYPOTHESES, REFERENCES, spec, segments=True)
        assert found.segments is not None
        return [found.value, *found.segments.tolist()]

    assert scores(",weights=1+1+1+1") == scores("")
    assert scores(",weights=4+2+2+2") == pytest.approx(scores(",weights=0.4+0.2+0.2+0.2"))
    assert scores(",weights=4+2+2+2") != pytest.approx(scores(""))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu[smoothing=floor[1.5]]", "smoothing floor: found 1.5, expected a number from 0 to 1"),
        ("bleu[smoothing=floor[nan]]", "smoothing floor: found nan, expected a number from 0 to 1"),
        ("bleu[smoothing=add-k[-1]]", "smoothing add-k: found -1.0, expected a number from 0"),
        ("gtm[exponent=0.5]", "gtm: found exponent=0.5, expected a number from 1 on"),
        ("rouge-w[weight=0.5]", "rouge-w: found weight=0.5, expected a number from 1 to 10"),
        ("chrf[beta=1e200]", "chrf: found beta=1e+200, expected a number from 0 to 1e+100"),
        ("meteor[stages=exact,weights=2]", "found weights=2.0, expected numbers from 0 to 1, not"),
        ("meteor[stages=exact,weights=0]", "found weights=0.0, expected numbers from 0 to 1, not"),
        ("terp[deletion_cost=1e300]", "terp: found deletion_cost 1e+300, expected 0 to 1e+09"),
        ("terp[phrase_cost=nan+0+0+0]", "terp: found phrase_cost=nan+0.0+0.0+0.0, expected num"),
    ],
)
def test_numbers_that_nobody_meant(spec: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_metric(spec)
    assert message in str(error.value)
