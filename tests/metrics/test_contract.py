"""What every metric promises, checked for every metric in the table."""

import doctest
import re
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, sum_of
from tertium.metrics.contract.degenerate import own_metrics
from tertium.metrics.contract.table import METRICS, parse_metric
from tertium.text.references import References
from tests.support.places import REPOSITORY
from tests.support.strategies import corpora, joined

ON_PLAIN_TEXT = [
    name
    for name in own_metrics()
    if METRICS[name].segment_form == "plain text" and METRICS[name].missing() is None
]
WITHOUT_FIT = [name for name in ON_PLAIN_TEXT if not parse_metric(name).needs_fit]

# Where the authority's own rules keep identical text from the best value.
BELOW_BEST = {
    "amber": "the chunk penalty charges one chunk per segment",
    "amber-basic": "the chunk penalty charges one chunk per segment",
    "nist": "has no best value",
    "ribes": "words that cannot be told apart by their context do not correspond",
    "rouge-w": "the program raises the reference length to the weight twice",
    "rouge-s": "a single word has no skip bigram",
    "rouge-su": "the program leaves out the last word",
}

SPECS = [
    "bleu",
    "bleu[order=6,smoothing=floor[0.05],reference_length=average]",
    "bleu[tokenizer=intl,lowercase=yes,effective_order=yes,mean=arithmetic]",
    "bleu[order=2,weights=0.75+0.25]",
    "bleu-sbp[reference_length=closest,smoothing=lin-och]",
    "amber[types=4+6,strategies=ngram+skip,skip_limit=none,tfidf=none+tf-idf,ckp=0.5]",
    "amber-basic[recall_order=2,spearman=standard]",
    "wer[references=best-rate,tokenizer=none]",
    "wrr[tokenizer=zh-fixed]",
    "per[clip=corpus]",
    "grr[k=2,alpha=-0.9,beta=1.0]",
    "nist[order=3,lowercase=yes]",
    "chrf[word_order=2,effective_order=no,beta=3.0]",
    "gtm[exponent=2.0]",
    "ribes[alpha=0.5]",
    "rouge-n[n=2,references=best]",
    "rouge-s[skip=4]",
]


@pytest.mark.parametrize("spec", SPECS)
def test_spec_and_signature_parse_back(spec: str) -> None:
    metric = parse_metric(spec)
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"{metric.name}|{metric.signature('var')}") == metric


@pytest.mark.parametrize("spec", SPECS)
def test_signature_shows_every_changed_option(spec: str) -> None:
    metric = parse_metric(spec)
    signature = metric.signature()
    for one in metric.options:
        if getattr(metric, one.name) != one.default:
            assert f"|{one.key}:" in signature


def test_sacrebleu_keys_come_first() -> None:
    signature = "nrefs:2|case:lc|eff:no|tok:intl|smooth:exp|order:3|version:tertium-"
    metric = parse_metric("bleu[order=3,tokenizer=intl,lowercase=yes]")
    assert metric.signature(2).startswith(signature)


@pytest.mark.parametrize("columns", [1, 2, 3, 10, 19, 40])
@pytest.mark.parametrize("segments", [1, 2, 127, 3000, 20_000])
def test_a_sum_of_rows_is_that_of_numpy_to_the_last_bit(segments: int, columns: int) -> None:
    rows = np.random.default_rng(segments).random((segments, columns + 1)) * 100
    for some in (rows[:, :-1], np.ascontiguousarray(rows[:, 1:])):
        np.testing.assert_array_equal(sum_of(some), some.sum(axis=0))


@pytest.mark.slow
@pytest.mark.parametrize("name", WITHOUT_FIT)
@given(segments=corpora)
def test_rows_are_additive_and_scores_vectorised(
    name: str, segments: list[tuple[list[str], list[list[str]]]]
) -> None:
    metric = parse_metric(name)
    hypotheses, references = joined(segments)
    rows = metric.statistics(hypotheses, references)
    assert rows.shape == (len(segments), len(metric.columns))
    assert rows.dtype == np.float64
    alone = [metric.statistics([hypotheses[i]], [references[i]])[0] for i in range(len(segments))]
    np.testing.assert_array_equal(rows, alone)
    stacked = np.stack([rows, 2 * rows])
    assert metric.score(stacked).shape == stacked.shape[:-1]
    np.testing.assert_array_equal(metric.score(stacked)[0], metric.score(rows))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in WITHOUT_FIT if name not in BELOW_BEST])
@given(segments=corpora)
def test_identical_text_is_best(
    name: str, segments: list[tuple[list[str], list[list[str]]]]
) -> None:
    metric = parse_metric(name).for_segments()
    text, _ = joined(segments)
    rows = metric.statistics(text, text)
    assert metric.score(rows) == pytest.approx(np.full(len(rows), metric.best))


@pytest.mark.parametrize("name", WITHOUT_FIT)
def test_prepared_references_give_the_same(name: str) -> None:
    metric = parse_metric(name)
    references = References.of([["a b c", "a c"], ["d e"]])
    for hypotheses in (["a b", "d"], ["a c", "d e"], ["", "e d"]):
        fresh = metric.statistics(hypotheses, [["a b c", "a c"], ["d e"]])
        np.testing.assert_array_equal(metric.statistics(hypotheses, references), fresh)


def test_options_have_the_names_of_signatures_too() -> None:
    assert parse_metric("bleu[tok=char,smooth=floor[0.1],case=lc]") == parse_metric(
        "bleu[tokenizer=char,smoothing=floor[0.1],lowercase=yes]"
    )
    with pytest.raises(OptionError, match="option 'tokenizer' given twice"):
        parse_metric("bleu[tok=char,tokenizer=13a]")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("blue", "unknown metric 'blue'; did you mean 'bleu'? known: "),
        ("bleu[ordr=2]", "unknown option of bleu 'ordr'; did you mean 'order'?"),
        ("bleu[order=two]", "option order: found 'two', expected a whole number"),
        ("bleu[mean=harmonic]", "option mean: found 'harmonic', expected geometric or arithmetic"),
        ("bleu[lowercase=maybe]", "option lowercase: found 'maybe', expected yes or no"),
        ("bleu[order=2,order=3]", "option 'order' given twice"),
        ("bleu,ter", "metric 'bleu,ter': found a comma, expected blanks between metrics: bleu ter"),
        ("bleu, chrf ,", "found a comma, expected blanks between metrics: bleu chrf"),
        ("bleu[order=2", "found no closing ']'"),
        ("bleu[order]", "found 'order', expected option=value"),
        ("grr[k=0]", "grr: found k=0, expected at least 1"),
        ("grr[alpha=nan]", "expected finite numbers"),
        ("", "unknown metric ''"),
    ],
)
def test_unreadable_metrics(text: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse_metric(text)
    assert message in str(error.value)


PROBES = ["-1", "-0.5", "0", "0.5", "1", "1.5", "2", "3", "50", "1000", "inf", "-inf", "nan"]
WHOLE = ["0", "1", "2", "3", "50", "1000"]
FINITE = ["0", "0.5", "1", "1.5", "2", "3", "50", "1000"]
SHARE = ["0", "0.5", "1"]
ACCEPTED = {
    "order recall_order character_order n k": WHOLE[1:],
    "skip skip_limit short_word word_order shift_length shift_distance": WHOLE,
    "ter.beam meteor.beam meteor-0.6.beam": WHOLE[1:],
    "terp.beam": WHOLE,
    "alpha delta": SHARE,
    "theta1 theta2": ["0", "0.5"],
    "function_weight": ["0.5", "1"],
    "ckp_beta ckp_gamma sbp srp csbp csrp swdp lwdp ckp ctp nscp nkcp": FINITE,
    "insertion_cost deletion_cost substitution_cost stem_cost synonym_cost shift_cost": FINITE,
    "beta gamma ribes.alpha ribes.beta": FINITE,
    "omitted added numbers negation modality names": FINITE,
    "grr.alpha grr.beta": ["-1", "-0.5", *FINITE],
    "exponent": FINITE[2:],
    "weight": ["1", "1.5", "2", "3"],
}
"""What options accept of the probes: those of a metric's own, and those that are alike in all."""


@pytest.mark.parametrize("name", own_metrics())
def test_options_accept_numbers_within_their_bounds_and_no_others(name: str) -> None:
    if METRICS[name].missing() is not None:
        pytest.skip(f"{name} is not installed")
    accepted = {name: probes for names, probes in ACCEPTED.items() for name in names.split()}
    for option in parse_metric(name).options:
        number = type(option.default) in {int, float} or option.name in {"beam", "skip"}
        if number:
            found = [probe for probe in PROBES if fits(f"{name}[{option.name}={probe}]")]
            expected = accepted.get(f"{name}.{option.name}", accepted.get(option.name))
            assert found == expected, option.name


def fits(text: str) -> bool:
    try:
        parse_metric(text)
    except OptionError:
        return False
    return True


@given(st.text(max_size=40))
def test_any_text_is_a_metric_or_a_clear_error(text: str) -> None:
    try:
        metric = parse_metric(text)
    except OptionError:
        return
    assert isinstance(metric, Metric)


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a", "b"], ["a"], "hypotheses: 2 segments, expected 1 (references)"),
        (["a", "b", "c"], [["a", "b", "c"]], "the references look transposed"),
        (["a", None], ["a", "b"], "hypotheses: found None"),
        (["a", 3], ["a", "b"], "segment 2: found int, expected str or None"),
        ("a b", ["a"], "hypotheses: found one string"),
        (["a"], "a", "references: found one string"),
        (["a"], [[None]], "segment 1: no reference, expected at least one"),
        (["a"], [[]], "segment 1: no reference, expected at least one"),
        (["\ud800"], ["a"], "segment 1: a lone surrogate"),
    ],
)
def test_wrong_shapes(hypotheses: list[str], references: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        tertium.score(hypotheses, references)
    assert message in str(error.value)


@pytest.fixture
def exact_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The metric of the documentation as an installed module."""
    page = (REPOSITORY / "docs" / "develop" / "writing-a-metric.md").read_text(encoding="utf-8")
    source = re.findall(r"```python\n(# exact_match.py\n.*?)```", page, flags=re.DOTALL)[0]
    (tmp_path / "exact_match.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield source
    sys.modules.pop("exact_match", None)


def test_a_new_metric_is_under_forty_lines_and_works(exact_match: str) -> None:
    assert len(exact_match.splitlines()) < 40
    failures, attempts = doctest.testfile(
        str(REPOSITORY / "docs" / "develop" / "writing-a-metric.md"), module_relative=False
    )
    assert (failures, attempts > 0) == (0, True)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Callable[[EntryPoint], None]:
    """What makes it look as if another package had been installed."""

    def offer(point: EntryPoint) -> None:
        monkeypatch.setattr(
            "importlib.metadata.entry_points",
            lambda group: [point] if group == point.group else [],
        )

    return offer


def test_a_plug_in_gets_a_name(exact_match: str, offered: Callable[[EntryPoint], None]) -> None:
    offered(EntryPoint("exact-match", "exact_match:ExactMatch", "tertium.metrics"))
    metric = parse_metric("exact-match[lowercase=no]")
    assert metric.spec == "exact-match[lowercase=no]"
    assert exact_match
    assert list(METRICS)[-1] == "exact-match"


def test_a_plug_in_must_not_take_a_name(offered: Callable[[EntryPoint], None]) -> None:
    offered(EntryPoint("bleu", "other:Bleu", "tertium.metrics"))
    assert parse_metric("bleu").name == "bleu"  # ours: other packages are not even looked at
    for act in (lambda: parse_metric("exact-match"), lambda: list(METRICS)):
        with pytest.raises(OptionError, match="metric 'bleu': offered by 'other:Bleu'"):
            act()
