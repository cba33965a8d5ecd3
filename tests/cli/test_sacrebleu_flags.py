"""Every flag of sacreBLEU's works in ``tertium score``, or is answered in one sentence."""

import argparse
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
import sacrebleu.sacrebleu as their_command

from tests.support.commands import error, output, printed

HYPOTHESES = ["The cat sat on the mat.", "It rains in the valley , 3.5 days", "He ran &amp; ran"]
REFERENCES = ["The cat sat on a Mat.", "It is raining in the valley, 3.5 days", "He ran and ran"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """The words that name a reference and a system."""
    reference, system = tmp_path / "reference.en", tmp_path / "system.en"
    reference.write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    system.write_text("\n".join(HYPOTHESES) + "\n", encoding="utf-8")
    return [str(reference), "-i", str(system)]


def their_flags() -> list[argparse.Action]:
    """What sacreBLEU's own parser knows."""
    kept: list[argparse.ArgumentParser] = []

    class Stop(Exception):  # noqa: N818 - no error
        pass

    def parse_args(parser: argparse.ArgumentParser) -> None:
        kept.append(parser)
        raise Stop

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argparse.ArgumentParser, "parse_args", parse_args)
        with pytest.raises(Stop):
            their_command.parse_args()  # type: ignore[no-untyped-call]
    return [one for one in kept[0]._actions if one.option_strings]  # noqa: SLF001


FLAGS = [(one, flag) for one in their_flags() for flag in one.option_strings]

REFUSED = {
    **dict.fromkeys(["test_set", "list", "download", "echo", "citation"], "expected files: "),
    **dict.fromkeys(["origlang", "subset", "detail"], "expected the parts of yours in --documents"),
}
ENDS = {"help", "version"}

VALUES = {
    "langpair": ["de-en"],
    "num_refs": ["1"],
    "encoding": ["UTF8"],
    "input": [],  # given anyway
    "metrics": ["ter"],
    "bleu_smooth_method": ["floor"],
    "bleu_smooth_value": ["0.1", "-s", "floor"],
    "bleu_tokenize": ["intl"],
    "chrf_char_order": ["4"],
    "chrf_word_order": ["2"],
    "chrf_beta": ["3"],
    "confidence_n": ["20", "-ci"],
    "paired_ar": ["-parn", "20"],
    "paired_bs": ["-pbsn", "20"],
    "paired_ar_n": ["20", "-par"],
    "paired_bs_n": ["20", "-pbs"],
    "paired_jobs": ["1"],
    "width": ["3"],
    "format": ["text"],
    "echo": ["src", "ref"],
    "test_set": ["wmt14"],
    "download": ["wmt14"],
    "origlang": ["de"],
    "subset": ["x"],
}


def test_the_table_of_values_knows_every_flag_that_takes_one() -> None:
    with_value = {one.dest for one in their_flags() if one.nargs != 0}
    assert with_value == {*VALUES} - {"paired_ar", "paired_bs"}


@pytest.mark.parametrize(("action", "flag"), FLAGS, ids=[flag for _, flag in FLAGS])
def test_every_flag_works_or_is_answered(
    action: argparse.Action,
    flag: str,
    files: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "")  # the flag sets it, and monkeypatch takes it back
    given = [flag, *VALUES.get(action.dest, [])]
    if action.dest in REFUSED:
        for words in (given, [*files, *given]):  # with and without the files that are missing
            message = error(capsys, "score", *words)
            assert message.startswith(f"tertium: {flag}: tertium downloads no test sets")
            assert REFUSED[action.dest] in message
        return
    if action.dest in ENDS:
        assert output(capsys, "score", *given)
        return
    metric = [] if action.dest == "metrics" else ["-m", action.dest.partition("_")[0]]
    known = metric if metric and metric[1] in {"chrf", "ter"} else []
    again = ["-i", files[2], str(_second(files))] if action.dest.startswith("paired") else []
    given = [flag, files[2]] if action.dest == "input" else given
    shown = output(capsys, "score", *files, *again, *given, *known, "-q")
    assert shown


def _second(files: list[str]) -> Path:
    copy = Path(files[2]).with_name("second.en")
    copy.write_text("\n".join(reversed(HYPOTHESES)) + "\n", encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    ("words", "metric"),
    [
        ("-m chrf -cw 2", sacrebleu.CHRF(word_order=2)),
        ("-m chrf -cc 3 --chrf-beta 1", sacrebleu.CHRF(char_order=3, beta=1)),
        ("-m chrf --chrf-whitespace", sacrebleu.CHRF(whitespace=True)),
        ("-m chrf --chrf-lowercase", sacrebleu.CHRF(lowercase=True)),
        ("-m chrf --chrf-eps-smoothing -cw 1", sacrebleu.CHRF(eps_smoothing=True, word_order=1)),
        ("-m ter --ter-case-sensitive", sacrebleu.TER(case_sensitive=True)),
        ("-m ter --ter-normalized", sacrebleu.TER(normalized=True)),
        ("-m ter --ter-no-punct", sacrebleu.TER(no_punct=True)),
        (
            "-m ter --ter-asian-support --ter-normalized",
            sacrebleu.TER(asian_support=True, normalized=True),
        ),
        ("-tok intl -lc --force", sacrebleu.BLEU(tokenize="intl", lowercase=True, force=True)),
        (
            "-s add-k -sv 2.5",
            sacrebleu.BLEU(smooth_method="add-k", smooth_value=2.5),
        ),
    ],
)
def test_flags_give_sacrebleus_numbers(
    words: str, metric: Any, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = metric.corpus_score(HYPOTHESES, [REFERENCES]).score
    shown = output(capsys, "score", *files, *words.split(), "-b", "-w", "9", "-q")
    assert float(shown) == pytest.approx(expected, abs=1e-8)


def test_a_flag_of_one_metric_leaves_the_others_alone(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("-m", "bleu", "chrf", "chrf[lowercase=no,beta=1]", "--chrf-lowercase", "-f", "text")
    shown = output(capsys, "score", *files, *words, "-q").splitlines()
    cases = [line.partition("|case:")[2].partition("|")[0] for line in shown]
    assert cases == ["mixed", "lc", "mixed"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "-m bleu --chrf-word-order 2",
            "--chrf-word-order: found metrics bleu, expected at least 'chrf'",
        ),
        ("-m chrf --chrf-word-order two", "option word_order: found 'two', expected a whole"),
        ("-m chrf --chrf-beta x", "option beta: found 'x', expected a number"),
        (
            "-e latin-1",
            "argument -e/--encoding: found 'latin-1', expected utf-8: 'iconv -f latin-1",
        ),
        ("-e nonsense", "argument -e/--encoding: found 'nonsense', expected utf-8"),
        ("-tok spm", "tokenizer 'spm': found no model, .* or flores101, which sacreBLEU used to"),
    ],
)
def test_what_cannot_be_done_is_said(
    words: str, message: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = error(capsys, "score", *files, *words.split())
    assert message.partition(" .* ")[0] in found
    assert message.partition(" .* ")[2] in found


def test_flores200_is_read_where_sacrebleu_keeps_it(
    files: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    message = error(capsys, "score", *files, "-tok", "flores200")
    assert "flores200sacrebleuspm: no such file, expected the SentencePiece model" in message
    assert "tertium downloads nothing" in message
    path = tmp_path / "models" / "flores200sacrebleuspm"
    path.parent.mkdir()
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(HYPOTHESES),
            model_writer=file,
            vocab_size=60,
            hard_vocab_limit=False,
            minloglevel=2,
        )
    shown = output(capsys, "score", *files, "-tok", "flores200", "-f", "text", "-q")
    assert "|tok:flores200|" in shown


def test_start_up_stays_short() -> None:
    """The flags are declared without importing any metric."""
    code = "import tertium.cli.flags.score, sys; print('numpy' in sys.modules)"
    assert printed("-c", code) == "False\n"
