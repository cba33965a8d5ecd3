"""Constituents: found in the texts, shown without names, judged by rank or by yes and no."""

from pathlib import Path
from typing import Any

import pytest

from tertium.meta import Ratings, read_ratings
from tertium.serve.errors import ConflictError
from tertium.serve.rating.assignment import items_of
from tertium.serve.rating.export_files import export_names
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import protocol_named
from tertium.serve.rating.raters import rater_of
from tertium.serve.rating.results import stored_ratings
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import Page, next_page, page, sheet
from tertium.serve.store.connection import Store
from tests.support.serve.campaigns import (
    SOURCES,
    caller,
    make_campaign,
    make_ground,
    rate_all,
)

CHOSEN = [
    {"segment": 3, "text": "den ganzen Tag", "outputs": {"oak-secret": "den ganzen Tag"}},
    {"segment": 5, "text": "durch die Stadt"},
]


def first_page(store: Store, protocol: str, **settings: Any) -> Page:
    with store.writing() as session:
        ground = make_ground(session)
        campaign = make_campaign(session, ground, protocol, **settings)
        known = CampaignSettings.of(campaign.settings)
        material = material_of(session, campaign)
        rater = rater_of(session, caller("ann"), campaign)
        number = next_page(session, campaign, known, rater).next
        assert number is not None
        shown = sheet(session, campaign, material, rater, number)
        return page(session, known, material, rater, shown)


@pytest.mark.parametrize(("protocol", "outputs"), [("constituent-ranking", 3),
                                                   ("constituent-acceptance", 1)])  # fmt: skip
def test_only_segments_with_a_constituent_are_judged(
    sqlite_store: Store, protocol: str, outputs: int
) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), protocol, constituents=CHOSEN)
        found = items_of(session, campaign)
    assert {one.segments[0] for one in found} == {2, 4}
    assert {len(one.outputs) for one in found} == {outputs}
    assert len(found) == 2 * 3 // outputs


def test_the_page_tells_where_the_constituent_stands_and_names_no_system(
    sqlite_store: Store,
) -> None:
    shown = first_page(sqlite_store, "constituent-ranking", constituents=CHOSEN[:1])
    assert shown.constituent is not None
    start, end = shown.constituent.source
    assert shown.source is not None
    assert shown.source[start:end] == "den ganzen Tag"  # behind an emoji: characters are counted
    [(slot, (start, end))] = shown.constituent.outputs.items()
    assert shown.outputs[slot].startswith("Y ")  # the output of oak
    assert shown.outputs[slot][start:end] == "den ganzen Tag"
    assert "secret" not in repr(shown)


def test_other_protocols_have_no_constituent(sqlite_store: Store) -> None:
    assert first_page(sqlite_store, "ranking").constituent is None


def test_a_tutorial_marks_its_constituent(sqlite_store: Store) -> None:
    practice = {"source": "ein rotes Dach", "outputs": ["a red roof"], "constituent": "rotes"}
    shown = first_page(
        sqlite_store, "constituent-acceptance", constituents=CHOSEN, tutorial=[practice]
    )
    assert shown.tutorial
    assert shown.constituent is not None
    assert shown.constituent.source == (4, 9)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("constituent-ranking", {"constituents": []}, "constituents: found none, expected such as"),
    ("ranking", {"constituents": CHOSEN}, "constituents: found 2, expected none in ranking"),
    ("constituent-ranking", {"constituents": [{"segment": 7, "text": "x"}]},
     "constituents 1: found segment 7, expected 1 to 6"),
    ("constituent-ranking", {"constituents": [{"segment": 1, "text": "die Stadt"}]},
     "constituents 1: source: found no 'die Stadt', expected words of 'Das alte Haus"),
    ("constituent-ranking",
     {"constituents": [{"segment": 1, "text": "Haus", "outputs": {"ash": "house"}}]},
     "constituents 1: found system 'ash', expected elm-secret, oak-secret, yew-secret"),
    ("constituent-acceptance", {"constituents": CHOSEN, "show": ["reference"]},
     "show: found no source, expected it"),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "settings", "words"), REFUSED)
def test_what_cannot_be_marked_is_refused_when_the_campaign_opens(
    sqlite_store: Store, protocol: str, settings: dict[str, Any], words: str
) -> None:
    with sqlite_store.writing() as session:
        ground = make_ground(session)
        with pytest.raises(ConflictError, match=words):
            make_campaign(session, ground, protocol, **settings)


@pytest.mark.parametrize(("protocol", "criterion"), [
    ("constituent-ranking", "constituent"), ("constituent-acceptance", "constituent-accept"),
])  # fmt: skip
def test_criteria_are_called_as_in_the_files_of_wmt08(
    tmp_path: Path, protocol: str, criterion: str
) -> None:
    from tertium.serve.store.connection import open_store

    store = open_store(tmp_path / "store.db")
    with store.writing() as session:
        campaign = make_campaign(session, make_ground(session), protocol)
        for name in ("ann", "bob"):
            rate_all(session, campaign, name)
    store.close()
    found = stored_ratings(tmp_path / "store.db", f"store:field/{protocol}")
    rows = found.rankings or found.ratings
    assert {one.criterion for one in rows} == {criterion}
    assert {one.segment for one in rows} == set(range(len(SOURCES)))


def test_no_file_calls_parts_whole_sentences() -> None:
    for name in ("constituent-ranking", "constituent-acceptance"):
        assert export_names(protocol_named(name)) == (
            "ratings.tsv", "ratings.jsonl", "mt-metrics-eval.zip",
        )  # fmt: skip


def test_yes_is_one_and_no_is_zero(tmp_path: Path, sqlite_store: Store) -> None:
    from tertium.serve.rating.export_files import exported

    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "constituent-acceptance")
        rate_all(session, campaign, "ann", goods=(1.0, 1.0, 0.0), spread=0.0)
        path = tmp_path / "ratings.tsv"
        path.write_bytes(exported(session, campaign, path.name).data)
    (found,) = read_ratings(path)
    assert isinstance(found, Ratings)
    assert found.judgments().values.tolist() == [1.0, 1.0, 0.0]
