"""A filled store to look at: the bundled sample, with outputs over time, ratings and names."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from sqlalchemy.orm import Session

import tertium.data
from tertium.metrics.contract.table import parse_metric
from tertium.serve.accounts.callers import LOCAL, Caller
from tertium.serve.annotation.files import import_file, read_file
from tertium.serve.annotation.layers import TYPES, Change, Name, change_names, names_of
from tertium.serve.annotation.targets import TargetText, target_text, targets
from tertium.serve.evaluation.corpora import corpus_of
from tertium.serve.evaluation.projects import create_project, projects
from tertium.serve.evaluation.scoring import keep_scores, score_text
from tertium.serve.evaluation.sets import (
    SetDescription,
    TestSetView,
    create_test_set,
    read_test_set,
)
from tertium.serve.evaluation.systems import add_output, read_outputs
from tertium.serve.evaluation.uploads import SentFile
from tertium.serve.rating.campaigns import campaign_of, change_state, create_campaign
from tertium.serve.rating.events import Sent, store_events
from tertium.serve.rating.material import material_of
from tertium.serve.rating.protocols import protocol_named
from tertium.serve.rating.raters import rater_of
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import next_page, sheet
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import Campaign, Output, now
from tertium.text.corpus import System

SAMPLE: Final = Path(tertium.data.__path__[0]) / "sample"
PROJECT: Final = "sample"
METRICS: Final = ("bleu", "bleu-sbp", "chrf", "ter")
STAGES: Final = {
    "alder": ("cedar", "elm", "alder"),
    "birch": ("dogwood", "birch"),
    "cedar": ("cedar",),
    "dogwood": ("cedar", "dogwood"),
    "elm": ("cedar", "dogwood", "birch", "elm"),
}
"""How each system came to be: of each stage but the last, half of the lines are the next one's."""
ANNOTATORS: Final = ("annotator-1", "annotator-2")
JUDGES: Final = {"judge-1": 1.0, "judge-2": 1.0, "judge-3": 1.0, "judge-4": 0.4}
"""Raters, and the share of their work that is done."""
SEED: Final = 2002


def fill_demo(store: Store) -> str:
    """Fill a store, unless it was filled before; the path of the page to begin with."""
    with store.reading() as session:
        if any(one.slug == PROJECT for one in projects(session, LOCAL)):
            return f"projects/{PROJECT}"
    with store.writing() as session:
        project = create_project(
            session,
            LOCAL,
            "Sample",
            slug=PROJECT,
            note="Five invented systems over time, invented ratings, annotated names.",
        )
        test_set = _test_set(session, project.id)
        _outputs(session, test_set)
        _names(session, test_set)
        _campaigns(session, project.id, test_set)
    return f"projects/{PROJECT}"


def _file(name: str) -> SentFile:
    return SentFile(name=Path(name).name, data=(SAMPLE / name).read_bytes())


def _lines(name: str) -> list[str]:
    return (SAMPLE / f"systems/{name}.txt").read_text(encoding="utf-8").splitlines()


def _test_set(session: Session, project_id: int) -> TestSetView:
    texts = read_test_set(
        [_file("reference.1.en"), _file("reference.2.en")],
        sources=_file("source.de"),
        documents=_file("documents.tsv"),
    )
    about = SetDescription(
        name="German–English sample",
        slug="sample",
        source_language="de",
        target_language="en",
        licence="Apache-2.0",
        metrics=METRICS,
    )
    return create_test_set(session, LOCAL.actor, project_id, texts, about)


def _versions(name: str) -> Iterator[tuple[str, list[str]]]:
    """The outputs of a system, the last of them the sample's own."""
    stages = [_lines(stage) for stage in STAGES[name]]
    for number, (before, after) in enumerate(pairwise(stages), 1):
        mixed = [after[k] if k % 2 else before[k] for k in range(len(after))]
        yield f"checkpoint {number}", mixed
    yield "final", stages[-1]


def _outputs(session: Session, test_set: TestSetView) -> None:
    corpus = corpus_of(session, test_set.id)
    for place, name in enumerate(STAGES):
        versions = list(_versions(name))
        for number, (note, lines) in enumerate(versions):
            data = "".join(f"{line}\n" for line in lines).encode()
            [sent] = read_outputs(
                SentFile(name=f"{name}.txt", data=data), segments=test_set.segments, system=name
            )
            made = add_output(session, LOCAL.actor, test_set.id, sent, note=note)
            row = session.get_one(Output, made.id)
            row.uploaded_at = _week(len(versions) - number, place)
            keep_scores(session, made.id, score_text(corpus, sent.hypotheses, METRICS))


def _week(before: int, place: int) -> datetime:
    return now() - timedelta(weeks=before, hours=place)


def _names(session: Session, test_set: TestSetView) -> None:
    """Two annotators of the first reference, who differ here and there."""
    reference = next(one for one in targets(session, test_set.id) if one.kind == "reference")
    text = target_text(session, reference)
    data = (SAMPLE / "articles" / "reference.muc").read_bytes()
    file = read_file(text, "reference.muc", "muc", data)
    for who in ANNOTATORS:
        import_file(session, text, who, LOCAL.actor, file)
    second = names_of(session, reference, ANNOTATORS[1])
    change_names(session, text, ANNOTATORS[1], list(_differences(text, second)))


def _differences(text: TargetText, names: Sequence[Name]) -> Iterator[Change]:
    for number, one in enumerate(names):
        key = f"demo {number}"
        if number % 9 == 4:
            yield _change(one, "remove", one.type, key)
        elif number % 13 == 6:
            other = "ORGANIZATION" if one.type == "LOCATION" else TYPES[2]
            yield _change(one, "retype", other, key)
        elif number % 17 == 8 and " " in text.segments[one.segment][one.start : one.end]:
            # One word less: where a name begins is what annotators disagree on most.
            start = text.segments[one.segment].index(" ", one.start) + 1
            yield _change(one, "remove", one.type, key)
            yield Change(
                segment=one.segment,
                action="add",
                start=start,
                end=one.end,
                type=one.type,
                client_key=f"{key} shorter",
            )


def _change(one: Name, action: str, label: str, key: str) -> Change:
    return Change(
        segment=one.segment,
        action="retype" if action == "retype" else "remove",
        start=one.start,
        end=one.end,
        type=label,
        was=one.type if action == "retype" else None,
        client_key=key,
    )


def _campaigns(session: Session, project_id: int, test_set: TestSetView) -> None:
    """Ratings that follow chrF with noise: nobody gave them."""
    for name, protocol, share in (
        ("Direct assessment", "direct-assessment", 1.0),
        ("Adequacy and fluency", "adequacy-fluency", 0.5),
    ):
        made = create_campaign(
            session,
            LOCAL.actor,
            project_id,
            name=name,
            protocol=protocol,
            test_set=test_set.slug,
            settings={"segments": 16, "degraded": 0.05, "repeated": 0.05},
            seed=SEED,
        )
        change_state(session, LOCAL.actor, project_id, made.id, "open")
        campaign = campaign_of(session, project_id, made.id)
        for place, (judge, part) in enumerate(JUDGES.items()):
            _rate(session, campaign, judge, part * share, np.random.default_rng([SEED, place]))


def _rate(
    session: Session, campaign: Campaign, judge: str, share: float, rng: np.random.Generator
) -> None:
    rater = rater_of(session, Caller(actor=judge, local=True), campaign)
    material = material_of(session, campaign)
    settings = CampaignSettings.of(campaign.settings)
    protocol = protocol_named(campaign.protocol)
    qualities = _qualities(session, campaign)
    habit = rng.normal(0, 0.06)
    assigned = next_page(session, campaign, settings, rater).assigned
    sent = []
    for number in range(1, round(assigned * share) + 1):
        own = sheet(session, campaign, material, rater, number)
        values = {}
        for slot, key in own.slots.items():
            damage = 0.4 if key in own.item.detail.get("texts", {}) else 0.0
            good = qualities[int(key)][own.item.segments[0]] - damage
            good = float(np.clip(good + habit + rng.normal(0, 0.05), 0, 1))
            values[slot] = {
                one.criterion: round(one.low + good * (one.high - one.low))
                for one in protocol.scales
            }
        seconds = float(np.round(rng.gamma(4, 6), 1))
        sent.append(
            Sent(key=f"demo {number}", number=number, action="rate", seconds=seconds, values=values)
        )
    store_events(session, campaign, material, rater, sent)


def _qualities(session: Session, campaign: Campaign) -> dict[int, list[float]]:
    """ChrF of every segment of every output, from 0 to 1."""
    corpus = corpus_of(session, campaign.test_set_id)
    metric = parse_metric("chrf").bind(corpus)
    found = {}
    for output_id, lines in material_of(session, campaign).outputs.items():
        rows = metric.rows_of(System(name="system", hypotheses=list(lines)), corpus)
        found[output_id] = [float(one) / 100 for one in metric.score(rows)]
    return found
