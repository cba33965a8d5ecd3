"""chrF and TER of ``tertium.compat.sacrebleu`` beside the real sacreBLEU."""

# ruff: noqa: SLF001 - sacreBLEU has no public names for mean and interval

import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import tertium
from tertium.compat import sacrebleu as module
from tests.support.sacrebleu_parity import (
    Corpus,
    anything,
    as_ours,
    assert_same_score,
    assert_same_signature,
    corpora,
    parameters,
    relaxed,
    richer,
    theirs,
)

ours: Any = module  # metrics are looked up by name

OPTIONS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "CHRF": st.fixed_dictionaries(
        {},
        optional={
            "char_order": st.sampled_from([1, 2, 6, 9]),
            "word_order": st.sampled_from([0, 1, 2, 4]),
            "beta": st.sampled_from([0, 1, 2, 3, 0.5, 2.5]),
            "lowercase": st.booleans(),
            "whitespace": st.booleans(),
            "eps_smoothing": st.booleans(),
        },
    ),
    "TER": st.fixed_dictionaries(
        {},
        optional={
            "normalized": st.booleans(),
            "no_punct": st.booleans(),
            "asian_support": st.booleans(),
            "case_sensitive": st.booleans(),
        },
    ),
}

each_metric = pytest.mark.parametrize("name", OPTIONS)


def both(name: str, chosen: dict[str, Any]) -> tuple[Any, Any]:
    return getattr(theirs, name)(**chosen), getattr(ours, name)(**chosen)


# --- the interface -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        *("CHRF", "CHRF.corpus_score", "CHRF.sentence_score", "corpus_chrf", "sentence_chrf"),
        *("TER", "TER.corpus_score", "TER.sentence_score", "corpus_ter", "sentence_ter"),
        *("metrics.CHRFScore", "metrics.CHRFScore.format", "metrics.TERScore"),
    ],
)
def test_parameters_have_the_same_names_order_and_defaults(path: str) -> None:
    found, expected = ours, theirs
    for part in path.split("."):
        found, expected = getattr(found, part), getattr(expected, part)
    assert parameters(found) == parameters(expected)


def test_metrics_are_found_where_sacrebleu_has_them() -> None:
    assert list(ours.metrics.METRICS) == list(theirs.metrics.METRICS)
    for name, metric in ours.metrics.METRICS.items():
        assert metric is getattr(ours, name) is getattr(ours.metrics, name)
    for name in ("CHAR_ORDER", "WORD_ORDER", "BETA"):
        assert getattr(ours.CHRF, name) == getattr(theirs.CHRF, name)


@each_metric
@given(data=st.data())
def test_options_can_be_read(name: str, data: st.DataObject) -> None:
    expected, found = both(name, data.draw(OPTIONS[name]))
    public = {
        key: value
        for key, value in vars(expected).items()
        if not key.startswith("_") and key != "tokenizer"
    }
    assert {key: getattr(found, key) for key in public} == public


# --- scores ------------------------------------------------------------------------------------


@each_metric
@pytest.mark.parametrize("text", [richer, anything], ids=["words", "any text"])
@relaxed
@given(data=st.data())
def test_corpus_score(name: str, text: st.SearchStrategy[str], data: st.DataObject) -> None:
    corpus = data.draw(corpora(text=text))
    expected, found = both(name, data.draw(OPTIONS[name]))
    assert_same_score(expected.corpus_score(*corpus), found.corpus_score(*corpus))
    assert_same_signature(expected, found)


@each_metric
@relaxed
@given(corpus=corpora(text=richer, most=1), data=st.data())
def test_sentence_score(name: str, corpus: Corpus, data: st.DataObject) -> None:
    hypotheses, streams = corpus
    segment = hypotheses[0], [stream[0] for stream in streams]
    expected, found = both(name, data.draw(OPTIONS[name]))
    assert_same_score(expected.sentence_score(*segment), found.sentence_score(*segment))
    assert_same_signature(expected, found)


@each_metric
@relaxed
@given(corpus=corpora(text=richer), trials=st.sampled_from([2, 39, 40, 100]), data=st.data())
def test_bootstrap(name: str, corpus: Corpus, trials: int, data: st.DataObject) -> None:
    expected, found = both(name, data.draw(OPTIONS[name]))
    result = found.corpus_score(*corpus, n_bootstrap=trials)
    assert f"|bs:{trials}|seed:12345|" in str(found.get_signature())
    try:
        peer = expected.corpus_score(*corpus, n_bootstrap=trials)
    except TypeError:  # see test_bootstrap_takes_resamples_without_text
        reject()
    assert_same_score(peer, result)
    assert_same_signature(expected, found)


@each_metric
@relaxed
@given(corpus=corpora(text=richer), data=st.data())
def test_kept_references(name: str, corpus: Corpus, data: st.DataObject) -> None:
    hypotheses, streams = corpus
    expected, found = both(name, {**data.draw(OPTIONS[name]), "references": streams})
    assert_same_signature(expected, found)
    for system in (hypotheses, [text.upper() for text in hypotheses]):
        assert_same_score(expected.corpus_score(system, None), found.corpus_score(system, None))
    assert_same_signature(expected, found)


@each_metric
@relaxed
@given(corpus=corpora(text=richer), data=st.data())
def test_functions(name: str, corpus: Corpus, data: st.DataObject) -> None:
    hypotheses, streams = corpus
    chosen = data.draw(OPTIONS[name])
    if name == "CHRF":
        chosen.pop("lowercase", None)
        chosen["remove_whitespace"] = not chosen.pop("whitespace", False)
    segment = hypotheses[0], [stream[0] for stream in streams]
    for scope, given_texts in (("corpus", corpus), ("sentence", segment)):
        function = f"{scope}_{name.lower()}"
        expected, found = (getattr(m, function)(*given_texts, **chosen) for m in (theirs, ours))
        assert_same_score(expected, found)


# --- single cases ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypotheses", "references", "chrf", "ter", "edits", "length"),
    [
        ([""], [[""]], 0.0, 0.0, 0, 0.0),  # tertium's own Chrf says 100 here
        ([""], [["a house"]], 0.0, 100.0, 2, 2.0),
        (["a house"], [[""]], 0.0, 100.0, 2, 0.0),  # one for all edits, as there is no length
        (["a house"], [[""], ["a"]], 50.0, 200.0, 1, 0.5),
        (["a house", "b"], [["", "b"]], 100.0, 200.0, 2, 1.0),
    ],
)
def test_empty_text_scores_as_in_sacrebleu(
    *,
    hypotheses: list[str],
    references: list[list[str]],
    chrf: float,
    ter: float,
    edits: int,
    length: float,
) -> None:
    found = ours.CHRF().corpus_score(hypotheses, references)
    assert found.score == pytest.approx(chrf, abs=1e-12)
    assert_same_score(theirs.CHRF().corpus_score(hypotheses, references), found)
    found = ours.TER().corpus_score(hypotheses, references)
    assert (found.score, found.num_edits, found.ref_length) == (ter, edits, length)
    assert_same_score(theirs.TER().corpus_score(hypotheses, references), found)


@pytest.mark.parametrize(
    ("chosen", "name"),
    [
        ({}, "chrF2"),
        ({"word_order": 2}, "chrF2++"),
        ({"word_order": 1, "beta": 3}, "chrF3+"),
        ({"beta": 0.5}, "chrF0.5"),
    ],
)
def test_chrf_is_named_after_its_options(chosen: dict[str, Any], name: str) -> None:
    found = ours.CHRF(**chosen).corpus_score(["a house"], [["the house"]])
    assert found.name == name
    assert str(found).startswith(f"{name} = ")
    assert json.loads(found.format(is_json=True))["name"] == name


@pytest.mark.parametrize(
    ("call", "full", "short"),
    [
        (
            lambda m: m.CHRF(word_order=2, whitespace=True, references=[["a"], ["b"]]),
            "nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:yes",
            "#:2|c:mixed|e:yes|nc:6|nw:2|s:yes",
        ),
        (
            lambda m: m.TER(no_punct=True, references=[["a"]]),
            "nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no",
            "#:1|c:lc|t:tercom|nr:no|pn:no|as:no",
        ),
    ],
)
def test_signature(call: Callable[[Any], Any], full: str, short: str) -> None:
    signature = call(ours).get_signature()
    assert str(signature) == f"{full}|version:tertium-{tertium.__version__}"
    assert signature.format(short=True) == f"{short}|v:tertium-{tertium.__version__}"
    for each in (peer := call(theirs).get_signature(), signature):
        each.update("lang", "de-en")
    assert str(signature) == as_ours(str(peer))


@pytest.mark.parametrize(
    ("name", "hypotheses", "references"),
    [("CHRF", ["", "abc"], [["q", "abc"]]), ("TER", ["a", "b"], [["", "b"]])],
)
def test_bootstrap_takes_resamples_without_text(
    name: str,
    hypotheses: list[str],
    references: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected, found = both(name, {})
    with pytest.raises(TypeError, match="coerce float"):  # a bug of sacreBLEU 2.6.0
        expected.corpus_score(hypotheses, references, n_bootstrap=50)
    monkeypatch.setattr("sacrebleu.metrics.base.statistics.mean", fmean)
    peer = expected.corpus_score(hypotheses, references, n_bootstrap=50)
    result = found.corpus_score(hypotheses, references, n_bootstrap=50)
    assert result._mean == pytest.approx(peer._mean, rel=1e-6)
    assert result._ci == peer._ci == 50


# --- real data ---------------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("CHRF", {}),
        ("CHRF", {"word_order": 2, "lowercase": True, "eps_smoothing": True}),
        ("TER", {}),
        ("TER", {"normalized": True, "no_punct": True, "case_sensitive": True}),
    ],
)
def test_wmt12(shared_data: Path, name: str, chosen: dict[str, Any]) -> None:
    folder = shared_data / "wmt12"
    reference = (folder / "newstest2012-ref.en").read_text("utf-8").split("\n")[:300]
    outputs = sorted((folder / "system-outputs" / "cs-en").glob("newstest2012.cs-en.*"))[:3]
    systems = [path.read_text("utf-8").split("\n")[:300] for path in outputs]
    # Other systems as further references: mean lengths are thirds, which round when added up.
    streams = [reference, *systems[1:]]
    expected, found = both(name, chosen)
    assert_same_score(
        expected.corpus_score(systems[0], streams, n_bootstrap=100),
        found.corpus_score(systems[0], streams, n_bootstrap=100),
    )
    assert_same_signature(expected, found)
