"""What organisers see: progress, agreement, raters to look at, the ranking, what is missing."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from tertium.errors import TertiumError
from tertium.meta import read_judgments, read_ratings
from tertium.meta.ratings.standing import Standing, Standings, StandingsBasis
from tertium.serve.rating.analysis import REST, ask_for_analysis, headline
from tertium.serve.rating.dashboard import dashboard
from tertium.serve.rating.protocols import PROTOCOLS
from tertium.serve.rating.raters import invite, raters
from tertium.serve.rating.results import Control, stored_ratings
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Job, now
from tertium.serve.workers import work_once
from tests.serve.rating.conftest import Rated
from tests.support.serve.campaigns import SYSTEMS, make_campaign, make_ground, rate_all


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_everything_is_there_under_every_protocol(rated: Rated, protocol: str) -> None:
    session, campaign, _ = rated(protocol)
    found = dashboard(session, campaign)
    plain = found.to_dict()
    json.dumps(plain, allow_nan=False)
    asked = PROTOCOLS[protocol]
    items = 6 if asked.ranked else 18
    assert (found.ratings, found.wanted) == (2 * items, 2 * items)
    assert [one.label for one in found.raters] == ["ann", "bob"]
    for one in found.raters:
        assert one.done == one.assigned
        assert one.seconds is not None
        controls = one.controls
        again = 1 if items == 6 else 4
        assert controls["repeated"] == again
        assert controls["damaged"] == (0 if asked.constituents else again)
        assert (controls["noticed"] > 0) == (not asked.constituents)
    names = {
        "adequacy-fluency": ["adequacy", "fluency"], "ranking": ["rank"],
        "constituent-ranking": ["constituent"], "constituent-acceptance": ["constituent-accept"],
        "direct-assessment": ["da"], "scalar-quality": ["sqm"], "esa": ["esa", "spans"],
        "mqm": ["mqm"],
    }  # fmt: skip
    assert [one["name"] for one in plain["criteria"]] == names[protocol]
    first = plain["criteria"][0]
    assert [one["system"] for one in first["standings"]] == list(SYSTEMS)
    assert len(first["needed"]) == 2
    assert (first["basis"]["unit"], first["basis"]["units"]) == ("document", 2)
    assert first["basis"]["text"].startswith("tested over 2 documents (6 segments, 2 raters)")
    assert (plain["spans"] is not None) == (protocol in {"esa", "mqm"})
    if asked.ranked:
        assert first["judges"]["inter"]["kappa"] > 0.5
    elif protocol != "mqm":
        assert first["judges"]["alpha"]["interval"] > 0.5


def test_an_empty_campaign_has_a_dashboard(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "esa")
        found = dashboard(session, campaign)
        assert found.to_dict()["headline"] == "No ratings yet."
        assert (found.ratings, found.wanted) == (0, 18)
        rate_all(session, campaign, "ann", most=1)
        found = dashboard(session, campaign)
        assert "is the only system with ratings" in found.to_dict()["headline"]
        json.dumps(found.to_dict(), allow_nan=False)


def test_a_rater_who_does_not_look_is_seen(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.serve.rating.analysis.AT_ONCE", 100)
    with sqlite_store.writing() as session:
        ground = make_ground(session, sources=[f"Satz {one} hier" for one in range(14)])
        campaign = make_campaign(session, ground, "direct-assessment", degraded=0.2)
        for name in ("ann", "bob", "cem"):
            rate_all(session, campaign, name)
        rate_all(session, campaign, "random", spread=3.0)
        assert not dashboard(session, campaign).current  # so many are looked at by workers
        ask_for_analysis(session, "o", campaign)
        ask_for_analysis(session, "o", campaign)
        assert len(list(session.scalars(select(Job)))) == 1
    assert work_once(sqlite_store, "w")
    assert not work_once(sqlite_store, "w")
    with sqlite_store.reading() as session:
        found = dashboard(session, campaign)
        assert found.current
        (criterion,) = found.to_dict()["criteria"]
        assert {one.split()[0] for one in criterion["suspicious"]} == {"random"}


def test_an_analysis_is_not_asked_for_again_at_once(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.serve.rating.analysis.AT_ONCE", 1)
    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "esa")
        rate_all(session, campaign, "ann")
        ended = now()
        job = Job(
            kind="campaign",
            project_id=campaign.project_id,
            payload={"campaign": campaign.id},
            state="done",
            created_by="o",
            started_at=ended - timedelta(seconds=8),
            ended_at=ended,
        )
        session.add(job)
        session.flush()
        ask_for_analysis(session, "o", campaign)
        assert len(list(session.scalars(select(Job)))) == 1
        for seconds, jobs in ((REST * 8 - 2, 1), (REST * 8 + 1, 2)):
            job.started_at = ended - timedelta(seconds=seconds + 8)
            job.ended_at = ended - timedelta(seconds=seconds)
            session.flush()
            ask_for_analysis(session, "o", campaign)
            assert len(list(session.scalars(select(Job)))) == jobs


def test_raters_are_invited_one_by_one(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "esa")
        made = [
            invite(session, "o", campaign.project_id, campaign.id, label=label)
            for label in ("", "Ann", "")
        ]
        assert [one.rater.label for one in made] == ["rater1", "Ann", "rater3"]
        assert len({one.token for one in made}) == 3
        assert [one.label for one in raters(session, campaign)] == ["rater1", "Ann", "rater3"]
        for label, words in (("Ann", "has a rater 'Ann'"), ("a\nb", "expected one line")):
            with pytest.raises(TertiumError, match=words):
                invite(session, "o", campaign.project_id, campaign.id, label=label)


def test_ratings_are_read_straight_from_the_store(rated_store: Store, rated: Rated) -> None:
    place = str(rated_store.url.database)
    _, _, results = rated("esa")
    rows = stored_ratings(place, "store:field/esa")
    assert list(rows.ratings) == results.rows
    (esa, spans) = read_ratings(rows)
    assert (esa.name, esa.criterion, spans.criterion) == ("de-en", "esa", "spans")
    (ranked,) = read_judgments([stored_ratings(place, "field/ranking")])
    assert set(ranked.systems) == set(SYSTEMS)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("store:field", r"ratings 'store:field': expected store:PROJECT/CAMPAIGN"),
        ("store:feild/esa", "unknown project 'feild'; did you mean 'field'"),
        ("store:field/easa", "unknown campaign 'easa'; did you mean 'esa'"),
    ],
)
def test_a_wrong_name_is_told(rated_store: Store, name: str, words: str) -> None:
    with pytest.raises(TertiumError, match=words):
        stored_ratings(str(rated_store.url.database), name)


def test_a_store_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(TertiumError, match="found no such file, expected a store"):
        stored_ratings(tmp_path / "none.db", "store:a/b")
    assert not list(tmp_path.iterdir())


def standing(system: str, cluster: int) -> Standing:
    return Standing(
        system=system, value=1, error=1, segments=1, ratings=1, cluster=cluster, best=1, worst=1
    )


@pytest.mark.parametrize(
    ("clusters", "words"),
    [
        ([1, 2], "s0 is rated higher than every other system (significant by documents)."),
        ([1, 1], "s0 leads, but the ratings do not yet tell a group from the rest by documents."),
        ([1, 1, 2], "s0 and s1 are each rated higher than the other (significant by documents)."),
        (
            [1, 1, 1, 2, 2],
            "s0, s1 and s2 are each rated higher than the other 2 (significant by documents).",
        ),
    ],
)
def test_the_answer_is_a_sentence(clusters: list[int], words: str) -> None:
    basis = StandingsBasis(
        unit="document",
        units=9,
        segments=30,
        raters=2,
        design_effect=1.5,
        rater_design_effect=float("nan"),
        pairs=1,
        different=1,
        different_with_raters=None,
    )
    systems = tuple(standing(f"s{at}", one) for at, one in enumerate(clusters))
    assert headline(Standings(systems=systems, basis=basis)) == words


def test_controls_of_nobody() -> None:
    assert Control().to_dict() == {"damaged": 0, "noticed": 0, "repeated": 0, "same": 0}
