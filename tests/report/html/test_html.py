"""The report's page and payload, as far as they can be judged without a browser."""

import gzip
import json
import re
from base64 import b64decode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.errors import InputError, OptionError
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.report.html.breakdown import slice_rows
from tertium.report.html.payload import CUT, MOST_COLUMNS, contents, payload, segment_ratings
from tertium.report.plots.study import PLOTS, scatter_plot, slices_plot
from tertium.study.results import Study
from tertium.study.study import study
from tests.support.commands import error, output
from tests.support.studies import REFERENCES, SYSTEMS, sample_study

pytestmark = pytest.mark.slow

FILES = [*REFERENCES, "-i", *SYSTEMS, "--documents", str(SAMPLE / "documents.tsv")]


@pytest.fixture(scope="module")
def sample() -> Study:
    return sample_study("bleu", "wer", trials=100)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="payload">([^<]*)<', page)
    assert found is not None
    result: dict[str, Any] = json.loads(gzip.decompress(b64decode(found[1])))
    return result


@pytest.mark.slow
def test_the_page_is_the_same_each_time(sample: Study) -> None:
    assert report.page(sample) == report.page(sample)


def test_the_policy_names_the_scripts_and_nothing_else(sample: Study) -> None:
    page = report.page(sample)
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    allowed = set(re.findall(r"&#39;sha256-([^&]*)&#39;", policy[1]))
    hashes = {sha256(one.encode()).digest() for one in scripts}
    assert {b64decode(one) for one in allowed} == hashes
    assert len(scripts) == 1
    assert policy[1].startswith("default-src &#39;none&#39;")


def test_nothing_is_linked_from_elsewhere(sample: Study) -> None:
    page = re.sub(r"<script.*?</script>", "", report.page(sample), flags=re.DOTALL)
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
    assert "url(" not in page


def test_a_report_of_the_sample_is_small(sample: Study) -> None:
    page = report.page(sample)
    assert len(page.encode()) < 2e6
    assert "plotly" not in page.lower()


def test_plots_are_rows_that_need_no_script(sample: Study) -> None:
    page = re.sub(r"<script.*?</script>", "", report.page(sample), flags=re.DOTALL)
    plots = page.split('id="plots"')[1].split("</section>")[0]
    for number, metric in enumerate(sample.metrics):
        block = plots.split(f'data-metric="{number}"')[1].split('class="by-metric"')[0]
        boxes = block.split("</table>")[0]
        names = re.findall(r'<bdi class="name">([^<]*)</bdi>', boxes)
        assert names == [sample.names[index] for index in sample.ranking(metric)]
        for some in sample.slices:
            rows = block.split(f'data-slices="{some.by}"')[1].split("</tbody>")[0]
            assert rows.count('<th scope="row"') == len(some.slices)
            assert rows.count('class="dot"') == len(some.slices) * len(sample.systems)
    assert "viewBox" not in re.sub(r'<svg class="mark".*?</svg>', "", plots)


def test_the_best_end_of_a_row_is_at_the_right(sample: Study) -> None:
    for metric in sample.metrics:
        (genres,) = (one for one in sample.slices if one.by == "genre")
        for index, row in enumerate(slice_rows(sample, metric, genres)):
            places = {mark.system: mark.place for mark in row.marks}
            leader = max(places, key=lambda system: places[system])
            scores = genres.scores[metric.spec][:, index]
            best = scores.max() if metric.higher_is_better else scores.min()
            assert scores[leader] == best
            assert row.leader == sample.names[leader]


def test_the_payload_has_the_scores_and_texts(sample: Study) -> None:
    data = data_of(report.page(sample))
    assert data["systems"] == list(sample.names)
    for place, metric in enumerate(sample.metrics):
        shown = np.array(data["metrics"][place]["segments"]) / 100
        np.testing.assert_allclose(shown, sample.segments_of(metric), atol=0.00501)
    hypothesis = sample.systems[2].hypotheses[7]
    assert data["hypotheses"][7][2].replace(CUT, "") == hypothesis
    assert data["references"][7][1].replace(CUT, "") == sample.corpus.references.of_segment(7)[1]


def test_statistics_of_the_payload_add_up_to_the_score(sample: Study) -> None:
    metric = sample.metrics[1]
    columns = contents(sample)["metrics"][1]["rows"]
    assert 0 < len(columns) <= MOST_COLUMNS
    rows = np.stack([np.array(one["values"]) / one["scale"] for one in columns], axis=-1)
    np.testing.assert_allclose(metric.score(rows.sum(axis=1)), sample.scores_of(metric), atol=0.01)


@pytest.mark.slow
def test_every_segment_of_a_small_study_is_explained(sample: Study) -> None:
    explained = contents(sample)["explained"]
    assert {len(one) for one in explained.values()} == {len(sample.systems) * len(sample.corpus)}


@pytest.mark.slow
def test_one_system_alone(sample: Study) -> None:
    alone = study(sample.corpus, sample.systems[:1], ["bleu"], trials=20)
    assert alone.comparison is None
    page = report.page(alone)
    assert 'id="words"' not in page
    assert 'id="plot-lengths"' not in page
    assert 'id="plot-scatter"' not in page
    assert data_of(page)["pairs"] == {}


@pytest.mark.slow
def test_plots_show_what_the_study_holds(sample: Study) -> None:
    metric = sample.metrics[0]
    for name, plot in PLOTS.items():
        assert len(plot(sample, metric).data) == len(sample.systems), name
    points = scatter_plot(sample, metric, "birch", "elm").data[0]
    segments = sample.segments_of(metric)
    assert list(points.x) == segments[sample.names.index("birch")].tolist()
    assert list(points.y) == segments[sample.names.index("elm")].tolist()
    with pytest.raises(OptionError, match="system: found 'oak', expected one of alder, birch"):
        scatter_plot(sample, metric, "oak", "elm")
    bare = tertium.Corpus(references=sample.corpus.references, name="bare")
    with pytest.raises(InputError, match="expected slices by genre"):
        slices_plot(study(bare, sample.systems, ["bleu"], audit=False, trials=20), metric, "genre")


@pytest.mark.slow
def test_entities_agree_with_the_metric(sample: Study) -> None:
    metric = NamedEntityEvaluator(annotations=str(SAMPLE / "entities.jsonl"), unit="segment")
    named = study(sample.corpus, sample.systems, [metric], audit=False, trials=20)
    data = contents(named)["entities"]
    assert data["unit"] == "segment"
    # The file annotates one reference, so found and listed names are plain counts.
    rows = named.rows_of(named.metrics[0])
    for segment, names in enumerate(data["of"]):
        assert len(names) == rows[0, segment, 1]
        for system in range(len(sample.systems)):
            assert sum(int(flags[system]) for _, _, flags in names) == rows[system, segment, 0]
    assert contents(sample)["entities"] is None


@pytest.mark.slow
def test_metrics_of_one_name_are_told_apart(sample: Study) -> None:
    both = study(sample.corpus, sample.systems[:2], ["bleu", "bleu[order=2]"], trials=20)
    assert [one["title"] for one in contents(both)["metrics"]] == ["BLEU", "BLEU[order=2]"]
    assert ">BLEU[order=2]<" in report.page(both)


@pytest.mark.slow
def test_lone_surrogates_do_not_stop_a_report(sample: Study) -> None:
    from dataclasses import replace

    assert payload(replace(sample, command="\ud800")) == payload(sample)


def test_the_command_writes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.html"
    words = ["report", *FILES, "-m", "bleu", "--trials", "50", "--no-audit", "-o", str(path)]
    assert output(capsys, *words) == f"{path}\n"
    assert path.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_people_are_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.html"
    ratings = ["--ratings", str(SAMPLE / "ratings.tsv"), "--criterion", "fluency"]
    words = ["report", *FILES, "-m", "bleu", "--trials", "50", "--no-audit", *ratings]
    assert output(capsys, *words, "-o", str(path)) == f"{path}\n"
    page = path.read_text(encoding="utf-8")
    assert "Agreement with people" in page
    data = data_of(page)
    assert [one["criterion"] for one in data["ratings"]] == ["fluency"]
    assert [len(one) for one in data["ratings"][0]["values"]] == [92] * 5
    assert ">fluency</text>" in page or "fluency, 26 segments" in page


def test_ratings_of_unknown_systems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ratings = tmp_path / "ratings.tsv"
    ratings.write_text("system\tsegment\trating\noak\t1\t3\npine\t1\t4\n")
    words = ["report", *FILES, "-m", "bleu", "--trials", "50", "--no-audit"]
    assert "found systems oak, pine, expected some of alder, birch" in error(
        capsys, *words, "--ratings", str(ratings), "-o", str(tmp_path / "x.html")
    )


def test_plots_as_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "plot",
        *FILES,
        "-m",
        "bleu",
        "--only",
        "scores",
        "slices",
        "-f",
        "html",
        "--trials",
        "50",
        "-o",
        str(tmp_path / "plots"),
    ]
    written = output(capsys, *words).splitlines()
    names = [Path(one).name for one in written]
    assert names == [
        "scores-bleu.html",
        *(f"slices-bleu-{by}.html" for by in ("genre", "document", "length")),
    ]
    for one in written:
        assert "Plotly.newPlot" in Path(one).read_text(encoding="utf-8")


def test_a_place_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert "expected a file to write" in error(
        capsys, "report", *FILES, "-o", "no/such/folder/x.html"
    )


def test_judgments_without_ratings_of_these_segments_are_no_column(sample: Study) -> None:
    """Ratings of whole systems, and those of another test set, belong to no segment shown."""
    names, segments = sample.names, len(sample.corpus)
    values = np.arange(len(names), dtype=float)
    of_segments = np.full((len(names) - 1, segments), 70.126)
    of_segments[0, 0] = np.nan
    rated = Judgments(
        name="here", criterion="fluency", systems=names[1:], values=values[1:],
        segments=of_segments,
    )  # fmt: skip
    whole = Judgments(name="here", criterion="system", systems=names, values=values)
    foreign = Judgments(
        name="elsewhere", criterion="adequacy", systems=names, values=values,
        segments=np.full((len(names), segments + 1), 50.0),
    )  # fmt: skip
    bare = replace(sample, judgments=(whole, foreign))
    assert segment_ratings(bare) == []
    assert data_of(report.page(bare))["ratings"] == []
    mixed = replace(sample, judgments=(whole, rated, foreign))
    assert segment_ratings(mixed) == [rated]
    (shown,) = data_of(report.page(mixed))["ratings"]
    assert shown["criterion"] == "fluency"
    assert shown["values"][0] is None
    assert shown["values"][1] == [None, *[70.13] * (segments - 1)]
