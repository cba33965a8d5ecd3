"""`explain`: the parts make up the score, and the trace says what happened."""

from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import InputError
from tertium.explanation import explain
from tertium.metrics.contract.table import parse_metric
from tertium.text.corpus import Corpus, System
from tertium.text.references import References, column_of
from tests.support.commands import json_output, output

SAMPLE = Path(tertium.__file__).parent / "data" / "sample"


def corpus_of(references: list[list[str]]) -> Corpus:
    return Corpus(references=References.of(references), name="references")


def system_of(hypotheses: list[str]) -> System:
    return System(name="system", hypotheses=column_of(hypotheses, "system"))


def test_bleu_is_the_product_of_its_parts() -> None:
    corpus = corpus_of([["a b c d e f"], ["g h i j"]])
    (parts,) = explain(corpus, [system_of(["a b c d x", "g h i j"])], "bleu").systems
    values = {one.name: one.value for one in parts.components}
    assert values["1-gram precision"] == pytest.approx(100 * 8 / 9)
    assert values["brevity penalty"] == pytest.approx(np.exp(1 - 10 / 9))
    assert parts.value == pytest.approx(values["brevity penalty"] * values["mean precision"])
    notes = {one.name: one.note for one in parts.components}
    assert notes["4-gram precision"] == "2/3"  # not "b c d x"


def test_strict_brevity_says_what_is_covered() -> None:
    corpus = corpus_of([["a b c d"], ["a b c d"]])
    (parts,) = explain(corpus, [system_of(["a b c d e f", "a b"])], "bleu-sbp").systems
    notes = {one.name: one.note for one in parts.components}
    assert notes["brevity penalty"] == "6 words within their segment's length of 8"


def test_nist_is_the_sum_of_its_parts() -> None:
    corpus = corpus_of([["a b c d"], ["a c b e"]])
    (parts,) = explain(corpus, [system_of(["a b c", "a c"])], "nist").systems
    *gained, penalty = parts.components
    assert penalty.name == "length penalty"
    assert parts.value == pytest.approx(sum(one.value for one in gained) * penalty.value)


def test_the_path_of_the_automaton_adds_up() -> None:
    corpus = corpus_of([["the cat sat on the mat"]])
    found = explain(corpus, [system_of(["the cat lay on a mat now"])], "grr", segments=[1])
    (segment,) = found.segments
    gains = [float(line.split()[-1]) for line in segment.trace[1:]]
    recognised = segment.components[0].value
    assert sum(gains) == recognised
    assert segment.trace[1].split() == ["match", "the", "|", "the", "run", "1", "+1"]


def test_word_errors_are_aligned() -> None:
    corpus = corpus_of([["the cats sat"]])
    found = explain(corpus, [system_of(["the cat sat down"])], "wer", segments=[1])
    assert found.segments[0].trace[2].split() == ["S", "I"]


def test_meteor_names_stages_and_chunks() -> None:
    corpus = corpus_of([["the cat sat on the mat"]])
    metric = parse_metric("meteor[stages=exact]")
    found = explain(corpus, [system_of(["on the mat the cat sat"])], metric, segments=[1])
    (segment,) = found.segments
    values = {one.name: one.value for one in segment.components}
    assert values["exact matches"] == 6
    assert segment.value == pytest.approx(values["F mean"] * (1 - values["fragmentation penalty"]))
    assert segment.trace[0].startswith("2 chunks with: the cat")
    assert len(segment.trace) == 1 + 6


def test_ter_shows_its_shifts() -> None:
    corpus = corpus_of([["the cat sat on the mat"]])
    found = explain(corpus, [system_of(["on the mat the cat sat"])], "ter", segments=[1])
    (segment,) = found.segments
    assert segment.trace[0] == "shift 3 words from 0 to 3: on the mat"
    assert {one.name: one.value for one in segment.components}["shifts"] == 1


def test_nee_says_which_names_were_found() -> None:
    text = "<ENAMEX TYPE=PERSON>Ada</ENAMEX> met <ENAMEX TYPE=PERSON>Bob</ENAMEX>."
    found = explain(corpus_of([[text]]), [system_of(["Ada met Rob."])], "nee", segments=[1])
    found_line, missed_line = found.segments[0].trace
    assert "'Ada': found" in found_line
    assert "'Bob': missed" in missed_line


def test_a_segment_that_is_not_there() -> None:
    with pytest.raises(InputError, match="segment 3: not there, expected 1 to 1"):
        explain(corpus_of([["a"]]), [system_of(["a"])], "bleu", segments=[3])


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "explain",
        *(str(SAMPLE / f"reference.{n}.en") for n in (1, 2)),
        *("-i", *(str(SAMPLE / "systems" / f"{name}.txt") for name in ("birch", "elm"))),
        *("-m", "bleu", "grr", "--segment", "3"),
    ]
    table = output(capsys, *words)
    assert "brevity penalty" in table
    assert "segment 3, elm" in table
    made = json_output(capsys, *words)
    assert [one["system"] for one in made["systems"]] == ["birch", "elm"]
    (bleu, _), (_, grr) = (one["scores"] for one in made["systems"])
    assert (bleu["metric"], grr["metric"], made["segments"]) == ("bleu", "grr", 92)
    assert round(bleu["score"], 2) == 52.38
    assert [one["segment"] for one in grr["traces"]] == [3]
    assert grr["traces"][0]["trace"]
