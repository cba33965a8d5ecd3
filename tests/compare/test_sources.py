"""What became of the source: words per source word by genre, and accuracy by source word."""

import json
from pathlib import Path

import pytest

from tertium import Corpus, System
from tertium.cli.demo import SAMPLE
from tertium.compare import Comparison, SourceWordTable, compare
from tertium.errors import InputError, OptionError
from tests.support.commands import error, output

SOURCES = ["der Hund schläft", "der Kater", "die Maus rennt schnell", "der Hund bellt"]
REFERENCES = ["the dog sleeps", "the tomcat", "the mouse runs fast", "the dog barks"]
ALIGNMENTS = ["0-0 1-1 2-2", "0-0 1-1", "0-0 1-1 2-2 3-3", "0-0 1-1 2-2"]
BASE = ["the cat sleeps", "the tomcat", "the mouse runs fast", "the cat barks"]
NEW = ["the dog sleeps now", "a cat", "the mouse", "the dog barks"]


def compared(
    *, alignments: list[str] | None = None, genres: list[str] | None = None, top: int = 5
) -> Comparison:
    corpus = Corpus(references=REFERENCES, sources=SOURCES, genres=genres, name="ref")
    systems = [System(name="base", hypotheses=BASE), System(name="new", hypotheses=NEW)]
    return compare(
        corpus, systems, ["wer"], sections=["words", "lengths"], alignments=alignments, top=top
    )


def words_of(found: Comparison) -> SourceWordTable:
    assert found.words is not None
    assert found.words.sources is not None
    return found.words.sources


def test_words_per_source_word_by_genre() -> None:
    """Counted by hand: 12 source words, 6 of each genre."""
    found = compared(genres=["a", "b", "b", "a"]).lengths
    assert found is not None
    assert found.per_source is not None
    rows = {row.label: row for row in found.per_source.rows}
    assert list(rows) == ["all", "a", "b"]
    assert (rows["all"].source_words, rows["a"].source_words) == (12, 6)
    assert rows["all"].reference == 1.0
    assert rows["a"].systems == pytest.approx((6 / 6, 7 / 6))
    assert rows["b"].systems == pytest.approx((6 / 6, 4 / 6))
    made = found.to_dict()["per_source_word"]
    assert made[2]["systems"][1] == {"system": "new", "words_per_source_word": 4 / 6}


def test_the_sample_pays_on_web_what_it_spends_on_news(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", *(str(SAMPLE / f"reference.{n}.en") for n in (1, 2)), "-i"]
    words += [str(SAMPLE / "systems" / f"{name}.txt") for name in ("birch", "elm")]
    words += ["--source", str(SAMPLE / "source.de"), "--documents", str(SAMPLE / "documents.tsv")]
    shown = output(capsys, *words, "--sections", "lengths")
    table = shown.partition("words per source word\n")[2].splitlines()
    assert table[0].split() == ["genre", "segments", "source", "words", "reference", "birch", "elm"]
    assert [line.split() for line in table[2:5]] == [
        ["all", "92", "1398", "1.141", "1.133", "1.148"],
        ["news", "40", "727", "1.143", "1.297", "1.144"],
        ["web", "52", "671", "1.139", "0.955", "1.152"],
    ]


def test_accuracy_by_source_word_with_alignments() -> None:
    """Hund is right only in the new system, Kater and the rest of the mouse only in the old."""
    table = words_of(compared(alignments=ALIGNMENTS))
    assert table.basis == "alignment"
    bands = {band.label: band for band in table.bands}
    assert list(bands) == ["1", "2", "3"]
    # once: schläft, Kater, die, Maus, rennt, schnell, bellt; twice: Hund; three times: der
    once, twice, thrice = (bands[label].accuracies for label in ("1", "2", "3"))
    assert [(one.right, one.expected) for one in once] == [(7, 7), (4, 7)]
    assert [(one.right, one.expected) for one in twice] == [(0, 2), (2, 2)]
    assert [(one.right, one.expected) for one in thrice] == [(3, 3), (2, 3)]
    (differences,) = table.differences
    assert [(one.text, one.gained, one.lost) for one in differences.gained] == [("Hund", 2, 0)]
    assert {one.text for one in differences.lost} == {"Kater", "rennt", "schnell", "der"}


def test_without_alignments_a_source_word_stands_for_its_segments() -> None:
    table = words_of(compared())
    assert table.basis == "segments"
    thrice = next(band for band in table.bands if band.label == "3")
    # der: segments 1, 2 and 4 have 8 reference words; the new system misses both of segment 2
    assert [(one.right, one.expected) for one in thrice.accuracies] == [(6, 8), (6, 8)]
    (differences,) = table.differences
    every = {one.text for one in (*differences.gained, *differences.lost)}
    assert every <= {"der"}  # what is in fewer than three segments tells of nothing else


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (ALIGNMENTS[:3], "alignments: 3 segments, expected 4 (reference ref)"),
        (
            [*ALIGNMENTS[:3], "0-0 1-3"],
            "alignments, segment 4: found 1-3, expected less than 3-3 (words between blanks",
        ),
        (["0:0", *ALIGNMENTS[1:]], "alignments, segment 1: found '0:0' in the alignment"),
    ],
)
def test_alignments_that_do_not_fit(lines: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        compared(alignments=lines)
    assert str(caught.value).startswith(message)


def test_what_needs_sources_says_so() -> None:
    corpus = Corpus(references=REFERENCES, name="ref")
    systems = [System(name="base", hypotheses=BASE), System(name="new", hypotheses=NEW)]
    with pytest.raises(InputError, match=r"ref: no sources, expected .*--source FILE"):
        compare(corpus, systems, ["wer"], sections=["words"], alignments=ALIGNMENTS)
    with pytest.raises(OptionError, match="alignments: found sections lengths, expected 'words'"):
        compare(corpus, systems, ["wer"], sections=["lengths"], alignments=ALIGNMENTS)


def test_sources_may_be_cut_otherwise() -> None:
    """Chinese has no blanks: each character is a word by the tokenizer zh."""
    corpus = Corpus(references=["the dog"], sources=["狗睡觉"], name="ref")
    systems = [System(name=name, hypotheses=["the dog"]) for name in ("a", "b")]
    found = compare(corpus, systems, ["wer"], sections=["lengths"], source_tokenizer="zh").lengths
    assert found is not None
    assert found.per_source is not None
    assert found.per_source.rows[0].source_words == 3


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"ref": REFERENCES, "src": SOURCES, "base": BASE, "new": NEW, "align": ALIGNMENTS}
    files = {}
    for name, lines in texts.items():
        files[name] = str(tmp_path / name)
        Path(files[name]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = ["compare", files["ref"], "-i", files["base"], files["new"], "--source", files["src"]]
    words += ["--alignment", files["align"], "--sections", "words"]
    found = json.loads(output(capsys, *words, "-f", "json"))["words"]["sources"]
    assert found["basis"] == "alignment"
    assert [one["system"] for one in found["bands"][0]["systems"]] == ["base", "new"]
    shown = output(capsys, *words)
    assert "recall of words aligned with source words, by frequency in the sources" in shown
    assert "unknown tokenizer 'zhh'" in error(capsys, *words, "--source-tokenize", "zhh")
