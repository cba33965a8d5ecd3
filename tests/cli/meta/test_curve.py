"""``tertium meta curve``: prediction error against the length of n-grams."""

from pathlib import Path

import pytest

from tertium.cli.demo import SAMPLE
from tertium.meta import agree, metric_scores, read_judgments
from tertium.scored import scored
from tertium.text.input_files import open_inputs
from tests.support.commands import error, json_output, output

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
WORDS = ["meta", "curve", *REFERENCES, "-i", *SYSTEMS, "--ratings", str(SAMPLE / "ratings.tsv")]


def test_every_order_is_that_metrics_own_prediction_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bleu, nist = json_output(capsys, *WORDS, "-m", "bleu", "nist", "--orders", "1:3")["curves"]
    assert (bleu["orders"], nist["orders"]) == ([1, 2, 3], [1, 2, 3])
    whole = open_inputs(REFERENCES, SYSTEMS).load()
    (bigrams,) = metric_scores(scored(whole.corpus, whole.systems, ["bleu[order=2]"]))
    rated = read_judgments(SAMPLE / "ratings.tsv", segments=92)
    for people, found in zip(rated, bleu["errors"], strict=True):
        expected = agree(people, bigrams, measures=["prediction-error"])["prediction-error"].value
        assert found["criterion"] == people.criterion
        assert found["prediction_error"][1] == pytest.approx(expected)


def test_the_screen_has_a_row_for_each_order_and_names_the_best(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = output(capsys, *WORDS, "--orders", "1:8")
    rows = [line.split() for line in shown.splitlines()]
    assert ["n", "adequacy", "fluency"] in rows
    assert ["1", "28.4", "3.3"] in rows
    assert ["8", "23.7", "13.1"] in rows
    assert "bleu: adequacy is predicted best with n-grams up to 8" in shown
    assert "bleu: fluency is predicted best with n-grams up to 1" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert "\\begin{tabular}" in output(capsys, *WORDS, "--orders", "2:3", "-f", "latex")


def test_a_drawing_for_each_metric(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("plotly")
    plot = ["--plot", str(tmp_path / "c.html"), "--orders", "1:2"]
    output(capsys, *WORDS, *plot)
    output(capsys, *WORDS, *plot, "-m", "bleu", "nist")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["c-bleu.html", "c-nist.html", "c.html"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "wer"], "wer: has no order of n-grams, expected bleu, nist or the like"),
        (["-m", "blue"], "did you mean 'bleu'?"),
        (["--plot", "x.txt"], "--plot: found 'x.txt', expected a name that ends in"),
    ],
)
def test_mistakes_are_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert message in error(capsys, *WORDS, *words)


@pytest.mark.parametrize("orders", ["3:1", "0:4", "x", "1:y"])
def test_orders_that_make_no_sense(capsys: pytest.CaptureFixture[str], orders: str) -> None:
    said = error(capsys, *WORDS, "--orders", orders)
    assert f"found '{orders}', expected such as 1:16" in said
