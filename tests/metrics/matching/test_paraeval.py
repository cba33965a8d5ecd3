"""ParaEval recall: matches by hand, the greedy procedure, and the table of paraphrases."""

import gzip
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.matching.paraeval import ParaEval, matched_words
from tertium.metrics.resources.paraphrases import Paraphrases, read_paraphrases
from tests.oracles.matching import paraeval as oracle

pytestmark = pytest.mark.slow

ENTRIES = [
    ("have been", "to be"),
    ("to date", "up till now"),
    ("completed", "fully"),
    ("sequence", "sequenced"),
    ("a number of", "several"),
    ("Nations United", "UN"),
]


def table_text(entries: list[tuple[str, str]]) -> str:
    return "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in entries)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "paraphrase-en.gz"
    path.write_bytes(gzip.compress(table_text(ENTRIES).encode()))
    return path


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches"),
    [
        ("several people", "a number of people", 4),  # 3 by the phrase, 1 by the word
        ("a number of people", "several people", 2),  # the table counts both ways
        ("until today", "up till now", 0),
        ("up till today", "up till now", 2),  # no phrase: the words themselves
        ("to be", "have been to", 2),  # the phrase takes 'to be', 'to' is left
        ("several several", "a number of", 3),
        ("several", "a number of a number of", 3),  # one phrase of the hypothesis for one
        ("UN", "nations united", 2),  # lower-cased like the text
        # the paper's example of a paraphrase match, shortened
        (
            "it was sequenced fully up till now and has to be paid",
            "sequence completed to date have been paid",
            7,
        ),
        ("", "a number of", 0),
    ],
)
def test_matches(table: Path, hypothesis: str, reference: str, matches: int) -> None:
    row = ParaEval(table=str(table)).statistics([hypothesis], [reference])[0]  # type: ignore[arg-type]
    np.testing.assert_array_equal(row, [matches, len(reference.split()), len(hypothesis.split())])


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("a b c", ["a b x y"], 50),
        ("a a a", ["a b"], 50),  # one word for one word
        ("b a", ["a b"], 100),
        ("A b", ["a B"], 100),
        ("a b", ["a x", "a b c"], 200 / 3),  # the better reference
        ("a b", [None, "a b"], 100),
        ("", ["a b"], 0),
        ("a b", [""], 0),
        ("", [""], 100),
    ],
)
def test_segments_without_a_table(hypothesis: str, references: list[str], expected: float) -> None:
    metric = ParaEval()
    assert metric.score(metric.statistics([hypothesis], [references])[0]) == pytest.approx(expected)


def test_references_are_weighed_by_their_mean_length() -> None:
    metric = ParaEval()
    rows = metric.statistics(["a b c", ""], [["a b", "a b c d"], ""])
    np.testing.assert_allclose(rows, [[3, 3, 3], [0, 0, 0]])


letters = st.sampled_from("abcd")
phrases = st.lists(letters, min_size=1, max_size=3).map(" ".join)
tables = st.lists(st.tuples(phrases, phrases), max_size=8)
sentences = st.lists(letters, max_size=9)


def known(entries: list[tuple[str, str]]) -> Paraphrases:
    both = [*entries, *((other, phrase) for phrase, other in entries)]
    of = {a: frozenset(c for b, c in both if b == a != c) for a, _ in both}
    sizes = [len(phrase.split()) for phrase in of]
    return Paraphrases(of=of, longest=max(sizes, default=0), longest_other=max(sizes, default=0))


@given(sentences, sentences.filter(bool), tables)
def test_equals_the_procedure(
    hypothesis: list[str], reference: list[str], entries: list[tuple[str, str]]
) -> None:
    found = matched_words(hypothesis, reference, known(entries))
    assert found / len(reference) == pytest.approx(oracle.recall(hypothesis, reference, entries))


@given(sentences.filter(bool), tables)
def test_a_text_is_all_of_itself(words: list[str], entries: list[tuple[str, str]]) -> None:
    assert matched_words(words, words, known(entries)) == len(words)


@settings(deadline=None)  # files
@given(st.lists(st.tuples(sentences, sentences.filter(bool)), min_size=1, max_size=5), tables)
def test_segments_do_not_depend_on_each_other(
    tmp_path_factory: pytest.TempPathFactory,
    segments: list[tuple[list[str], list[str]]],
    entries: list[tuple[str, str]],
) -> None:
    path = tmp_path_factory.mktemp("paraeval") / "table"
    path.write_text(table_text(entries))
    metric = parse_metric(f'paraeval[table="{path}"]')
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in segments]
    references = [" ".join(reference) for _, reference in segments]
    rows = metric.statistics(hypotheses, references)
    alone = [
        metric.statistics([hypothesis], [reference])[0]
        for hypothesis, reference in zip(hypotheses, references, strict=True)
    ]
    np.testing.assert_array_equal(rows, alone)
    expected = [
        100 * oracle.recall(hypothesis, reference, entries) for hypothesis, reference in segments
    ]
    np.testing.assert_allclose(metric.score(rows), expected)


def test_the_table_is_read_for_the_references_only(table: Path) -> None:
    found = read_paraphrases(str(table), [["several", "people"], ["to", "be"]], lowercase=True)
    assert found.of == {"several": {"a number of"}, "to be": {"have been"}}
    assert (found.longest, found.longest_other) == (2, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0.5\nhave been\n", ":1: found 2 lines, expected three lines an entry: probability"),
        ("0.5\na\nb\n0.5\n\nc\n", ":5: found no phrase, expected three lines an entry"),
        ("0.5\na\nb\na\nb\n0.5\n", ":4: found 'a', expected three lines an entry"),
        ("\na\nb\n", ":1: found '', expected three lines an entry"),
    ],
)
def test_malformed_tables(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "table"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        tertium.score(["x"], ["x"], f'paraeval[table="{path}"]')
    assert str(error.value).startswith(f"{path}{message}")


def test_the_signature_pins_the_table(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checksum = sha256(table.read_bytes()).hexdigest()[:8]
    metric = parse_metric(f"paraeval[table={table}]")
    assert f"|table:{table.name}@{checksum}|" in metric.signature()
    assert parse_metric(metric.recipe) == metric
    monkeypatch.chdir(table.parent)  # a signature names the file, not its folder
    assert parse_metric(f"paraeval|{metric.signature()}").signature() == metric.signature()
    assert "|table:none|" in ParaEval().signature()
    table.write_bytes(b"")
    with pytest.raises(OptionError, match=f"found checksum e3b0c442, expected {checksum}"):
        parse_metric(metric.recipe)
    with pytest.raises(OptionError, match="no such file, expected one"):
        parse_metric("paraeval[table=nowhere.gz]")


def test_a_very_long_line() -> None:
    text = " ".join(map(str, range(500_000)))
    assert tertium.score([text], [text], "paraeval").value == 100
