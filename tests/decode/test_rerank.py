"""N-best lists under other weights, and metrics as features."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.cli.main import dispatch
from tertium.decode.formats.segments import read_nbest
from tertium.decode.rerank import MetricFeature, Reranking, reranked
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.table import parse_metric
from tests.oracles.decoding import mbr as oracle
from tests.support.commands import output

NBEST = NBest(
    segment=0,
    hypotheses=("a b c", "a b d", "x y", "a b c"),
    feature_names=("lm", "tm"),
    features=np.array([[1.0, -2.0], [0.5, 0.0], [3.0, 1.0], [0.0, 0.0]]),
    scores=np.array([-1.0, -1.5, -2.0, -3.0]),
    references=("a b d",),
)
MOSES = """\
0 ||| a b c ||| lm= 1 tm= -2 ||| -1
0 ||| a b d ||| lm= 0.5 tm= 0 ||| -1.5
0 ||| x y ||| lm= 3 tm= 1 ||| -2
1 ||| p q ||| lm= 1 tm= 0 ||| -1
1 ||| p r ||| lm= 2 tm= 0 ||| -4
"""


def test_weights_decide_the_order() -> None:
    found = reranked(NBEST, {"lm": 1.0, "tm": 1.0})
    assert found.hypotheses == ("x y", "a b d", "a b c", "a b c")
    assert found.scores is not None
    assert found.scores.tolist() == [4.0, 0.5, 0.0, -1.0]


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=2))
def test_new_scores_are_weighted_sums(weights: list[int]) -> None:
    found = reranked(NBEST, dict(zip(("lm", "tm"), map(float, weights), strict=True)))
    wanted = sorted((NBEST.features @ np.array(weights)).tolist(), reverse=True)
    assert found.scores is not None
    assert found.scores.tolist() == wanted


def test_without_weights_the_scores_stay() -> None:
    found = reranked(NBEST, added=[MetricFeature.parse("chrf")])
    assert found.hypotheses == NBEST.hypotheses
    assert found.feature_names == ("lm", "tm", "Metric_chrf")
    assert found.scores is not None
    assert found.scores.tolist() == [-1.0, -1.5, -2.0, -3.0]


@pytest.mark.parametrize("spec", ["bleu", "ter", "grr[k=2]"])
def test_a_metric_against_the_list_is_its_expected_score(spec: str) -> None:
    metric = parse_metric(spec)
    found = MetricFeature(metric=metric, scale=0.5).values(NBEST)
    assert NBEST.scores is not None
    shares = oracle.softmax(NBEST.scores.tolist(), 0.5).tolist()
    wanted = oracle.expected(metric, NBEST.hypotheses, NBEST.hypotheses, shares)
    assert found.tolist() == pytest.approx(wanted)


def test_a_metric_against_references_gives_the_oracle_order() -> None:
    added = [MetricFeature.parse("1000*bleu", "references")]
    assert reranked(NBEST, added=added).hypotheses[0] == "a b d"
    other = reranked(NBEST, added=added, references=["x y"])
    assert other.hypotheses[0] == "x y"
    with pytest.raises(InputError, match="segment 3: found no reference"):
        reranked(NBest(segment=3, hypotheses=("a",)), added=added)


def test_weights_of_metrics() -> None:
    """The weight beside the metric, else the one that the weights have for its name."""
    inline = reranked(NBEST, {"lm": 0.0}, [MetricFeature.parse("-2*wer")])
    named = reranked(NBEST, {"lm": 0.0, "Metric_wer": -2.0}, [MetricFeature.parse("wer")])
    assert inline == named
    plain = reranked(NBEST, {"lm": 0.0}, [MetricFeature.parse("wer")])
    assert plain.scores is not None
    assert plain.scores.tolist() == [0.0] * 4


@pytest.mark.parametrize(
    ("text", "name", "weight"),
    [
        ("bleu", "Metric_bleu", None),
        ("0.5*grr[k=2]", "Metric_grr_k_2", 0.5),
        ("-1*ter", "Metric_ter", -1.0),
        ("rouge-l", "Metric_rouge_l", None),
    ],
)
def test_names(text: str, name: str, weight: float | None) -> None:
    one = MetricFeature.parse(text)
    assert (one.name, one.weight) == (name, weight)


def test_mistakes() -> None:
    with pytest.raises(OptionError, match=r"WEIGHT\*METRIC"):
        MetricFeature.parse("much*bleu")
    with pytest.raises(OptionError, match="did you mean"):
        MetricFeature.parse("blue")
    with pytest.raises(OptionError, match="found Metric_bleu twice"):
        reranked(NBEST, added=[MetricFeature.parse("bleu"), MetricFeature.parse("2*bleu")])
    with pytest.raises(InputError, match="no hypothesis"):
        list(Reranking().run([NBest(segment=0, hypotheses=())]))
    with pytest.raises(InputError, match="at least one"):
        Reranking().outcome()


def test_outcome() -> None:
    reranking = Reranking(None, [MetricFeature.parse("1000*bleu", "references")])
    assert [len(one) for one in reranking.run([NBEST], top=2)] == [2]
    outcome = reranking.outcome([parse_metric("bleu"), parse_metric("wer")])
    assert (outcome.segments, outcome.changed, outcome.features) == (1, 1, ("Metric_bleu",))
    bleu, wer = outcome.scores
    assert bleu.is_utility
    assert not wer.is_utility
    assert wer.before == pytest.approx(100 / 3)
    assert wer.after == 0.0


# The command.


@pytest.fixture
def nbest(tmp_path: Path) -> str:
    path = tmp_path / "dev.nbest"
    path.write_text(MOSES, encoding="utf-8")
    return str(path)


def test_command_writes_lists(
    capsys: pytest.CaptureFixture[str], nbest: str, tmp_path: Path
) -> None:
    weights = tmp_path / "weights"
    weights.write_text("lm= 1\ntm= 1\n", encoding="utf-8")
    (tmp_path / "out.nbest").write_text(
        output(capsys, "rerank", nbest, "--weights", str(weights)), encoding="utf-8"
    )
    found = list(read_nbest(tmp_path / "out.nbest"))
    assert found == [reranked(one, {"lm": 1.0, "tm": 1.0}) for one in read_nbest(nbest)]
    assert [one.hypotheses[0] for one in found] == ["x y", "p r"]
    lines = output(capsys, "rerank", nbest, "--weights", str(weights), "-f", "lines")
    assert lines == "x y\np r\n"
    top = output(capsys, "rerank", nbest, "--weights", str(weights), "--top", "1")
    assert [line.split(" ||| ")[1] for line in top.splitlines()] == ["x y", "p r"]


def test_command_adds_metrics(
    capsys: pytest.CaptureFixture[str], nbest: str, tmp_path: Path
) -> None:
    reference = tmp_path / "ref"
    reference.write_text("a b d\np r\n", encoding="utf-8")
    words = [nbest, "--add-metric", "9*grr[tokenizer=none]", "--against", "references"]
    words += ["-r", str(reference)]
    assert output(capsys, "rerank", *words, "-f", "lines") == "a b d\np r\n"
    assert "Metric_grr_tokenizer_none= " in output(capsys, "rerank", *words)
    text = output(capsys, "rerank", *words, "-f", "text", "--also", "bleu", "grr[tokenizer=none]")
    assert "2 segments, 2 with another hypothesis in front" in text
    assert "flatters" in text
    found = json.loads(output(capsys, "rerank", *words, "-f", "json", "--also", "wer"))
    assert found["scores"][0]["after"] == 0.0
    assert found["features"] == ["Metric_grr_tokenizer_none"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected one at least"),
        (["--add-metric", "blue"], "did you mean"),
        (["--add-metric", "bleu", "--against", "references"], "no reference"),
        (["--weights", "nowhere"], "nowhere"),
    ],
)
def test_command_mistakes(nbest: str, words: list[str], message: str) -> None:
    with pytest.raises(TertiumError, match=message):
        dispatch(["rerank", nbest, *words])


@pytest.mark.shared
def test_real_lists(shared_data: Path) -> None:
    folder = shared_data / "nbest" / "moses"
    lists = list(read_nbest(folder / "nbest.1.gz"))
    references = [[line] for line in (folder / "reference").read_text().splitlines()]
    oracle_order = Reranking(
        None, [MetricFeature.parse("1000*grr[tokenizer=none]", "references")], references=references
    )
    assert len(list(oracle_order.run(lists))) == 10
    (grr,) = oracle_order.outcome([parse_metric("grr[tokenizer=none]")]).scores
    assert grr.after > grr.before
