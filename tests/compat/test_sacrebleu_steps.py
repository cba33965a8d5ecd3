"""The parts that other programs take out of sacreBLEU's metrics, beside the real ones."""

# ruff: noqa: SLF001 - those parts have names with an underscore

import importlib
import inspect
import pkgutil
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sacrebleu.metrics.base
import sacrebleu.metrics.helpers
import sacrebleu.metrics.lib_ter
import sacrebleu.significance
import sacrebleu.tokenizers.tokenizer_ter
import sacrebleu.utils
from hypothesis import given
from hypothesis import strategies as st

from tertium import parse_metric
from tertium.compat import sacrebleu as ours
from tertium.compat.sacrebleu.metrics import base, helpers, lib_ter
from tertium.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from tertium.errors import InputError, OptionError
from tests.support.sacrebleu_parity import Corpus, anything, corpora, relaxed, richer, theirs, words

METRICS: dict[str, list[dict[str, Any]]] = {
    "BLEU": [{}, {"lowercase": True, "tokenize": "intl", "max_ngram_order": 2}],
    "CHRF": [{}, {"word_order": 2, "whitespace": True}, {"eps_smoothing": True, "beta": 1}],
    "TER": [{}, {"normalized": True, "asian_support": True}, {"no_punct": True}],
}
CASES = [(name, chosen) for name, cases in METRICS.items() for chosen in cases]
# What of sacreBLEU's public names is not here, and why.
ABSENT = {
    "sacrebleu.sacrebleu": "the command line is 'tertium score'",
    "sacrebleu.__main__": "the command line is 'tertium score'",
    "sacrebleu.dataset": "test sets are not downloaded",
    "sacrebleu.utils.extract_tarball": "test sets are not downloaded",
    "sacrebleu.utils.get_md5sum": "test sets are not downloaded",
    "sacrebleu.utils.print_test_set": "test sets are not downloaded",
    "sacrebleu.utils.print_subset_results": "test sets are not downloaded",
    "sacrebleu.utils.filter_subset": "test sets are not downloaded",
}


def public_names() -> list[str]:
    found = []
    for one in pkgutil.walk_packages(theirs.__path__, "sacrebleu."):
        if any(one.name == name or one.name.startswith(f"{name}.") for name in ABSENT):
            continue
        module = importlib.import_module(one.name)
        for name, value in vars(module).items():
            own = getattr(value, "__module__", one.name) == one.name
            if own and not name.startswith("_") and callable(value):
                found.append(f"{one.name}.{name}")
    return found


@pytest.mark.parametrize("name", public_names())
def test_every_function_and_class_is_there(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    found = getattr(importlib.import_module(f"tertium.compat.{module}"), attribute, None)
    assert (found is None) == (name in ABSENT)
    expected = getattr(importlib.import_module(module), attribute)
    if inspect.isfunction(expected) and inspect.isfunction(found):
        names = list(inspect.signature(expected).parameters)
        assert list(inspect.signature(found).parameters) == names


def test_helpers_count_the_same() -> None:
    line, tokens = " the cat  sat on the\tcat ", ["the", "cat", "sat", "on", "the", "cat"]
    assert helpers.extract_all_word_ngrams(line, 1, 3) == (
        sacrebleu.metrics.helpers.extract_all_word_ngrams(line, 1, 3)
    )
    for n in (1, 2, 7):
        expected = sacrebleu.metrics.helpers.extract_word_ngrams(tokens, n)
        assert ours.extract_word_ngrams(tokens, n) == expected
        for blanks in (False, True):
            expected = sacrebleu.metrics.helpers.extract_char_ngrams(line, n, blanks)
            assert ours.extract_char_ngrams(line, n, blanks) == expected
            every = sacrebleu.metrics.helpers.extract_all_char_ngrams(line, n, blanks)
            assert helpers.extract_all_char_ngrams(line, n, blanks) == every


def whole(rows: Sequence[Any]) -> list[list[float]]:
    return [list(row) for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "chosen"), CASES)
@relaxed
@given(corpus=corpora(text=richer))
def test_statistics_of_a_corpus(name: str, chosen: dict[str, Any], corpus: Corpus) -> None:
    expected, found = (getattr(module, name)(**chosen) for module in (theirs, ours))
    rows = found._extract_corpus_statistics(*corpus)
    assert repr(whole(rows)) == repr(whole(expected._extract_corpus_statistics(*corpus)))
    score = found._aggregate_and_compute(rows)
    assert score.score == pytest.approx(expected._aggregate_and_compute(rows).score, abs=1e-12)
    total = np.sum(rows, axis=0)
    for numbers in (total.tolist(), total.astype("float32")):
        single = expected._compute_score_from_stats(list(numbers))
        assert found._compute_score_from_stats(numbers).score == single.score


@pytest.mark.slow
@pytest.mark.parametrize(("name", "chosen"), CASES)
@relaxed
@given(corpus=corpora(text=richer, most=3))
def test_steps_one_by_one(name: str, chosen: dict[str, Any], corpus: Corpus) -> None:
    expected, found = (getattr(module, name)(**chosen) for module in (theirs, ours))
    hypotheses, streams = corpus
    cache = found._cache_references(streams)
    assert cache == expected._cache_references(streams)
    rows = []
    for text, known in zip(hypotheses, cache, strict=True):
        cut = found._preprocess_segment(text)
        assert cut == expected._preprocess_segment(text)
        rows.append(found._compute_segment_statistics(cut, known))
        assert rows[-1] == expected._compute_segment_statistics(cut, known)
    assert rows == found._extract_corpus_statistics(hypotheses, streams)
    found._ref_cache = cache
    assert rows == found._extract_corpus_statistics(hypotheses, None)
    assert getattr(ours, name)(**chosen, references=streams)._ref_cache == cache


def test_counters_that_a_caller_has_changed_are_followed() -> None:
    """Self-BLEU is computed so: the counts of all texts, less those of one."""
    for module in (theirs, ours):
        bleu = module.BLEU(effective_order=True)
        known = bleu._extract_reference_info(["a b c d", "a b c e"])
        known["ref_ngrams"].subtract({("a",): 1, ("e",): 1})
        assert bleu._compute_segment_statistics("a b c e", known) == [4, 4, 2, 3, 2, 1, 4, 3, 2, 1]


def test_a_replaced_step_is_followed() -> None:
    def reversed_words(module: Any) -> Any:
        class Backwards(module.BLEU):  # type: ignore[misc]
            def _preprocess_segment(self, sent: str) -> str:
                return " ".join(reversed(super()._preprocess_segment(sent).split()[1:]))

        return Backwards(effective_order=True)

    corpus = ["a b c d e", "x y z"], [["b c d e f", "q y z"]]
    expected, found = reversed_words(theirs), reversed_words(ours)
    assert found.corpus_score(*corpus, n_bootstrap=20).format() == (
        expected.corpus_score(*corpus, n_bootstrap=20).format()
    )
    assert found.corpus_score(*corpus).score != ours.BLEU().corpus_score(*corpus).score
    assert found.sentence_score("a b", ["a b"]).score == pytest.approx(
        expected.sentence_score("a b", ["a b"]).score
    )


@pytest.mark.parametrize("name", ["BLEU", "TER"])
def test_a_tokenizer_of_your_own_is_followed(name: str) -> None:
    class Letters(Tokenizer13a):
        def __call__(self, line: str) -> str:
            return " ".join(line.replace(" ", ""))

    corpus = ["abc d"], [["ab cd"]]
    for module in (theirs, ours):
        metric = getattr(module, name)()
        metric.tokenizer = Letters()
        assert metric.corpus_score(*corpus).score == pytest.approx(100 if name == "BLEU" else 0)


def test_a_signature_does_not_hide_what_was_replaced() -> None:
    """It must not parse back to a metric with another number."""

    class Shouting(ours.BLEU):
        def _preprocess_segment(self, sent: str) -> str:
            return super()._preprocess_segment(sent).upper()

    class Letters(Tokenizer13a):
        def __call__(self, line: str) -> str:
            return " ".join(line.replace(" ", ""))

    shouting, letters, chinese = Shouting(), ours.BLEU(), ours.BLEU()
    letters.tokenizer = Letters()
    chinese.tokenizer = ours.tokenizers.TokenizerZh()
    for metric in (shouting, letters, chinese):
        metric.corpus_score(["A b"], [["a b"]])
    with pytest.raises(OptionError, match="unknown option of bleu 'class'"):
        parse_metric(f"BLEU|{shouting.get_signature()}")
    with pytest.raises(OptionError, match="unknown tokenizer 'Letters'"):
        parse_metric(f"BLEU|{letters.get_signature()}")
    assert parse_metric(f"BLEU|{chinese.get_signature()}").spec == "bleu[tokenizer=zh]"


def exact_match(module: Any) -> Any:
    """A metric that somebody builds on the base class."""

    class ExactSignature(module.Signature):  # type: ignore[misc]
        def __init__(self, args: dict[str, Any]) -> None:
            super().__init__(args)
            self._abbr.update({"fold": "f"})
            self.info.update({"fold": args["fold"]})

    class Exact(module.Metric):  # type: ignore[misc]
        _SIGNATURE_TYPE = ExactSignature

        def __init__(self, fold: bool = False, references: Any = None) -> None:  # noqa: FBT002
            super().__init__()
            self.fold = fold
            if references is not None:
                self._ref_cache = self._cache_references(references)

        def _preprocess_segment(self, sent: str) -> str:
            return sent.lower() if self.fold else sent

        def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
            return {"refs": set(refs)}

        def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> list[int]:
            return [int(hypothesis in ref_kwargs["refs"]), 1]

        def _compute_score_from_stats(self, stats: Any) -> Any:
            return module.Score("Exact", 100 * stats[0] / stats[1])

        def _aggregate_and_compute(self, stats: Any) -> Any:
            return self._compute_score_from_stats(np.sum(stats, axis=0))

    return Exact


def test_a_metric_of_your_own() -> None:
    texts, references = ["a", "B", "c", "d"], [["a", "b", "x", "d"], ["q", None, "C", "q"]]
    lines = []
    for module in (sacrebleu.metrics.base, base):
        metric = exact_match(module)(fold=True)
        lines.append(metric.corpus_score(texts, references, n_bootstrap=30).format())
        signature = metric.get_signature()
        assert signature.format(short=True).startswith("#:var|bs:30|rs:12345|f:yes|v:")
        kept = exact_match(module)(references=references)
        assert kept.corpus_score(texts, None).score == 50
    assert lines[0] == lines[1]
    assert lines[0].startswith("Exact = 100.00 (μ = ")
    with pytest.raises(InputError, match="hypotheses: 1 segment, expected 4"):
        exact_match(base)(references=references).corpus_score(["a"], None)


def test_scores_show_what_they_are_made_of() -> None:
    for module in (theirs, ours):
        known = vars(module.corpus_bleu(["a b c d e"], [["a b c d f"]]))
        assert known["prec_str"] == "80.0/75.0/66.7/50.0"
        assert known["ratio"] == 1.0
        assert known["_verbose"].startswith("80.0/75.0/66.7/50.0 (BP = 1.000")
    assert set(vars(ours.sentence_ter("a", ["b"]))) == set(vars(theirs.sentence_ter("a", ["b"])))
    assert set(vars(ours.sentence_chrf("a", ["b"]))) == set(vars(theirs.sentence_chrf("a", ["b"])))


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh"])
@relaxed
@given(text=st.one_of(words, richer, anything))
def test_tokenizers_cut_the_same(name: str, text: str) -> None:
    expected = theirs.metrics.bleu._get_tokenizer(name)()
    found = ours.metrics.bleu._get_tokenizer(name)()
    assert found(text) == expected(text)
    assert found.signature() == expected.signature() == ours.BLEU(tokenize=name).tokenizer_signature


@relaxed
@given(text=st.one_of(words, richer, anything))
def test_the_rest_of_13a_cuts_the_same(text: str) -> None:
    their_class, our_class = (
        importlib.import_module(f"{package}.tokenizers.tokenizer_re").TokenizerRegexp
        for package in ("sacrebleu", "tertium.compat.sacrebleu")
    )
    assert our_class()(text) == their_class()(text)


@relaxed
@given(text=st.one_of(words, richer), flags=st.tuples(*[st.booleans()] * 4))
def test_tercom_cuts_the_same(text: str, flags: tuple[bool, ...]) -> None:
    expected = sacrebleu.tokenizers.tokenizer_ter.TercomTokenizer(*flags)
    assert ours.tokenizers.TercomTokenizer(*flags)(text) == expected(text)


@relaxed
@given(hypothesis=richer, reference=richer)
def test_edit_rate_of_words(hypothesis: str, reference: str) -> None:
    pair = hypothesis.split(), reference.split()
    expected = sacrebleu.metrics.lib_ter.translation_edit_rate(*pair)
    assert lib_ter.translation_edit_rate(*pair) == expected
    _, trace = sacrebleu.metrics.lib_ter.BeamEditDistance(pair[1])(pair[0])
    assert lib_ter.BeamEditDistance(pair[1])(pair[0]) == (len(trace.replace(" ", "")), trace)
    alignment = sacrebleu.metrics.lib_ter.trace_to_alignment(trace)
    assert lib_ter.trace_to_alignment(trace) == alignment
