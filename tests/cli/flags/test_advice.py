"""What a beginner is told of likely mistakes, before and beside the scores."""

from pathlib import Path

import pytest

from tests.support.commands import error, output, process, ran

CHINESE = "猫坐在垫子上。\n今天天气很好。\n"
JAPANESE = "ネコはマットの上に座った。\nお茶が好きです。\n"
THAI = "แมวนั่งบนเสื่อ\nฉันชอบชา\n"
ARABIC = "القط جلس على الحصيرة.\nالطقس جميل اليوم.\n"
ENGLISH = "The cat – it sat.\nI like tea.\n"


@pytest.mark.parametrize(
    ("text", "flags", "told"),
    [
        (CHINESE, (), "for BLEU (tokenizer 13a); use -tok zh"),
        (CHINESE, ("-m", "bleu", "wer"), "for BLEU, WER (tokenizer 13a); use -tok zh"),
        (CHINESE, ("-m", "ter"), "for TER; use -m 'ter[normalized=yes,asian_support=yes]'"),
        (JAPANESE, (), "use -tok ja-mecab"),
        (THAI, (), "use -tok char"),
        (ARABIC, ("-m", "rouge-l"), "use -m 'rouge-l[text=unicode]'"),
        (CHINESE, ("-m", "chrf"), None),
        (CHINESE, ("-tok", "zh"), None),
        (CHINESE, ("-l", "en-zh"), None),
        (CHINESE, ("-m", "ter[normalized=yes,asian_support=yes]"), None),
        (CHINESE, ("-q",), None),
        (ARABIC, ("-m", "bleu", "chrf", "ter"), None),
        (ENGLISH, ("-m", "bleu", "ter", "rouge-l"), None),
    ],
)
def test_words_that_a_metric_cannot_find(
    text: str,
    flags: tuple[str, ...],
    told: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "ref"
    path.write_text(text, encoding="utf-8")
    done = ran(capsys, "score", str(path), "-i", str(path), *flags)
    assert done.status == 0
    assert (told in done.err) if told else not done.err


@pytest.mark.parametrize(
    ("text", "flags", "tokenizer", "told"),
    [
        (CHINESE, (), "zh", "note: BLEU: tokenized with zh, as the references are Chinese ("),
        (JAPANESE, (), "ja-mecab", "note: BLEU: tokenized with ja-mecab, as the references are J"),
        (THAI, (), "char", "note: BLEU: tokenized with char, as the references are Thai"),
        # What a user asks for wins, with the warning that score gives where it is a flag.
        (CHINESE, ("-tok", "13a"), "13a", "warning: "),
        (CHINESE, ("-m", "bleu[tokenizer=13a]"), "13a", None),
        (CHINESE, ("-m", "bleu[tokenizer=char]"), "char", None),
        (ENGLISH, (), "13a", None),
    ],
)
@pytest.mark.parametrize("command", ["decide", "compare"])
def test_decide_and_compare_tokenize_by_the_script_of_the_references(
    command: str,
    text: str,
    flags: tuple[str, ...],
    tokenizer: str,
    told: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "ref"
    path.write_text(text, encoding="utf-8")
    sections = ["--sections", "scores"] if command == "compare" else ["--no-audit"]
    names = ["--names", "a", "b"]
    files = [str(path), "-i", str(path), str(path), *names]
    done = ran(capsys, command, *files, *sections, "-f", "json", *flags)
    assert done.status == 0, done.err
    assert f"|tok:{tokenizer}" in done.out
    assert (told in done.err) if told else not done.err


def test_every_command_is_told_the_flag(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ref"
    path.write_text(CHINESE, encoding="utf-8")
    done = ran(capsys, "explain", str(path), "-i", str(path))
    assert "use -tok zh" in done.err


def test_a_byte_order_mark_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, marked = tmp_path / "plain", tmp_path / "marked"
    plain.write_text(ENGLISH, encoding="utf-8")
    marked.write_text(ENGLISH, encoding="utf-8-sig")
    done = ran(capsys, "score", str(plain), "-i", str(marked))
    assert done.err.startswith(f"tertium: warning: {marked}: begins with a byte-order mark")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_text_of_powershell_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    plain, wide = tmp_path / "plain", tmp_path / "wide"
    plain.write_text(ENGLISH, encoding="utf-8")
    wide.write_text(ENGLISH, encoding=encoding)
    assert "100.00" in output(capsys, "score", str(plain), "-i", str(wide))
    bare = tmp_path / "bare"
    bare.write_text(ENGLISH, encoding="utf-16-le")
    said = error(capsys, "score", str(plain), "-i", str(bare))
    assert said.endswith(
        "bare: UTF-16LE without a byte-order mark, expected UTF-8 text "
        "('iconv -f UTF-16LE -t UTF-8' makes it)"
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("spBLEU", "use 'bleu[tokenizer=flores200]'"),
        ("COMET", "--scores FILE"),
        ("rouge-1", "use 'rouge-n[n=1]'"),
        ("cer", "use 'wer[tokenizer=char]'"),
    ],
)
def test_names_that_people_try(
    name: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ref"
    path.write_text(ENGLISH, encoding="utf-8")
    said = error(capsys, "score", str(path), "-i", str(path), "-m", name)
    assert said.startswith(f"tertium: unknown metric '{name}'; ")
    assert told in said


def test_a_forgotten_flag_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ref"
    path.write_text(ENGLISH, encoding="utf-8")
    assert process("score", str(path), str(path)).err.endswith("; name the systems after -i\n")


@pytest.mark.parametrize("text", ["bleu,chrf", "bleu,"])
def test_commas_between_metrics(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "score", "ref", "-i", "sys", "-m", text)
    assert f"metric '{text}': found a comma, expected blanks between metrics: bleu" in said


@pytest.mark.parametrize(
    ("words", "told"),
    [(("help",), "score and decide:"), (("help", "score"), "usage: tertium score")],
)
def test_help_as_a_command(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, *words)
    assert done.status == 0
    assert told in done.out


@pytest.mark.parametrize(
    ("flag", "told"),
    [
        ("-r", "references come first, without a flag"),
        ("--hypothesis", "systems come after -i"),
        ("--metric", "did you mean '--metrics'?"),
    ],
)
def test_flags_of_other_programs(flag: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = error(capsys, "score", "ref", "-i", "sys", flag, "x")
    assert said.startswith(f"tertium score: unknown flag '{flag}'; {told}")
