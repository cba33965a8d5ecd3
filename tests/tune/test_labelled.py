"""Tuning on each genre and on all."""

from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.metrics.contract.table import parse_metric
from tertium.tune import GraphSurface, SearchOptions, TrainingOptions, tune, tune_by_label
from tertium.tune.labelled import OWN, subset
from tertium.tune.surfaces import Graph
from tests.support.commands import error, json_output, output
from tests.support.decoding.tuning import random_surface
from tests.support.decoding.tuning import tuning_words as words
from tests.support.lattice_strategies import random_forest, random_lattice

BLEU = parse_metric("bleu[tokenizer=none]")
LABELS = ["news", "web", "news", "web", "web", "news"] * 2
START = {"f0": 1.0, "f1": 0.5, "f2": 0.0, "f3": 0.0}
OPTIONS = SearchOptions(restarts=1)


def test_each_genre_is_tuned_as_if_alone() -> None:
    surface = random_surface(4)
    found = tune_by_label(surface, LABELS, [BLEU], START, options=OPTIONS)
    assert found.labels == ("news", "web", "all")
    news = [number for number, label in enumerate(LABELS) if label == "news"]
    alone = tune(subset(surface, news), [BLEU], START, options=OPTIONS)
    assert found.reports["news"].to_dict() == alone.to_dict()
    assert found.reports["all"].to_dict() == tune(surface, [BLEU], START, options=OPTIONS).to_dict()
    cells = {(cell.tuned_on, cell.scored_on): cell.dev for cell in found.cells}
    assert len(cells) == 4 * 3 + 1
    for label in found.labels:
        assert cells[label, label] == found.reports[label].tuned[0].dev
        assert cells["before", label] == found.reports[label].before
        # Whoever was tuned on these segments is best on them.
        scores = {one: cells[one, label].scores[0] for one in ("before", *found.labels)}
        assert scores[label] == max(scores.values())


def test_each_genre_with_its_own_weights_scored_together() -> None:
    """The sums of the genres' own statistics, as if their outputs were one file."""
    surface = random_surface(4)
    found = tune_by_label(surface, LABELS, [BLEU], START, held_out=surface, held_out_labels=LABELS)
    [cell] = [cell for cell in found.cells if cell.tuned_on == OWN]
    assert cell.scored_on == "all"
    assert cell.dev == cell.held_out
    rows = np.zeros(len(BLEU.columns))
    words = 0.0
    for label in ("news", "web"):
        part = subset(surface, [n for n, one in enumerate(LABELS) if one == label])
        weights = found.reports[label].tuned[0].weights
        point = np.array([[weights[name] for name in part.feature_names]])
        rows += part.rows(BLEU)[part.best(point)[0]].sum(axis=0)
        words += found.reports[label].tuned[0].dev.words
    assert cell.dev.scores[0] == pytest.approx(float(BLEU.score(rows)))
    assert cell.dev.words == words


@pytest.mark.parametrize("name", ["all", "before", "each its own"])
def test_a_genre_is_not_called_as_a_row(name: str) -> None:
    labels = [name if one == "web" else one for one in LABELS]
    with pytest.raises(InputError, match=f"genre: found one called '{name}', expected another"):
        tune_by_label(random_surface(4), labels, [BLEU], START)


def test_graphs_and_training() -> None:
    rng = np.random.default_rng(5)
    graphs: list[Graph] = [random_lattice(rng) if n % 3 else random_forest(rng) for n in range(6)]
    surface = GraphSurface(graphs, ["a b c", "b", "c a", "a a", "b c", "a"])
    labels = ["a", "b"] * surface.segments
    found = tune_by_label(
        surface,
        labels[: surface.segments],
        [BLEU],
        dict.fromkeys(surface.feature_names, 1.0),
        options=TrainingOptions(algorithm="mira", epochs=2),
    )
    sizes = [report.before.segments for report in found.reports.values()]
    assert sizes[0] + sizes[1] == sizes[2] == surface.segments


def test_one_genre_is_not_enough() -> None:
    with pytest.raises(InputError, match="genre: found news, expected two or more"):
        tune_by_label(random_surface(4), ["news"] * 12, [BLEU], START)
    with pytest.raises(InputError, match=r"documents: found 3 labels, expected 12 \(segments\)"):
        tune_by_label(random_surface(4), ["news", "web", "web"], [BLEU], START)


@pytest.fixture
def documents(tmp_path: Path) -> str:
    place = tmp_path / "documents.tsv"
    rows = "".join(f"{genre}\td{n}\n" for n, genre in enumerate(LABELS[:6]))
    place.write_text("genre\tdocument\n" + rows, encoding="utf-8")
    return str(place)


def test_command(
    files: dict[str, str],
    documents: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = words(files, "--documents", documents, "--for-each", "genre", "--hold-out", "3")
    found = json_output(capsys, "tune", *line)
    assert list(found["tuned_on"]) == ["news", "web", "all"]
    assert set(found["tuned_on"]["web"]["tuned"][0]["weights"]) == {"f0", "f1", "f2", "f3"}
    text = output(capsys, "tune", *line).splitlines()
    assert text[0] == "max-BLEU, dev set"
    assert text[1].split()[:4] == ["scored", "on", "tuned", "on"]
    assert text[3].split()[:3] == ["news", "before", f"{_score(found, 'before', 'news'):.2f}"]
    assert text[4].split()[:2] == ["news", f"{_score(found, 'news', 'news'):.2f}"]
    assert any(row.startswith("max-BLEU, held out") for row in text)
    assert any(row.startswith("segments by genre: news 1, web 3, all 4;") for row in text)


def test_command_tunes_by_genre_unless_told_otherwise(
    files: dict[str, str], documents: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = words(files, "--documents", documents, "--hold-out", "3")
    by_document = json_output(capsys, "tune", *line, "--for-each", "document")
    assert [label for label in by_document["tuned_on"] if label != "all"] == [
        "d0",
        "d1",
        "d3",
        "d4",
    ]
    assert list(json_output(capsys, "tune", *line)["tuned_on"]) == ["news", "web", "all"]


def _score(found: dict[str, object], tuned_on: str, scored_on: str) -> float:
    cells = found["scored_on"]
    assert isinstance(cells, list)
    (cell,) = (one for one in cells if (one["tuned_on"], one["scored_on"]) == (tuned_on, scored_on))
    return float(cell["dev"]["scores"][0])


def test_flags_that_do_not_go_together(
    files: dict[str, str],
    documents: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for more, message in (
        (["--for-each", "genre"], "--for-each: found it without --documents, expected both"),
        (
            ["--documents", documents, "-f", "moses"],
            "--documents: found it with -f moses, expected --hold-out, text or json",
        ),
        (
            ["--documents", files["weights"]],
            f"{files['weights']}:1: 1 column, expected 2 (genre and document, separated by tabs)",
        ),
    ):
        assert error(capsys, "tune", *words(files, *more)) == f"tertium: {message}"
