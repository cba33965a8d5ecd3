"""Ratings straight from the store of a server."""

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra 'serve' is not installed")
pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")

from tertium.serve.rating.export_files import exported
from tertium.serve.store.connection import open_store
from tests.support.commands import error, json_output, output
from tests.support.serve.campaigns import (
    SOURCES,
    SYSTEMS,
    make_campaign,
    make_ground,
    rate_all,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, and the same ratings and texts as files."""
    place = tmp_path_factory.mktemp("stored")
    store = open_store(place / "team.db")
    with store.writing() as session:
        ground = make_ground(session)
        for name in ("direct-assessment", "ranking"):
            campaign = make_campaign(session, ground, name)
            for rater in ("ann", "bob"):
                rate_all(session, campaign, rater)
            kind = "wmt-ranks.csv" if name == "ranking" else "ratings.tsv"
            (place / kind).write_bytes(exported(session, campaign, kind).data)
    store.close()
    (place / "reference.en").write_text("\n".join(SOURCES) + "\n", encoding="utf-8")
    for at, system in enumerate(SYSTEMS):
        lines = [" ".join(line.split()[at:]) for line in SOURCES]
        (place / system).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


@pytest.mark.parametrize(
    ("campaign", "file"),
    [("direct-assessment", "ratings.tsv"), ("ranking", "wmt-ranks.csv")],
)
def test_a_campaign_agrees_as_its_export_does(
    capsys: pytest.CaptureFixture[str], folder: Path, campaign: str, file: str
) -> None:
    words = ["meta", "agree", str(folder / "reference.en"), "-i"]
    words += [str(folder / system) for system in SYSTEMS]
    words += ["-m", "bleu", "--resample", "none", "--ratings"]
    stored = json_output(
        capsys, *words, f"store:field/{campaign}", "--store", str(folder / "team.db")
    )
    assert stored == json_output(capsys, *words, str(folder / file))


def test_the_variable_names_the_store(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERTIUM_STORE", str(folder / "team.db"))
    shown = output(capsys, "meta", "judges", "--ratings", "store:field/direct-assessment")
    assert "ann" in shown
    assert "bob" in shown


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("store:", "expected store:PROJECT/CAMPAIGN"),
        ("store:feild/ranking", "unknown project 'feild'; did you mean 'field'"),
        ("store:field/rankin", "unknown campaign 'rankin'; did you mean 'ranking'"),
    ],
)
def test_a_wrong_name_is_one_line(
    capsys: pytest.CaptureFixture[str], folder: Path, name: str, words: str
) -> None:
    place = str(folder / "team.db")
    assert words in error(capsys, "meta", "judges", "--ratings", name, "--store", place)


def test_a_store_that_is_not_there_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    place = str(tmp_path / "none.db")
    said = error(capsys, "meta", "judges", "--ratings", "store:a/b", "--store", place)
    assert "found no such file, expected a store" in said
