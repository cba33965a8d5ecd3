"""``tertium.compat.sacrebleu`` beside the real sacreBLEU: same calls, same numbers, same text."""

# ruff: noqa: SLF001 - sacreBLEU has no public names for mean and interval

import json
import logging
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sacrebleu.metrics.base as their_base
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.compat import sacrebleu as ours
from tertium.compat.sacrebleu.metrics import base as our_base
from tests.support.sacrebleu_parity import (
    Corpus,
    anything,
    assert_same_score,
    assert_same_signature,
    corpora,
    parameters,
    relaxed,
    theirs,
)

options = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from([None, "none", "13a", "intl", "char", "zh"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0, 0.001, 0.3, 1, 2.5]),
        "max_ngram_order": st.sampled_from([1, 2, 4, 6]),
        "effective_order": st.booleans(),
        "trg_lang": st.sampled_from(["", "de", "zh"]),
        "force": st.booleans(),
    },
)


# --- the interface -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        (theirs.BLEU, ours.BLEU),
        (theirs.BLEU.corpus_score, ours.BLEU.corpus_score),
        (theirs.BLEU.sentence_score, ours.BLEU.sentence_score),
        (theirs.BLEU.compute_bleu, ours.BLEU.compute_bleu),
        (theirs.metrics.BLEUScore, ours.metrics.BLEUScore),
        (theirs.metrics.BLEUScore.format, ours.metrics.BLEUScore.format),
        (their_base.Signature.format, our_base.Signature.format),
        (their_base.Signature.update, our_base.Signature.update),
        (theirs.corpus_bleu, ours.corpus_bleu),
        (theirs.raw_corpus_bleu, ours.raw_corpus_bleu),
        (theirs.sentence_bleu, ours.sentence_bleu),
    ],
)
def test_parameters_have_the_same_names_order_and_defaults(
    expected: Callable[..., object], found: Callable[..., object]
) -> None:
    assert parameters(found) == parameters(expected)


def test_every_name_is_one_of_sacrebleu() -> None:
    import_module("sacrebleu.significance")  # an attribute only once somebody has imported it
    assert [name for name in ours.__all__ if not hasattr(theirs, name)] == []
    assert [name for name in theirs.__all__ if name not in ours.__all__] == []
    assert ours.__version__ == theirs.__version__
    assert ours.metrics.BLEU is ours.BLEU is ours.metrics.METRICS["BLEU"]
    assert list(ours.BLEU.TOKENIZERS) == list(theirs.BLEU.TOKENIZERS)
    assert ours.BLEU.TOKENIZER_DEFAULT == theirs.BLEU.TOKENIZER_DEFAULT
    assert ours.BLEU.SMOOTH_DEFAULTS == theirs.BLEU.SMOOTH_DEFAULTS


@pytest.mark.parametrize("sacrebleu", [theirs, ours])
def test_code_written_for_sacrebleu_runs(sacrebleu: Any) -> None:
    hypotheses = ["There stands a house.", "It rains in the valley."]
    references = [
        ["There is a house.", "It is raining in the valley."],
        ["A house stands there.", "In the valley it rains."],
    ]
    bleu = sacrebleu.metrics.BLEU(effective_order=True)
    corpus = bleu.corpus_score(hypotheses, references)
    assert f"{corpus.score:.4f}" == f"{sacrebleu.corpus_bleu(hypotheses, references).score:.4f}"
    assert bleu.get_signature().info["nrefs"] == 2
    sentence = bleu.sentence_score(hypotheses[0], [one[0] for one in references])
    assert isinstance(sentence, sacrebleu.metrics.BLEUScore)
    again = bleu.compute_bleu(
        sentence.counts, sentence.totals, sentence.sys_len, sentence.ref_len, smooth_method="exp"
    )
    assert again.score == sentence.score
    signature = bleu.get_signature()
    signature.update("lang", "de-en")
    line = json.loads(corpus.format(width=3, signature=str(signature), is_json=True))
    assert (line["name"], line["lang"], line["eff"]) == ("BLEU", "de-en", "yes")
    assert str(signature).startswith("nrefs:2|lang:de-en|case:mixed|eff:yes|tok:13a|smooth:exp|")


# --- scores ------------------------------------------------------------------------------------


@relaxed
@given(corpus=corpora(), chosen=options)
def test_corpus_score(corpus: Corpus, chosen: dict[str, Any]) -> None:
    expected, found = theirs.BLEU(**chosen), ours.BLEU(**chosen)
    assert_same_score(expected.corpus_score(*corpus), found.corpus_score(*corpus))
    assert_same_signature(expected, found)


@relaxed
@given(corpus=corpora(text=anything), chosen=options)
def test_corpus_score_of_any_text(corpus: Corpus, chosen: dict[str, Any]) -> None:
    expected, found = theirs.BLEU(**chosen), ours.BLEU(**chosen)
    assert_same_score(expected.corpus_score(*corpus), found.corpus_score(*corpus))


@relaxed
@given(corpus=corpora(most=1), chosen=options)
def test_sentence_score(corpus: Corpus, chosen: dict[str, Any]) -> None:
    hypotheses, streams = corpus
    references = [stream[0] for stream in streams]
    expected, found = theirs.BLEU(**chosen), ours.BLEU(**chosen)
    assert_same_score(
        expected.sentence_score(hypotheses[0], references),
        found.sentence_score(hypotheses[0], references),
    )
    assert_same_signature(expected, found)


@relaxed
@given(corpus=corpora(), chosen=options, trials=st.sampled_from([2, 39, 40, 100]))
def test_bootstrap(corpus: Corpus, chosen: dict[str, Any], trials: int) -> None:
    expected, found = theirs.BLEU(**chosen), ours.BLEU(**chosen)
    assert_same_score(
        expected.corpus_score(*corpus, n_bootstrap=trials),
        found.corpus_score(*corpus, n_bootstrap=trials),
    )
    assert_same_signature(expected, found)
    assert f"|bs:{trials}|seed:12345|" in str(found.get_signature())


@relaxed
@given(corpus=corpora(), chosen=options)
def test_kept_references(corpus: Corpus, chosen: dict[str, Any]) -> None:
    hypotheses, streams = corpus
    expected = theirs.BLEU(**chosen, references=streams)
    found = ours.BLEU(**chosen, references=streams)
    assert_same_signature(expected, found)
    for system in (hypotheses, [text.upper() for text in hypotheses]):
        assert_same_score(expected.corpus_score(system, None), found.corpus_score(system, None))
    assert_same_signature(expected, found)


@relaxed
@given(corpus=corpora(), chosen=options)
def test_functions(corpus: Corpus, chosen: dict[str, Any]) -> None:
    hypotheses, streams = corpus
    names = {"lowercase", "smooth_method", "smooth_value", "tokenize"}
    shared = {name: value for name, value in chosen.items() if name in names}
    effective = {"use_effective_order": chosen.get("effective_order", True)}
    corpus_calls = [
        module.corpus_bleu(hypotheses, streams, **shared, **effective) for module in (theirs, ours)
    ]
    assert_same_score(*corpus_calls)
    first = [stream[0] for stream in streams]
    assert_same_score(
        *(m.sentence_bleu(hypotheses[0], first, **shared, **effective) for m in (theirs, ours))
    )
    value = chosen.get("smooth_value", 0.1)
    assert_same_score(*(m.raw_corpus_bleu(hypotheses, streams, value) for m in (theirs, ours)))


counts = st.lists(st.integers(0, 6), min_size=4, max_size=4)


@relaxed
@given(
    totals=counts,
    missed=counts,
    lengths=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    method=st.sampled_from(["exp", "floor", "add-k", "none"]),
    value=st.sampled_from([None, 0, 0.3, 2]),
    effective=st.booleans(),
)
@example(  # k is not added behind an order without n-grams
    totals=[0, 0, 0, 1],
    missed=[0, 0, 0, 0],
    lengths=(0, 0),
    method="add-k",
    value=None,
    effective=False,
)
def test_compute_bleu(
    *,
    totals: list[int],
    missed: list[int],
    lengths: tuple[int, int],
    method: str,
    value: float | None,
    effective: bool,
) -> None:
    matches = [max(0, total - less) for total, less in zip(totals, missed, strict=True)]
    given_lists = list(matches), list(totals)
    found = ours.BLEU.compute_bleu(*given_lists, *lengths, method, value, effective)
    assert given_lists == (matches, totals), "the caller's lists stay as they are"
    expected = theirs.BLEU.compute_bleu(matches, totals, *lengths, method, value, effective)
    assert_same_score(expected, found)


# --- single cases ------------------------------------------------------------------------------


def test_a_perfect_score_is_exactly_100() -> None:
    text = "a house stands in the valley"
    assert theirs.corpus_bleu([text], [[text]]).score == 100.00000000000004
    assert ours.corpus_bleu([text], [[text]]).score == 100.0
    assert str(ours.corpus_bleu([text], [[text]])) == str(theirs.corpus_bleu([text], [[text]]))


@pytest.mark.parametrize(
    ("hypotheses", "references", "score", "penalty"),
    [
        ([""], [[""]], 0.0, 1.0),  # tertium's own Bleu says 100 here
        ([""], [["a house"]], 0.0, 0.0),
        (["a house"], [[""]], 0.0, 1.0),
    ],
)
def test_empty_text_scores_as_in_sacrebleu(
    hypotheses: list[str], references: list[list[str]], score: float, penalty: float
) -> None:
    found = ours.BLEU().corpus_score(hypotheses, references)
    assert (found.score, found.bp) == (score, penalty)
    assert_same_score(theirs.BLEU().corpus_score(hypotheses, references), found)


def test_nrefs_is_the_number_that_every_segment_has() -> None:
    metric = ours.BLEU()
    streams = [["a", None, "c"], [None, "b", None]]
    metric.corpus_score(["a", "b", "c"], streams)
    assert str(metric.get_signature()).startswith("nrefs:1|")
    metric.corpus_score(["a", "b", "c"], [["a", "b", "c"], *streams[1:]])
    assert str(metric.get_signature()).startswith("nrefs:var|")


def test_signature_tells_of_the_latest_score() -> None:
    metric = ours.BLEU(references=[["a b"], ["a c"]])
    metric.corpus_score(["a b"], [["a b"]], n_bootstrap=10)
    assert str(metric.get_signature()).startswith("nrefs:1|bs:10|seed:12345|case:")
    metric.corpus_score(["a b"], None)
    assert str(metric.get_signature()).startswith("nrefs:2|case:")


@pytest.mark.parametrize("seed", ["7", "012"])
def test_bootstrap_seed_is_taken_from_the_environment(
    seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = ["a b c d e", "f g h i", "a c"], [["a b c d f", "f g i h", "a b"]]
    default = ours.BLEU().corpus_score(*corpus, n_bootstrap=50)._mean
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    expected, found = theirs.BLEU(), ours.BLEU()
    result = found.corpus_score(*corpus, n_bootstrap=50)
    assert_same_score(expected.corpus_score(*corpus, n_bootstrap=50), result)
    assert_same_signature(expected, found)
    assert result._mean != default


def test_bootstrap_without_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = ["a b c d e", "f g h i", "a c"], [["a b c d f", "f g i h", "a b"]]
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.BLEU()
    means = {metric.corpus_score(*corpus, n_bootstrap=50)._mean for _ in range(5)}
    assert len(means) > 1
    assert "|seed:none|" in str(metric.get_signature())


def test_bootstrap_drawn_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = ["a b c d e", "f g h i", "a c"], [["a b c d f", "f g i h", "a b"]]
    expected = theirs.BLEU().corpus_score(*corpus, n_bootstrap=101)
    monkeypatch.setattr("tertium.compat.sacrebleu.metrics.base._DRAWN_AT_ONCE", 7)
    assert_same_score(expected, ours.BLEU().corpus_score(*corpus, n_bootstrap=101))


def test_json_needs_no_signature() -> None:
    content = json.loads(ours.corpus_bleu(["a"], [["a"]]).format(is_json=True))
    assert set(content) == {"name", "score", "signature", "verbose_score"}


@pytest.mark.parametrize(
    ("chosen", "lines", "warns"),
    [
        ({}, 99, False),
        ({}, 100, True),
        ({"force": True}, 100, False),
        ({"tokenize": "13a", "trg_lang": "zh"}, 1, True),
        ({"tokenize": "zh", "trg_lang": "zh"}, 1, False),
        ({"trg_lang": "zh"}, 1, False),
        ({"tokenize": "13a", "trg_lang": "de"}, 1, False),
    ],
)
def test_warnings_come_when_sacrebleu_warns(
    chosen: dict[str, Any], lines: int, warns: bool, caplog: pytest.LogCaptureFixture
) -> None:
    text = ["It rains ."] * lines
    for module in (theirs, ours):
        caplog.clear()
        with caplog.at_level(logging.WARNING, logger="sacrebleu"):
            module.BLEU(**chosen).corpus_score(text, [text])
        assert bool(caplog.records) == warns, module.__name__


@pytest.mark.parametrize("effective", [False, True])
def test_segments_without_effective_order_are_warned_of(
    effective: bool, caplog: pytest.LogCaptureFixture
) -> None:
    for module in (theirs, ours):
        caplog.clear()
        module.BLEU(effective_order=effective).sentence_score("a", ["a"])
        assert len(caplog.records) == (not effective), module.__name__


# --- real data ---------------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize("system", ["cs-en.onlineB", "cs-en.jhu-heiro"])
@pytest.mark.parametrize("chosen", [{}, {"lowercase": True, "tokenize": "intl"}])
def test_wmt12(shared_data: Path, system: str, chosen: dict[str, Any]) -> None:
    folder = shared_data / "wmt12"
    pair = system.partition(".")[0]
    reference = (folder / "newstest2012-ref.en").read_text("utf-8").split("\n")
    path = folder / "system-outputs" / pair / f"newstest2012.{system}"
    hypotheses = path.read_text("utf-8").split("\n")
    expected, found = theirs.BLEU(**chosen), ours.BLEU(**chosen)
    assert_same_score(
        expected.corpus_score(hypotheses, [reference], n_bootstrap=100),
        found.corpus_score(hypotheses, [reference], n_bootstrap=100),
    )
    assert_same_signature(expected, found)
