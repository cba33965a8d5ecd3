"""``tertium mbr`` as users meet it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tertium.cli.demo import SAMPLE
from tertium.cli.main import dispatch
from tertium.decode.mbr.decision import Decider, MbrSetting
from tertium.decode.mbr.lists import mbr
from tertium.decode.mbr.outcomes import FLATTERY, mbr_corpus
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.catalog import DEFAULT_METRICS
from tertium.metrics.contract.table import parse_metric
from tests.support.commands import json_output, output, ran

LISTS = [
    {
        "id": 0,
        "references": ["the cat sat on the mat ."],
        "hypotheses": ["the cat sat on a mat .", "a cat sat on the mat .", "the dog ran"],
        "logprobs": [-3.1, -3.2, -2.9],
    },
    {
        "id": 1,
        "references": ["hello world"],
        "hypotheses": ["hello world", "hi world", "hello world"],
        "logprobs": [-1.0, -0.5, -1.0],
    },
]
CHOSEN = ["the cat sat on a mat .", "hello world"]


@pytest.fixture
def samples(tmp_path: Path) -> str:
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in LISTS), encoding="utf-8")
    return str(path)


def test_lines(capsys: pytest.CaptureFixture[str], samples: str) -> None:
    assert output(capsys, "mbr", samples, "--utility", "chrf", "-f", "lines").splitlines() == CHOSEN


def test_the_text_shows_the_numbers_of_the_json_under_their_names(
    capsys: pytest.CaptureFixture[str], samples: str
) -> None:
    words = ["mbr", samples, "--utility", "chrf", "--also", "bleu"]
    rows = [line.split() for line in output(capsys, *words).splitlines()]
    found = json_output(capsys, *words)
    first = rows.index(["segment", "expected", "chosen"])
    for row, segment in zip(rows[first + 2 :], found["segments"], strict=False):
        expected = f"{segment['expected']:.2f}"
        assert row == [str(segment["segment"]), expected, *segment["text"].split()]
    metric = rows.index(["metric", "before", "after", "difference"])
    for row, score in zip(rows[metric + 2 :], found["scores"], strict=False):
        numbers = [f"{score[name]:.2f}" for name in ("before", "after")]
        gain = f"{score['after'] - score['before']:+.2f}"
        assert [word for word in row if re.fullmatch(r"[-+.\d]+", word)] == [*numbers, gain]


def test_report_shows_other_metrics_and_says_what_flatters(
    capsys: pytest.CaptureFixture[str], samples: str
) -> None:
    text = output(capsys, "mbr", samples, "--utility", "chrf", "--also", "bleu", "ter")
    assert FLATTERY in text
    assert "1 chosen against the model's first choice; utility chrf, scale 1" in text
    assert "exact over what was given" in text
    (row,) = (line for line in text.splitlines() if "took part in the choice" in line)
    assert row.startswith("chrF")
    assert [line.split()[0] for line in text.splitlines() if "+" in line or "-55" in line] == [
        "chrF",
        "BLEU",
        "TER",
    ]


def test_json_is_what_python_gives(capsys: pytest.CaptureFixture[str], samples: str) -> None:
    found = json_output(capsys, "mbr", samples, "--utility", "bleu", "--scale", "0.5")
    lists = [
        NBest(
            segment=one["id"],  # type: ignore[arg-type]
            hypotheses=one["hypotheses"],  # type: ignore[arg-type]
            scores=np.array(one["logprobs"]),
            references=one["references"],  # type: ignore[arg-type]
        )
        for one in LISTS
    ]
    decider = Decider(setting=MbrSetting(utility=parse_metric("bleu"), scale=0.5))
    metrics = [parse_metric(spec) for spec in DEFAULT_METRICS]
    outcome = mbr_corpus(lists, decider, metrics=metrics)
    assert found == json.loads(json.dumps(outcome.to_dict()))
    assert [one["text"] for one in found["segments"]] == [
        mbr(one, "bleu", scale=0.5).text for one in lists
    ]
    assert found["seed"] is None
    assert found["approximation"] is None


def test_references_from_files(
    capsys: pytest.CaptureFixture[str], samples: str, tmp_path: Path
) -> None:
    (tmp_path / "ref").write_text("the dog ran\nhello world\n", encoding="utf-8")
    given = json_output(capsys, "mbr", samples, "-r", str(tmp_path / "ref"), "--also", "wer")
    (wer,) = (one for one in given["scores"] if one["metric"] == "wer")
    assert wer["before"] == 0.0  # the model's first choices are these references
    assert wer["after"] > 0
    (tmp_path / "ref").write_text("the dog ran\n", encoding="utf-8")
    with pytest.raises(InputError, match="references: found 1 segment"):
        dispatch(["mbr", samples, "-r", str(tmp_path / "ref")])


def test_flat_text_of_the_sample(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    columns = [
        path.read_text(encoding="utf-8").splitlines()
        for path in sorted(SAMPLE.glob("systems/*.txt"))
    ]
    flat = tmp_path / "flat.txt"
    rows = list(zip(*columns, strict=True))
    flat.write_text("".join(f"{text}\n" for row in rows for text in row), encoding="utf-8")
    lines = output(capsys, "mbr", str(flat), "--lines", "5", "--utility", "bleu", "-f", "lines")
    assert lines.splitlines() == [mbr(row, "bleu").text for row in rows]
    pruned = output(
        capsys, "mbr", str(flat), "--lines", "5", "--utility", "bleu", "-f", "lines", "--prune"
    )
    assert pruned == lines


def test_pairs_that_are_not_scored(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The choice alone needs few pairs of a long list; all candidates' utilities need all."""
    texts = [
        text
        for path in sorted(SAMPLE.glob("systems/*.txt"))
        for text in path.read_text(encoding="utf-8").splitlines()[:12]
    ]
    flat = tmp_path / "flat.txt"
    flat.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    words = [str(flat), "--lines", str(len(texts)), "--utility", "ter"]
    whole = mbr(texts, "ter", prune=False)
    assert output(capsys, "mbr", *words, "-f", "lines") == f"{whole.text}\n"
    made = re.search(r", ([\d,]+) of ([\d,]+) pairs scored", output(capsys, "mbr", *words))
    assert made is not None
    scored, possible = (int(number.replace(",", "")) for number in made.groups())
    assert scored < possible / 10
    (segment,) = json_output(capsys, "mbr", *words)["segments"]
    assert segment["pairs"] == segment["all_pairs"] == possible == whole.pairs
    assert segment["expected"] == whole.score
    assert [one["expected"] for one in segment["utilities"]] == whole.expected.tolist()


def test_separate_candidates(
    capsys: pytest.CaptureFixture[str], samples: str, tmp_path: Path
) -> None:
    other = tmp_path / "candidates.jsonl"
    beam = [{"id": 0, "hypotheses": ["a cat", "dogs"]}, {"id": 1, "hypotheses": ["world"]}]
    other.write_text("".join(f"{json.dumps(one)}\n" for one in beam), encoding="utf-8")
    words = ["--candidates", str(other), "-f", "lines"]
    assert output(capsys, "mbr", samples, *words).splitlines() == ["a cat", "world"]
    other.write_text(json.dumps(beam[0]), encoding="utf-8")
    with pytest.raises(InputError, match="only among the evidence"):
        dispatch(["mbr", samples, *words])


def test_matrices_are_saved_and_used(
    capsys: pytest.CaptureFixture[str], samples: str, tmp_path: Path
) -> None:
    matrix = str(tmp_path / "utilities.npz")
    words = [samples, "--utility", "chrf", "-f", "json"]
    first = output(capsys, "mbr", *words, "--save-matrix", matrix)
    assert output(capsys, "mbr", *words, "--load-matrix", matrix) == first
    assert output(capsys, "mbr", *words, "--load-matrix", matrix, "--scale", "3") == output(
        capsys, "mbr", *words, "--scale", "3"
    )
    with pytest.raises(InputError, match="found utility chrf, expected bleu"):
        dispatch(["mbr", samples, "--utility", "bleu", "--load-matrix", matrix])
    changed = tmp_path / "changed.jsonl"
    text = Path(samples).read_text(encoding="utf-8")
    changed.write_text(text.replace("cat", "dog"), encoding="utf-8")
    with pytest.raises(InputError, match="found candidates other than those of the matrix"):
        dispatch(["mbr", str(changed), "--load-matrix", matrix])


def test_lattices(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "two.plf"
    path.write_text(
        "((('the',0.0,1),('a',-0.5,1),),(('cat',0.0,1),('dog',-1.0,1),),)\n"
        "((('x',0.0,1),),(('y',0.0,1),),)\n",
        encoding="utf-8",
    )
    words = [str(path), "--from", "plf", "-f", "json"]
    found = json.loads(
        output(capsys, "mbr", *words, "--utility", "grr", "--samples", "50", "--paths", "3")
    )
    assert found["utility"] == "grr[tokenizer=none]"
    assert found["seed"] == 12345
    assert found["approximation"].startswith("candidates: 3 best paths and 50 samples")
    assert found["segments"][1]["text"] == "x y"
    linear = json.loads(
        output(capsys, "mbr", *words, "--utility", "linear-bleu", "--precision", "0.5")
    )
    assert (linear["seed"], linear["approximation"]) == (None, None)
    assert linear["segments"][0]["text"] == "the cat"
    assert linear["segments"][0]["candidates"] == 4
    exact = json.loads(output(capsys, "mbr", *words, "--utility", "wrr", "--all-paths", "2"))
    assert exact["approximation"] == "candidates: all paths; evidence: 2 best paths"
    (tmp_path / "ref").write_text("the cat\nx y\n", encoding="utf-8")
    scored = json.loads(
        output(
            capsys,
            "mbr",
            *words,
            "--utility",
            "linear-bleu",
            "-r",
            str(tmp_path / "ref"),
            "--also",
            "wer",
        )
    )
    assert [one["metric"] for one in scored["scores"]] == ["wer[tokenizer=none]"]


def test_damaged_lattices(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bad.plf"
    path.write_text("((('a',0,1),),)\n((('a',0,5),),)\n((('b',0,1),),)\n", encoding="utf-8")
    words = [str(path), "--from", "plf", "--utility", "linear-bleu", "-f", "lines"]
    with pytest.raises(InputError, match=r"bad\.plf: line 2"):
        dispatch(["mbr", *words])
    assert capsys.readouterr().out == "a\n"  # lines come when they are decided
    captured = ran(capsys, "mbr", *words, "--skip-bad")
    assert captured.status == 0
    assert captured.out == "a\n\nb\n"
    assert "skipped 1 damaged" in captured.err
    (tmp_path / "ref").write_text("a\na\nb\n", encoding="utf-8")
    judged = ["--skip-bad", "-r", str(tmp_path / "ref"), "--also", "wer"]
    captured = ran(capsys, "mbr", *words[:-2], *judged)
    assert captured.status == 0
    assert "0.00" in captured.out  # each against the reference of its own number


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--utility", "linear-bleu"], "expected a metric"),
        (["--utility", "ter", "--approximate", "mean-reference"], "expected bleu"),
        (["--save-matrix", "x.npz", "--prune"], "expected neither"),
        (["--save-matrix", "x.npz", "--load-matrix", "y.npz"], "expected one of them"),
        (["--save-matrix", "x.txt"], "neither .npz nor .npy"),
        (["--scale", "-1"], "scale"),
        (["--utility", "blue"], "did you mean 'bleu'"),
    ],
)
def test_mistakes(samples: str, words: list[str], message: str) -> None:
    with pytest.raises(TertiumError, match=message):
        dispatch(["mbr", samples, *words])


def test_flags_of_lists_do_not_fit_lattices(tmp_path: Path) -> None:
    path = tmp_path / "one.plf"
    path.write_text("((('a',0,1),),)\n", encoding="utf-8")
    for words in (["--prune"], ["--approximate", "mean-reference"], ["--candidates", str(path)]):
        with pytest.raises(OptionError, match="expected n-best lists"):
            dispatch(["mbr", str(path), "--from", "plf", *words])


CHINESE = {
    "id": 0,
    "references": ["我今天去北京。"],
    "hypotheses": ["我今天去北京！", "我明天去北京。", "今天他去上海。"],
    "logprobs": [-1.0, -1.1, -1.2],
}


@pytest.mark.parametrize(
    ("command", "flags"),
    [
        ("mbr", ("--utility", "bleu", "--also", "chrf", "bleu")),
        ("oracle", ("-m", "bleu")),
        ("rerank", ("--add-metric", "bleu", "--also", "bleu")),
    ],
)
def test_language_chooses_the_tokenizer_as_in_score(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, flags: tuple[str, ...]
) -> None:
    lists = tmp_path / "zh.jsonl"
    lists.write_text(json.dumps(CHINESE, ensure_ascii=False) + "\n", encoding="utf-8")
    references = tmp_path / "zh.txt"
    references.write_text("我今天去北京。\n", encoding="utf-8")
    words = (command, str(lists), "-r", str(references), *flags, "-f", "json")
    assert "tok:zh" not in output(capsys, *words)
    assert "tok:zh" in output(capsys, *words, "-l", "en-zh")
