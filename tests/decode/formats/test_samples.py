"""Sampled texts with log-probabilities: JSON lines, fairseq, answers of served models."""

import json
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.decode import Damages, NBest, format_named, mbr, read, read_nbest
from tertium.decode.formats.numbered_lines import IMPOSSIBLE
from tertium.errors import InputError, OptionError
from tests.support.commands import error, output
from tests.support.decode_files import file_of, read_text, written

FAIRSEQ = """\
2026-01-01 | INFO | fairseq.tasks.translation | loading the dictionary
S-1\tein Haus
T-1\ta house
H-1\t-0.5\ta ho@@ use
D-1\t-0.5\ta house
P-1\t-0.25 -0.5 -0.75
H-1\t-inf\tone house
D-1\t-inf\tone house
P-1\t-1 -1
A-1\t0-0 1-1
S-0\tja
T-0\tyes
H-0\t-1\tyes
D-0\t-1\tyes
P-0\t-1
H-0\t-2\tyeah
D-0\t-2\tyeah
P-0\t-2
W-0\t0.1\tseconds
Generate test with beam=2: BLEU4 = 12.34, 50.0/20.0
"""
CHAT = {
    "id": "chatcmpl-1",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "a house"},
            "logprobs": {"content": [{"logprob": -0.5}, {"logprob": -0.25}]},
        },
        {"index": 1, "message": {"content": "one house"}, "logprobs": None},
    ],
}
COMPLETION = {
    "choices": [
        {"text": "a house", "logprobs": {"token_logprobs": [None, -1.0]}},
        {"text": "one house", "logprobs": {"token_logprobs": [-2, -1.5]}},
    ],
    "references": "a house",
}


def samples(*lines: dict[str, Any]) -> list[NBest]:
    return read_text("".join(f"{json.dumps(line)}\n" for line in lines), "samples")


def scores(one: NBest) -> list[float]:
    assert one.scores is not None
    return [float(score) for score in one.scores]


def test_log_probabilities_are_a_feature() -> None:
    (one,) = samples({"hypotheses": ["a", "b"], "logprobs": [-1, -2], "features": {"n": [1, 2]}})
    assert one.feature_names == ("logprobs", "n")
    assert one.features.tolist() == [[-1, 1], [-2, 2]]
    assert scores(one) == [-1, -2]
    assert one.reranked({"logprobs": -1.0}).hypotheses == ("b", "a")


def test_what_is_impossible_is_read() -> None:
    text = '{"hypotheses": ["a", "b", "c", "d"], "logprobs": [-Infinity, null, "-inf", -3]}\n'
    (one,) = read_text(text, "samples")
    assert scores(one) == [IMPOSSIBLE, IMPOSSIBLE, IMPOSSIBLE, -3]
    assert mbr(one, "chrf").evidence.probabilities.tolist() == [0, 0, 0, 1]
    (unknown,) = samples({"hypotheses": ["a", "b"], "logprobs": [None, None]})
    assert unknown.scores is None
    with pytest.raises(InputError, match="logprobs: found inf, expected"):
        read_text('{"hypotheses": ["a"], "logprobs": [Infinity]}', "samples")


def test_ids_that_are_names() -> None:
    first, second, third = samples(
        {"id": "news-7", "hypotheses": ["a"]},
        {"id": "5", "hypotheses": ["b"]},
        {"hypotheses": ["c"]},
    )
    assert [(one.segment, one.label) for one in (first, second, third)] == [
        (0, "news-7"),
        (5, ""),
        (2, ""),
    ]
    assert '"id": "news-7"' in written([first], "samples")
    assert format_named("moses").losses(first) == ["segments that are called by names"]
    with pytest.raises(InputError, match="id: found"):
        samples({"id": 1.5, "hypotheses": ["a"]})


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("scores", "logprobs"),
        ("score", "logprobs"),
        ("logprob", "logprobs"),
        ("log_probs", "logprobs"),
        ("hypothesis", "hypotheses"),
        ("reference", "references"),
        ("refs", "references"),
        ("feature", "features"),
    ],
)
def test_slips_are_errors(key: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"unknown key '{key}'; did you mean '{meant}'"):
        samples({"hypotheses": ["a"], key: [1]})


def test_other_keys_are_passed_over() -> None:
    (one,) = samples({"hypotheses": ["a"], "source_lang": "de", "doc_id": 3, "model": "x"})
    assert one.hypotheses == ("a",)


@pytest.mark.parametrize(
    "one",
    [
        NBest(segment=3, hypotheses=("a", "b"), scores=np.array([1.0, 2.0])),
        NBest(
            segment=0,
            label="x",
            hypotheses=("a",),
            feature_names=("logprobs", "lm"),
            features=np.array([[-1.0, 2.0]]),
            scores=np.array([-1.0]),
        ),
        NBest(
            segment=0,
            hypotheses=("a",),
            feature_names=("logprobs",),
            features=np.array([[-1.0]]),
            scores=np.array([7.0]),
        ),
        NBest(
            segment=0, hypotheses=("a",), feature_names=("logprobs",), features=np.array([[-1.0]])
        ),
        NBest(
            segment=0,
            hypotheses=("a",),
            feature_names=("lm", "logprobs"),
            features=np.array([[-1.0, -2.0]]),
            scores=np.array([-2.0]),
        ),
    ],
)
def test_samples_come_back_as_they_were(one: NBest) -> None:
    assert read_text(written([one], "samples"), "samples") == [one]


def test_fairseq() -> None:
    first, second = read(file_of(FAIRSEQ))
    assert isinstance(first, NBest)
    assert isinstance(second, NBest)
    assert (first.segment, first.source, first.references) == (0, "ja", ("yes",))
    assert second.hypotheses == ("a house", "one house")
    assert second.feature_names == ("logprobs", "score")
    assert second.features.tolist() == pytest.approx(
        np.array([[-1.5 * log(2), -0.5 * log(2)], [-2 * log(2), IMPOSSIBLE]])
    )
    assert scores(second) == pytest.approx([-0.5 * log(2), IMPOSSIBLE])
    without = FAIRSEQ.replace("P-", "X-").replace("D-", "X-")
    (*_, plain) = read(file_of(without))
    assert isinstance(plain, NBest)
    assert plain.hypotheses[0] == "a ho@@ use"
    assert plain.feature_names == ("score",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("H-2\tx\ty", "in.txt: line 2: H-2: found 'x', expected a finite number"),
        ("H-2\t-1", "H-2: found '-1', expected a score, a tab and a text"),
        ("D-2\t-1\tx", "D-2: found it before any H line"),
        ("S-2\tx", "found no line H-2, expected one"),
    ],
)
def test_damaged_fairseq(line: str, message: str) -> None:
    text = f"H-0\t-1\ta\n{line}\n"
    with pytest.raises(InputError) as caught:
        read_text(text, "fairseq")
    assert message in str(caught.value)
    damages = Damages(skip=True)
    assert len(list(format_named("fairseq").read(file_of(text), damages))) == 1
    assert damages.segments == {2}


def test_choices_of_served_models() -> None:
    batch = {"custom_id": "7", "response": {"status_code": 200, "body": CHAT}, "error": None}
    named = {**batch, "custom_id": "request-b"}
    lines = (CHAT, COMPLETION, batch, named)
    found = list(read_nbest(file_of("".join(f"{json.dumps(line)}\n" for line in lines))))
    assert [(one.segment, one.label) for one in found] == [
        (0, ""),
        (1, ""),
        (7, ""),
        (3, "request-b"),
    ]
    assert {one.hypotheses for one in found} == {("a house", "one house")}
    assert scores(found[0]) == [-0.75, IMPOSSIBLE]
    assert scores(found[1]) == [-1.0, -3.5]
    assert found[1].references == ("a house",)
    assert found[1].feature_names == ("logprobs",)
    (plain,) = read_text('{"choices": [{"text": "a"}, {"text": "b"}]}', "choices")
    assert plain.scores is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"choices": 1}, "choices: found '1', expected a list"),
        ({"choices": [1]}, r"choices\[0\]: found '1', expected an object"),
        ({"choices": [{"message": {"content": None}}]}, "found 'None' as content, expected a str"),
        ({"choices": [{"text": "a", "logprobs": [1]}]}, "logprobs: found .* expected an object"),
        ({"response": None, "error": {"code": 500}}, "error: found .* expected an answer"),
        ({"response": {"body": None}}, "response.body: found 'None', expected an object"),
    ],
)
def test_damaged_choices(value: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_text(json.dumps(value), "choices")


def test_both_are_only_read() -> None:
    for name in ("fairseq", "choices"):
        with pytest.raises(OptionError, match=f"format {name}: found it for output"):
            format_named(name).write([])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lists = [
        {"hypotheses": ["a c", "a b"], "logprobs": [-2, -1], "features": {"n": [5, 1]}},
        {"hypotheses": ["c d", "c e"], "logprobs": [-2, -1], "features": {"n": [5, 1]}},
    ]
    Path("samples").write_text("".join(f"{json.dumps(one)}\n" for one in lists), "utf-8")
    Path("ref").write_text("a c\nc e\n", encoding="utf-8")
    Path("run").write_text(FAIRSEQ, encoding="utf-8")
    Path("weights").write_text("logprobs= 1\nn= 0.1\n", encoding="utf-8")


@pytest.mark.usefixtures("files")
def test_before_is_the_models_own_choice(capsys: pytest.CaptureFixture[str]) -> None:
    """The second of each list is the more probable; one of the two is right."""
    words = ["-r", "ref", "--also", "wer", "-f", "json"]
    found = json.loads(output(capsys, "rerank", "samples", "--weights", "weights", *words))
    assert found["scores"][0]["before"] == 25
    assert found["changed"] == 0
    tuned = json.loads(
        output(capsys, "tune", "ref", "-i", "samples", "-m", "wer", "-f", "json", "--restarts", "0")
    )
    assert tuned["features"] == ["logprobs", "n"]
    assert tuned["before"]["weights"] == {"logprobs": pytest.approx(1), "n": pytest.approx(0)}
    assert tuned["before"]["dev"]["scores"] == [25]


@pytest.mark.usefixtures("files")
def test_fairseq_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "mbr", "run", "-f", "lines") == "yes\na house\n"
    assert "source" in output(capsys, "rerank", "run", "--add-metric", "chrf").splitlines()[0]
    assert "invalid choice" in error(capsys, "convert", "run", "--to", "fairseq")
