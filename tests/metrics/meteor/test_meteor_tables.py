"""The cache of METEOR's tables: made once, found again, never trusted blindly."""

import gzip
import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium._native import (
    MeteorLexicon,
    MeteorPhrases,
    MeteorWords,
    PhraseTableBuilder,
    Texts,
    build_meteor_lexicon,
    meteor_statistics,
)
from tertium.errors import InputError, OptionError
from tertium.metrics.meteor.metric import Meteor
from tertium.metrics.meteor.presets import LANGUAGES
from tertium.metrics.meteor.table_cache import cache_folder, open_lexicon, open_paraphrases
from tests.support.effort import examples
from tests.support.meteor_files import (
    EXCEPTIONS,
    FUNCTION_WORDS,
    PARAPHRASES,
    SYNSETS,
    alternating,
    write_meteor_folder,
)

ENGLISH = LANGUAGES["en"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_meteor_folder(tmp_path / "meteor")


def cached_files() -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in cache_folder().iterdir()}


def test_tables_are_made_once(folder: Path) -> None:
    table = folder / "data" / "paraphrase-en.gz"
    assert open_paraphrases(table).entries == len(PARAPHRASES)
    assert open_lexicon(folder / "meteor-1.5.jar", ENGLISH).synsets("car") == [1]
    first = cached_files()
    assert len(first) == 2
    assert open_paraphrases(table).entries == len(PARAPHRASES)
    assert open_lexicon(folder / "meteor-1.5.jar", ENGLISH).synsets("mice") == [2, 3]
    assert cached_files() == first


def test_a_changed_source_makes_a_new_table(folder: Path) -> None:
    table = folder / "data" / "paraphrase-en.gz"
    before = open_paraphrases(table)
    table.write_bytes(gzip.compress(b"0.1\na\nb\n"))
    after = open_paraphrases(table)
    assert (before.entries, after.entries) == (len(PARAPHRASES), 1)
    assert before.checksum != after.checksum


@pytest.mark.parametrize("damage", [b"", b"tertium\n", b"\0" * 4096])
def test_a_damaged_table_is_made_again(folder: Path, damage: bytes) -> None:
    table = folder / "data" / "paraphrase-en.gz"
    open_paraphrases(table)
    [path] = cache_folder().iterdir()
    whole = path.read_bytes()
    path.unlink()  # the old file may still be mapped
    path.write_bytes(damage)
    assert open_paraphrases(table).entries == len(PARAPHRASES)
    assert path.read_bytes() == whole


def test_many_can_be_first_at_once(folder: Path) -> None:
    table = folder / "data" / "paraphrase-en.gz"
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(open_paraphrases, [table] * 32))
    assert {one.entries for one in opened} == {len(PARAPHRASES)}
    assert len(cached_files()) == 1  # and nothing half-written is left


def test_without_a_place_to_write(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))
    assert open_paraphrases(folder / "data" / "paraphrase-en.gz").entries == len(PARAPHRASES)


def test_the_cache_is_in_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert cache_folder() == Path.home() / ".cache" / "tertium"


# name, content -> message
UNREADABLE = [
    (
        "odd.gz",
        gzip.compress(b"0.5\na\n", mtime=0),
        "found 2 lines, expected three for each paraphrase",
    ),
    ("cut.gz", gzip.compress(b"0.5\na\nb\n" * 99, mtime=0)[:-9], "expected a table of paraphrases"),
    ("bad.gz", b"\x1f\x8b" + b"x" * 99, "expected a table of paraphrases"),
]


@pytest.mark.parametrize(("name", "content", "message"), UNREADABLE)
def test_unreadable_paraphrases(folder: Path, name: str, content: bytes, message: str) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        open_paraphrases(folder / name)
    assert str(folder / name) in str(error.value)
    assert message in str(error.value)


def test_unreadable_program_file(folder: Path) -> None:
    jar = folder / "meteor-1.5.jar"
    jar.write_bytes(b"not a zip file")
    with pytest.raises(InputError, match="expected the program file of Meteor"):
        open_lexicon(jar, ENGLISH)
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("synonym/english.synsets", "car\none two\n")
    with pytest.raises(InputError, match="found 'one', expected a synset number"):
        open_lexicon(jar, ENGLISH)


def test_plain_tables_serve_too(folder: Path) -> None:
    table = folder / "plain.txt"
    table.write_bytes(b"0.5\na b\nc\n0.5\n\nd\n0.1\ne\r\nf\r\n")
    assert open_paraphrases(table).entries == 2  # an empty side says nothing


def test_a_checksum_is_a_promise(folder: Path) -> None:
    metric = Meteor(folder=str(folder), stages=("exact", "paraphrase"))
    signature = metric.signature()
    checksum = open_paraphrases(folder / "data" / "paraphrase-en.gz").checksum
    assert f"+paraphrase-en.gz@{checksum[:8]}|" in signature
    wrong = metric.with_options(resources="meteor-1.5.jar+paraphrase-en.gz@00000000")
    with pytest.raises(OptionError, match=r"expected paraphrase-en\.gz@00000000"):
        wrong.statistics(["a"], ["a"])
    right = metric.with_options(resources=f"meteor-1.5.jar+paraphrase-en.gz@{checksum[:8]}")
    assert right.signature() == signature


def lexicon_bytes() -> bytes:
    return build_meteor_lexicon(
        synsets=alternating(SYNSETS).encode(),
        exceptions=alternating(EXCEPTIONS).encode(),
        function_words="\n".join(FUNCTION_WORDS).encode(),
        abbreviations=b"Mr\n",
        checksum="c",
    )


def phrase_bytes() -> bytes:
    builder = PhraseTableBuilder()
    for phrase, other in PARAPHRASES:
        builder.feed(f"0.5\n{phrase}\n{other}\n".encode())
    return builder.finish("c")


TEXT = ["of course the mice naturally came at once in no time quickly right away big cars"]
OTHER = ["naturally a mouse of course came quickly right away and large automobiles at once"]

changes = st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), max_size=12)


@pytest.mark.slow
@settings(deadline=None, max_examples=examples(400))
@given(changes)
def test_damaged_tables_are_refused_or_harmless(changed: list[tuple[int, int]]) -> None:
    """Whatever a mapped file holds, nothing outside of it is read."""

    def damaged(content: bytes) -> "np.typing.NDArray[np.uint8]":
        table = np.frombuffer(bytearray(content), dtype=np.uint8)
        for place, value in changed:
            table[place % len(table)] = value
        return table

    try:
        lexicon = MeteorLexicon(damaged(lexicon_bytes()))
        phrases = MeteorPhrases(damaged(phrase_bytes()))
    except ValueError:
        return

    def words(text: list[str], base: MeteorWords | None) -> MeteorWords:
        found = MeteorWords([Texts(text)], base)
        fresh = found.fresh_words()
        found.learn(lowercased=fresh, stems=fresh, lexicon=lexicon, synonyms=True, phrases=phrases)
        return found

    references = words(OTHER, None)
    rows = meteor_statistics(
        words(TEXT, references),
        references,
        stages=["exact", "stem", "synonym", "paraphrase"],
        weights=[1.0, 1.0, 1.0, 1.0],
        alpha=0.5,
        beta=1.0,
        gamma=0.5,
        delta=0.5,
        beam=40,
        by_stage=False,
        phrases=phrases,
    )
    assert np.isfinite(rows).all()
    assert rows[0, 5:].sum() <= 2 * len(OTHER[0].split()) + 2 * len(TEXT[0].split())


def test_pieces_may_be_cut_anywhere() -> None:
    whole = "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in PARAPHRASES).encode()
    for size in (1, 2, 7, 1000):
        builder = PhraseTableBuilder()
        for start in range(0, len(whole), size):
            builder.feed(whole[start : start + size])
        assert builder.finish("c") == phrase_bytes()


def test_threads_do_not_matter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    metric = Meteor(folder=str(folder), stages=("exact", "synonym", "paraphrase"))
    hypotheses, references = TEXT * 100, OTHER * 100
    rows = metric.statistics(hypotheses, references)
    monkeypatch.setitem(os.environ, "TERTIUM_THREADS", "1")
    np.testing.assert_array_equal(metric.statistics(hypotheses, references), rows)
