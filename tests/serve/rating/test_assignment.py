"""Who sees what, in which order, and which controls are hidden in it."""

from collections import Counter
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from tertium.serve.errors import ConflictError, RequestError
from tertium.serve.rating.assignment import (
    GAP,
    ItemColumns,
    distances,
    items_of,
    next_items,
    state_of,
)
from tertium.serve.rating.campaigns import change_state, create_campaign
from tertium.serve.rating.events import Sent, store_events
from tertium.serve.rating.items import degraded
from tertium.serve.rating.material import material_of
from tertium.serve.rating.raters import rater_of
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import Page, next_page, page, sheet
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Assignment, Campaign, Rater, RatingEvent, RatingItem
from tests.support.serve.campaigns import (
    SOURCES,
    SYSTEMS,
    caller,
    make_campaign,
    make_ground,
    rate_all,
)


def order(session: Session, campaign: Campaign, name: str) -> list[RatingItem]:
    """The items of a rater in their order, given out as needed."""
    rater = rater_of(session, caller(name), campaign)
    next_page(session, campaign, CampaignSettings.of(campaign.settings), rater)
    return assigned(session, rater)


def assigned(session: Session, rater: Rater) -> list[RatingItem]:
    query = (
        select(RatingItem)
        .join(Assignment, Assignment.item_id == RatingItem.id)
        .where(Assignment.rater_id == rater.id)
        .order_by(Assignment.position)
    )
    return list(session.scalars(query))


def test_everybody_rates_everything_in_an_order_of_their_own(store: Store) -> None:
    with store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "direct-assessment")
        first, second = (order(session, campaign, name) for name in ("ann", "bob"))
        assert {one.id for one in first} == {one.id for one in second}
        assert len(first) == len(SOURCES) * len(SYSTEMS)
        assert [one.id for one in first] != [one.id for one in second]
        for items in (first, second):
            # The segments of a document stay together, in order, by one system.
            for start in range(0, len(items), 3):
                block = items[start : start + 3]
                assert len({(one.document, one.outputs[0]) for one in block}) == 1
                assert [one.segments[0] for one in block] == sorted(
                    one.segments[0] for one in block
                )


def test_controls_are_hidden_away_from_what_they_control(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(
            session, make_ground(session), "esa", repeated=0.2, degraded=0.2, context=0
        )
        for name in ("ann", "bob", "cem"):
            items = order(session, campaign, name)
            places = {one.id: place for place, one in enumerate(items)}
            kinds = Counter(one.kind for one in items)
            assert kinds == {"regular": 18, "repeated": 4, "degraded": 4}
            for one in items:
                if one.kind == "repeated":
                    # Never before, and as far as the end of the list allows.
                    apart = places[one.id] - places[one.detail["of"]]
                    assert apart > 0
                if one.kind == "degraded":
                    original = session.get_one(RatingItem, one.detail["of"])
                    ((output, text),) = one.detail["texts"].items()
                    whole = material_of(session, campaign).outputs[int(output)]
                    assert text != whole[original.segments[0]]


def test_a_control_comes_long_after_its_original_where_there_is_room(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        ground = make_ground(session, sources=[f"Satz {one}" for one in range(40)])
        campaign = make_campaign(session, ground, "direct-assessment", repeated=0.1)
        items = order(session, campaign, "ann")
        places = {one.id: place for place, one in enumerate(items)}
        apart = [
            places[one.id] - places[one.detail["of"]] for one in items if one.kind == "repeated"
        ]
        late = [one for one in apart if one <= GAP]
        assert len(apart) == 12
        assert len(late) <= 3  # only those whose original stands near the end


@pytest.mark.parametrize("raters", [2, 5])
def test_every_item_gets_as_many_raters_as_asked_for(sqlite_store: Store, raters: int) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(
            session, make_ground(session), "direct-assessment", assignment="redundant",
            redundancy=2, repeated=0.2,
        )  # fmt: skip
        counts: Counter[int] = Counter()
        for number in range(raters):
            rate_all(session, campaign, f"rater{number}")
            items = assigned(session, rater_of(session, caller(f"rater{number}"), campaign))
            counts.update(one.id for one in items if one.kind == "regular")
            originals = {one.id for one in items}
            assert all(one.detail["of"] in originals for one in items if one.kind == "repeated")
        assert set(counts.values()) == {2}
        assert len(counts) == 18


def test_errors_of_outputs_are_those_over_documents() -> None:
    """Four copies of every rating in its document do not make two systems surer."""
    first, second = [60.0, 75, 90], [50.0, 70, 72]
    alone = distances({1: first, 2: second})
    copied = {1: np.repeat(first, 4).tolist(), 2: np.repeat(second, 4).tolist()}
    labels = {one: [f"d{at // 4}" for at in range(12)] for one in copied}
    assert distances(copied, labels)[1] == pytest.approx(alone[1])
    assert distances(copied)[1] > 1.5 * alone[1]


def test_dynamic_assignment_goes_where_the_order_is_uncertain(sqlite_store: Store) -> None:
    near = {1: [80.0, 82, 81, 79], 2: [80.0, 81, 82, 78], 3: [10.0, 12, 11, 9]}
    found = distances(near)
    assert found[1] == found[2] < 1
    assert found[3] > 20
    assert distances({1: [5.0, 5], 2: [5.0, 5], 3: [9.0, 9]}) == {3: np.inf, 1: 0.0, 2: 0.0}

    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "direct-assessment")
        items = ItemColumns(items_of(session, campaign))
        output_of = {one.id: one.outputs[0] for one in items_of(session, campaign)}
        first, second, third = sorted(set(output_of.values()))
        for seed in range(10):
            chosen = next_items(
                items,
                [],
                counts=np.zeros(len(items.ids), np.int64),
                most=2,
                doubt={first: 0.4, second: 0.4, third: 9.0},
                rng=np.random.default_rng(seed),
            )
            assert {output_of[item] for item in chosen} <= {first, second}
        # Where all that is uncertain has been rated often enough, the rest comes.
        full = np.asarray([2 * (output_of[item] != third) for item in items.ids.tolist()])
        left = next_items(items, [], counts=full, most=2, doubt={}, rng=np.random.default_rng(1))
        assert {output_of[item] for item in left} == {third}


def test_dynamic_assignment_spends_ratings_where_they_are_needed(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        ground = make_ground(session, sources=[f"Satz {one}" for one in range(40)])
        campaign = make_campaign(
            session, ground, "direct-assessment", assignment="dynamic", redundancy=1
        )
        # Two systems are equally good, the third is far worse.
        rate_all(session, campaign, "ann", most=60, goods=(0.8, 0.8, 0.1))
        items = assigned(session, rater_of(session, caller("ann"), campaign))
        counts = Counter(one.outputs[0] for one in items)
        first, second, third = (counts[output] for output in ground.outputs)
        assert 2 <= third < first / 2
        assert third < second / 2


def test_what_was_given_and_not_rated_is_given_to_others_later(
    sqlite_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import timedelta

    with sqlite_store.writing() as session:
        campaign = make_campaign(
            session, make_ground(session), "direct-assessment", assignment="redundant",
            redundancy=1,
        )  # fmt: skip
        given = {one.id for one in order(session, campaign, "lost")}
        rate_all(session, campaign, "ann")
        ann = rater_of(session, caller("ann"), campaign)
        assert not given & {one.id for one in assigned(session, ann)}
        monkeypatch.setattr("tertium.serve.rating.assignment.WAIT", timedelta(0))
        rate_all(session, campaign, "ann")
        assert given <= {one.id for one in assigned(session, ann)}


def test_what_was_skipped_is_given_to_others(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(
            session, make_ground(session), "direct-assessment", assignment="redundant",
            redundancy=1,
        )  # fmt: skip
        skipped = order(session, campaign, "ann")[1]
        skip = Sent(key="skip", number=2, action="skip", seconds=1)
        ann = rater_of(session, caller("ann"), campaign)
        store_events(session, campaign, material_of(session, campaign), ann, [skip])
        rate_all(session, campaign, "ann")
        assert [one.id for one in order(session, campaign, "bob")] == [skipped.id]


def counted_by_the_store(session: Session, campaign: Campaign) -> dict[int, int]:
    """How many raters have each item, by all assignments and events: they rated it, or were given
    it and did not skip it."""
    actions: dict[tuple[int, int], set[str]] = {}
    for event in session.scalars(select(RatingEvent)):
        actions.setdefault((event.item_id, event.rater_id), set()).add(event.action)
    return Counter(
        one.item_id
        for one in session.scalars(select(Assignment).where(Assignment.campaign_id == campaign.id))
        for done in [actions.get((one.item_id, one.rater_id), set())]
        if "rate" in done or "skip" not in done
    )


class NeverMindError(Exception):
    """Ends a transaction."""


def test_who_has_what_is_kept_up_as_the_store_says(store: Store) -> None:
    rng = np.random.default_rng(5)
    with store.writing() as session:
        campaign = make_campaign(
            session, make_ground(session), "direct-assessment", assignment="redundant",
            redundancy=2, repeated=0.2,
        )  # fmt: skip
        number = campaign.id
    settings = CampaignSettings.of(campaign.settings)
    for step in range(60):
        with suppress(NeverMindError), store.writing() as session:
            campaign = session.get_one(Campaign, number)
            rater = rater_of(session, caller(f"rater{rng.integers(4)}"), campaign)
            place = next_page(session, campaign, settings, rater)
            state = state_of(session, campaign)
            found = dict(zip(state.items.ids.tolist(), state.counts.tolist(), strict=True))
            expected = counted_by_the_store(session, campaign)
            assert found == {item: expected[item] for item in found}
            if place.next is not None:
                shown = page(session, settings, material_of(session, campaign), rater,
                             sheet(session, campaign, material_of(session, campaign), rater,
                                   place.next))  # fmt: skip
                action = rng.choice(["rate", "rate", "skip", "undo"])
                values = {slot: {"da": 50} for slot in shown.outputs} if action == "rate" else {}
                sent = Sent(
                    key=str(step), number=place.next, action=action, seconds=1, values=values
                )
                store_events(session, campaign, material_of(session, campaign), rater, [sent])
            if rng.random() < 0.3:
                raise NeverMindError


def shown(session: Session, campaign: Campaign, name: str, number: int) -> Page:
    rater = rater_of(session, caller(name), campaign)
    material = material_of(session, campaign)
    settings = CampaignSettings.of(campaign.settings)
    own = sheet(session, campaign, material, rater, number)
    return page(session, settings, material, rater, own)


def test_a_ranking_shows_letters_in_an_order_of_the_raters_own(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(session, make_ground(session), "ranking")
        orders = set()
        for name in ("ann", "bob", "cem", "dan"):
            items = order(session, campaign, name)
            assert len(items) == len(SOURCES)
            for number, item in enumerate(items, 1):
                found = shown(session, campaign, name, number)
                assert list(found.outputs) == ["A", "B", "C"]
                assert found == shown(session, campaign, name, number)
                orders.add((item.id, tuple(text[0] for text in found.outputs.values())))
        assert len(orders) > 2 * len(SOURCES)


def test_document_context_is_shown_and_nothing_of_others(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        campaign = make_campaign(
            session, make_ground(session), "esa", context=1, show=["source", "reference"]
        )
        items = order(session, campaign, "ann")
        for number, item in enumerate(items, 1):
            found = shown(session, campaign, "ann", number)
            segment = item.segments[0]
            assert found.source == SOURCES[segment]
            assert found.reference == f"reference of {SOURCES[segment]}"
            assert len(found.before) == (segment % 3 > 0)
            assert len(found.after) == (segment % 3 < 2)
            assert all(name not in repr(found) for name in SYSTEMS)
            if found.before:
                assert found.before[0].source == SOURCES[segment - 1]
                assert found.before[0].outputs["A"][0] == found.outputs["A"][0]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("a b c d e f", "1 2 3 4 5 6"),
        ("one", "two"),
        ("one", ""),
        ("", "x"),
        ("这是一个很长的句子，没有空格", "另一个句子也没有空格"),
        ("שלום עולם טוב", "יום נעים"),
        ("a b", "a b"),
        ("same same", "same same"),
    ],
)
def test_damage_is_damage(text: str, other: str) -> None:
    for seed in range(20):
        assert degraded(text, other, np.random.default_rng(seed)) != text


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"assignment": "chance"}, "assignment: found 'chance', expected fixed, redundant, dynamic"),
    ({"together": 10}, "together: found 10, expected 2 to 9"),
    ({"redundancy": 0}, "redundancy: found 0, expected 1 to 100"),
    ({"degraded": 0.6}, "degraded: found 0.6, expected a share from 0 to 0.5"),
    ({"repeated": True}, "repeated: found True"),
    ({"show": ["author"]}, "show: found 'author', expected source, reference"),
    ({"show": "source"}, "show: found 'source', expected a list"),
    ({"colour": 1}, "settings: found 'colour', expected assignment, constituents, context"),
    ({"segments": 0}, "segments: found 0, expected 1 to"),
    ({"tutorial": 5}, "tutorial: found 5, expected a list"),
    ({"tutorial": [{}]}, "tutorial 1: outputs: found None, expected 1 to 9 texts"),
    ({"tutorial": [{"outputs": ["x"], "expected": [{"da": [1]}]}]}, "expected such as"),
    ({"tutorial": [{"outputs": ["x"], "expected": [{}, {}]}]}, "one object for each of 1"),
    ({"tutorial": [{"outputs": [5]}]}, "tutorial 1: found 5, expected text"),
    ({"tutorial": [{"source": "a b", "outputs": ["x"], "constituent": "c"}]},
     "tutorial 1: constituent: found 'c', expected words of its source"),
    ({"constituents": 5}, "constituents: found 5, expected a list of at most"),
    ({"constituents": [{"segment": 1}]}, "constituents 1: found .*, expected such as"),
    ({"constituents": [{"segment": 0, "text": "x"}]}, "constituents 1: segment: found 0, expected"),
    ({"constituents": [{"segment": 1, "text": " "}]}, "constituents 1: found no words"),
    ({"constituents": [{"segment": 1, "text": "x", "outputs": []}]}, r"outputs: found \[\], expec"),
    ({"constituents": [{"segment": 2, "text": "x"}, {"segment": 2, "text": "y"}]},
     "constituents 2: found a second one of segment 2, expected one of each segment"),
    ({"instructions": 5}, "instructions: found 5, expected text"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "words"), WRONG)
def test_wrong_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(RequestError, match=words):
        CampaignSettings.of(settings)


def test_settings_survive_json() -> None:
    one = CampaignSettings(tutorial=({"outputs": ["x"], "source": "y"},), show=("reference",))
    assert CampaignSettings.of(one.to_dict()) == one


def test_a_draft_is_not_closed_and_one_output_is_not_ranked(sqlite_store: Store) -> None:
    with sqlite_store.writing() as session:
        ground = make_ground(session, hypotheses={"only": SOURCES})
        made = create_campaign(
            session, "o", ground.project_id, name="n", protocol="ranking", test_set="news"
        )
        with pytest.raises(ConflictError, match="found a draft, expected it to be opened"):
            change_state(session, "o", ground.project_id, made.id, "closed")
        with pytest.raises(ConflictError, match="found 1 output, expected two to rank"):
            change_state(session, "o", ground.project_id, made.id, "open")
        with pytest.raises(ConflictError, match="the project has a campaign 'n'"):
            create_campaign(
                session, "o", ground.project_id, name="n", protocol="esa", test_set="news"
            )
