"""Every export, read back by `tertium.meta` to the same ratings."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from tertium.errors import TertiumError
from tertium.meta import Rankings, Ratings, read_ratings, read_spans, with_texts
from tertium.serve.errors import ConflictError, NotFoundError
from tertium.serve.rating.export_files import Results, export_names, exported
from tertium.serve.rating.protocols import PROTOCOLS, protocol_named
from tertium.serve.rating.results import file_rows
from tertium.serve.store.connection import Store
from tertium.text.corpus import Corpus, System
from tertium.text.formats.formulas import is_formula
from tests.serve.rating.conftest import Rated
from tests.support.serve.campaigns import (
    DOCUMENTS,
    SOURCES,
    SYSTEMS,
    make_campaign,
    make_ground,
    rate_all,
)

Row = tuple[str, int, str, str, float, str]


def rows(found: tuple[Ratings | Rankings, ...]) -> list[Row]:
    """Everything that was read, controls too."""
    assert all(isinstance(one, Ratings) for one in found)
    return sorted(
        (row.system, row.segment if row.segment is not None else -1, row.judge, row.criterion,
         row.value, row.kind)
        for one in found
        if isinstance(one, Ratings)
        for row in one.rows
    )  # fmt: skip


def own_rows(results: Results, *, regular: bool = False) -> list[Row]:
    chosen = results
    if regular:
        chosen = Results(
            campaign=results.campaign,
            protocol=results.protocol,
            material=results.material,
            answers=tuple(one for one in results.answers if one.kind == "regular"),
        )
    return sorted(
        (row.system, row.segment if row.segment is not None else -1, row.judge, row.criterion,
         row.value, row.kind)
        for row in chosen.rows
    )  # fmt: skip


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("name", ["ratings.tsv", "ratings.jsonl"])
def test_tables_and_lines_come_back(rated: Rated, tmp_path: Path, protocol: str, name: str) -> None:
    session, campaign, results = rated(protocol)
    path = tmp_path / name
    path.write_bytes(exported(session, campaign, name).data)
    found = read_ratings(path)
    assert rows(found) == own_rows(results)
    first = found[0]
    assert isinstance(first, Ratings)
    if name == "ratings.tsv":
        assert first.documents == tuple(DOCUMENTS)
    times = sorted((row.judge, row.segment or 0, row.begin or 0.0) for row in first.rows)
    own = [row for row in results.rows if row.criterion == first.criterion]
    assert times == sorted((row.judge, row.segment or 0, row.begin or 0.0) for row in own)


@pytest.mark.parametrize("protocol", ["esa", "mqm"])
def test_spans_come_back_from_lines_with_texts(rated: Rated, tmp_path: Path, protocol: str) -> None:
    session, campaign, results = rated(protocol)
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(exported(session, campaign, path.name).data)
    (found,) = read_spans(path)
    assert found.name == "de-en"
    assert any(span.side == "source" for span in found.spans)
    assert [one.spans for one in found] == [one.spans for one in results.marks]
    assert [
        (one.score, one.kind, one.begin, one.seconds, one.hypothesis, one.source) for one in found
    ] == [
        (one.score, one.kind, one.begin, one.seconds, one.hypothesis, one.source)
        for one in results.marks
    ]


@pytest.mark.parametrize("protocol", [name for name, one in PROTOCOLS.items() if not one.ranked])
def test_scores_of_mt_metrics_eval_come_back(rated: Rated, tmp_path: Path, protocol: str) -> None:
    session, campaign, results = rated(protocol)
    data = exported(session, campaign, "mt-metrics-eval.zip").data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    whole = {one.criterion: one for one in _grouped(tmp_path, results)}
    for name in sorted({row.criterion for row in results.rows}):
        seg = tmp_path / "human-scores" / f"de-en.{name}.seg.score"
        lines = [line.split("\t") for line in seg.read_text().splitlines()]
        assert len(lines) == len(SYSTEMS) * len(SOURCES)
        said = whole[name].judgments()
        (found,) = read_ratings(seg)
        assert isinstance(found, Ratings)
        assert found.judgments().values.tolist() == said.values.tolist()
        assert found.documents == tuple(DOCUMENTS)
        assert said.segments is not None
        segments = found.judgments().segments
        assert segments is not None
        assert segments.tolist() == said.segments.tolist()
        (systems,) = read_ratings(tmp_path / "human-scores" / f"de-en.{name}.sys.score")
        assert isinstance(systems, Ratings)
        assert systems.judgments().values.tolist() == said.values.tolist()


def _grouped(folder: Path, results: Results) -> list[Ratings]:
    from tertium.serve.rating.export_files import write_tsv

    path = folder / "own.tsv"
    path.write_text(write_tsv(results), encoding="utf-8")
    return [one for one in read_ratings(path, segments=len(SOURCES)) if isinstance(one, Ratings)]


@pytest.mark.parametrize("protocol", ["esa", "mqm"])
def test_error_files_of_mt_metrics_eval_come_back(
    rated: Rated, tmp_path: Path, protocol: str
) -> None:
    session, campaign, results = rated(protocol)
    data = exported(session, campaign, "mt-metrics-eval.zip").data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(tmp_path)
    (found,) = read_spans(tmp_path)
    regular = [
        one
        for answered, one in zip(results.answers, results.marks, strict=True)
        if answered.kind == "regular"
    ]

    def key(span: object) -> str:
        return repr(span)

    assert sorted(found.spans, key=key) == sorted(
        (span for one in regular for span in one.spans), key=key
    )
    assert len(found) == len(regular)


def test_rankings_come_back(rated: Rated, tmp_path: Path) -> None:
    session, campaign, results = rated("ranking")
    path = tmp_path / "ranks.csv"
    path.write_bytes(exported(session, campaign, "wmt-ranks.csv").data)
    (found,) = read_ratings(path)
    assert isinstance(found, Rankings)
    own = file_rows(campaign, results.answers, results.material).rankings
    assert found.rankings == len(own)
    assert found.name == "de-en"
    assert set(found.systems) == set(SYSTEMS)
    data = exported(session, campaign, "mt-metrics-eval.zip").data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["human-scores/de-en.rank.sys.score"]
        archive.extractall(tmp_path)
    (systems,) = read_ratings(tmp_path / "human-scores" / "de-en.rank.sys.score")
    assert isinstance(systems, Ratings)
    said = dict(zip(systems.systems, systems.judgments().values.tolist(), strict=True))
    ranked = found.judgments()
    assert said == dict(zip(ranked.systems, ranked.values.tolist(), strict=True))


@pytest.mark.parametrize("protocol", ["direct-assessment", "scalar-quality", "esa", "mqm"])
def test_pearmut_and_appraise_come_back(rated: Rated, tmp_path: Path, protocol: str) -> None:
    session, campaign, results = rated(protocol)
    for name in ("pearmut.jsonl", "appraise.csv"):
        (tmp_path / name).write_bytes(exported(session, campaign, name).data)
    criterion = {"esa": "esa", "mqm": "mqm"}.get(protocol, "da")
    own = own_rows(results) if protocol in {"esa", "mqm"} else [
        (*row[:3], "da", *row[4:]) for row in own_rows(results)
    ]  # fmt: skip
    found = read_ratings(tmp_path / "appraise.csv", criteria=[criterion])
    by_number = [
        (system, _segment(tmp_path / "appraise.csv", segment), judge, name, value, kind)
        for system, segment, judge, name, value, kind in rows(found)
    ]
    assert sorted(by_number) == [row for row in own if row[3] == criterion]
    found = read_ratings(tmp_path / "pearmut.jsonl", criteria=[criterion])
    regular = own_rows(results, regular=True)
    assert [row[4:] for row in rows(found)] == [
        row[4:] for row in _in_order(tmp_path / "pearmut.jsonl", regular, criterion)
    ]
    assert {row[2] for row in rows(found)} == {"ann", "bob"}


def _segment(path: Path, number: int) -> int:
    """Segments get numbers in the order in which a file names them; this turns it back."""
    names: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        name = line.split(",")[1]
        if name not in names:
            names.append(name)
    return int(names[number]) - 1


def _in_order(path: Path, own: list[Row], criterion: str) -> list[Row]:
    names: dict[int, int] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        segment = int(json.loads(line)["item"][0]["item_id"]) - 1
        names.setdefault(segment, len(names))
    wanted = criterion if any(row[3] == criterion for row in own) else own[0][3]
    return sorted((row[0], names[row[1]], *row[2:]) for row in own if row[3] == wanted)


@pytest.mark.parametrize("protocol", ["esa", "mqm"])
@pytest.mark.parametrize("name", ["pearmut.jsonl", "appraise.csv"])
def test_offsets_come_back_on_the_texts(
    rated: Rated, tmp_path: Path, protocol: str, name: str
) -> None:
    session, campaign, results = rated(protocol)
    (tmp_path / name).write_bytes(exported(session, campaign, name).data)
    corpus = Corpus(references=SOURCES, sources=SOURCES, ids=[str(one + 1) for one in range(6)])
    systems = [
        System(name=system, hypotheses=list(results.material.outputs[output]))
        for output, system in results.material.systems.items()
    ]
    (read,) = read_spans(tmp_path / name)
    laid = with_texts(read, corpus, systems)
    kinds = {"regular"} if name.startswith("pearmut") else {"regular", "repeated"}
    own = [
        one
        for answered, one in zip(results.answers, results.marks, strict=True)
        if answered.kind in kinds
    ]
    found = sorted(_placed(one.system, one.segment, one.rater, one.spans) for one in laid)
    assert found == sorted(_placed(one.system, one.segment, one.rater, one.spans) for one in own)


def _placed(system: str, segment: int, rater: str, marks: tuple[object, ...]) -> str:
    """What such files can say: an error of the source has no place in them."""
    from tertium.meta import Span

    said = [
        (span.start, span.end, span.severity, span.category)
        if span.side == "target" and span.placed
        else ("missing", span.severity, span.category)
        for span in marks
        if isinstance(span, Span)
    ]
    return repr((system, segment, rater, said))


def test_everything_is_in_the_log_of_events(rated: Rated) -> None:
    session, campaign, results = rated("esa")
    lines = exported(session, campaign, "events.jsonl").data.decode().splitlines()
    events = [json.loads(line) for line in lines]
    assert len(events) == len(results.answers)
    assert {one["kind"] for one in events} == {"regular", "repeated", "degraded"}
    assert {name for one in events for name in one["values"]} == set(SYSTEMS)


def test_entries_of_an_archive_stay_in_its_folders(sqlite_store: Store) -> None:
    """Stores from before languages were checked may have any text as one."""
    with sqlite_store.writing() as session:
        ground = make_ground(session, languages=("../../x", "/etc/y"))
        campaign = make_campaign(session, ground, "esa")
        rate_all(session, campaign, "../ann")
        data = exported(session, campaign, "mt-metrics-eval.zip").data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
    assert {name.split("/")[0] for name in names} == {"human-scores", "documents"}
    assert all(name.count("/") == 1 and ".." not in name for name in names), names


RUN_BY_SPREADSHEETS = ("=1+1", "-2+3", "@SUM(1)")


@pytest.mark.parametrize(
    ("protocol", "name"),
    [("esa", "ratings.tsv"), ("esa", "appraise.csv"), ("ranking", "wmt-ranks.csv")],
)
def test_names_that_spreadsheets_would_run_are_text_and_come_back(
    sqlite_store: Store, tmp_path: Path, protocol: str, name: str
) -> None:
    with sqlite_store.writing() as session:
        texts = {
            system: [f"{'XYZ'[place]} {line} 🙂 end" for line in SOURCES]
            for place, system in enumerate(RUN_BY_SPREADSHEETS)
        }
        ground = make_ground(session, hypotheses=texts)
        campaign = make_campaign(session, ground, protocol)
        rate_all(session, campaign, "+ann")
        data = exported(session, campaign, name).data
    path = tmp_path / name
    path.write_bytes(data)
    divider = "\t" if name.endswith("tsv") else ","
    cells = [
        cell for row in csv.reader(io.StringIO(data.decode()), delimiter=divider) for cell in row
    ]
    assert {f"'{system}" for system in RUN_BY_SPREADSHEETS} <= set(cells)
    assert not [cell for cell in cells if is_formula(cell) and not cell.startswith("'")]
    for found in read_ratings(path):
        assert set(found.systems) == set(RUN_BY_SPREADSHEETS)
        if isinstance(found, Ratings):
            assert {row.judge for row in found.rows} == {"+ann"}


def test_what_there_is_not_is_said(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "ranking")
        with pytest.raises(ConflictError, match="found no rating yet, expected one"):
            exported(session, campaign, "ratings.tsv")
        with pytest.raises(NotFoundError, match=r"found 'pearmut.jsonl', expected ratings.tsv"):
            exported(session, campaign, "pearmut.jsonl")
        assert exported(session, campaign, "events.jsonl").data == b""
    assert export_names(protocol_named("ranking")) == (
        "ratings.tsv", "ratings.jsonl", "mt-metrics-eval.zip", "wmt-ranks.csv",
    )  # fmt: skip


def test_a_campaign_without_languages_is_exported(sqlite_store: Store, tmp_path: Path) -> None:
    with sqlite_store.writing() as session:
        ground = make_ground(session, languages=("", ""))
        campaign = make_campaign(session, ground, "esa")
        rate_all(session, campaign, "ann")
        for name in export_names(protocol_named("esa")):
            path = tmp_path / name
            path.write_bytes(exported(session, campaign, name).data)
            if name.endswith(".zip"):
                with zipfile.ZipFile(path) as archive:
                    archive.extractall(tmp_path)
                assert read_ratings(tmp_path / "human-scores" / "esa.seg.score")
            else:
                try:
                    assert read_ratings(path)
                except TertiumError as error:  # pragma: no cover - says which file it was
                    raise AssertionError(name) from error
