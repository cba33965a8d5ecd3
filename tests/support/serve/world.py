"""A small world for tests: two projects with everything in them, and people with every role."""

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from sqlalchemy.orm import Session

from tertium.serve.accounts.callers import Caller, Role
from tertium.serve.accounts.tokens import make_link, revoke_link
from tertium.serve.accounts.users import begin_session, open_link
from tertium.serve.evaluation.corpora import corpus_of
from tertium.serve.evaluation.scoring import keep_scores, score_text
from tertium.serve.rating.campaigns import change_state
from tertium.serve.rating.raters import invite, rater_of
from tertium.serve.rating.settings import CampaignSettings
from tertium.serve.rating.work import next_page
from tertium.serve.store.connection import Store
from tertium.serve.store.schema import (
    Campaign,
    CampaignOutput,
    Job,
    Link,
    Membership,
    Output,
    Project,
    StoredReference,
    StoredSystem,
    TestSet,
    User,
    now,
)
from tertium.serve.store.texts import keep_text
from tests.support.serve.campaigns import rate_all

SECOND_LINES = ("Das war ein Haus .", "Tag !", "שלום")
LINES = ("Das ist ein Haus .", "Guten Tag !", "שלום עולם")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Cookies by the name of their holder, and the parts of the paths of two projects."""

    cookies: dict[str, str]
    own: dict[str, str]
    foreign: dict[str, str]


USERS: dict[str, Role | None] = {
    "owner": "owner",
    "editor": "editor",
    "rater": "rater",
    "reader": "reader",
    "stranger": None,
    "admin": None,
}
"""Each has an account; the stranger owns the other project."""

LINKS: dict[str, tuple[Role, bool]] = {
    "reader link": ("reader", False),
    "editor link": ("editor", False),
    "campaign link": ("rater", True),
    "revoked link": ("editor", False),
}
"""Each was followed; True: it is for the campaign alone."""


def make_world(store: Store) -> World:
    """Fill a store."""
    with store.writing() as session:
        own = _project(session, "own")
        foreign = _project(session, "foreign")
        cookies = {"anonymous": ""}
        for name, role in USERS.items():
            user = User(name=name, password_hash="-", admin=name == "admin")
            session.add(user)
            session.flush()
            if role is not None:
                _member(session, own, user, role)
            if name == "stranger":
                _member(session, foreign, user, "owner")
            cookies[name] = begin_session(session, user_id=user.id)
            if role is not None or name == "admin":
                _give_work(session, own, Caller(actor=name, user_id=user.id))
        for name, (role, limited) in LINKS.items():
            campaign = int(own["campaign"]) if limited else None
            token, link = make_link(
                session, "owner", int(own["project_id"]), role, campaign_id=campaign
            )
            cookies[name] = open_link(session, token)[0]
            _give_work(session, own, Caller(actor=f"link {link.id}", link_id=link.id))
            if name == "revoked link":
                revoke_link(session, "owner", int(own["project_id"]), link.id)
    return World(cookies=cookies, own=own, foreign=foreign)


def role_of(name: str) -> Role | None:
    """The role of somebody in the project ``own``."""
    if name == "admin":
        return "owner"
    if name in LINKS:
        return None if name == "revoked link" else LINKS[name][0]
    return USERS.get(name)


def _give_work(session: Session, project: dict[str, str], caller: Caller) -> None:
    """Make somebody a rater, with the first items of the campaign."""
    campaign = session.get_one(Campaign, int(project["campaign"]))
    rater = rater_of(session, caller, campaign)
    next_page(session, campaign, CampaignSettings.of(campaign.settings), rater)


def _member(session: Session, project: dict[str, str], user: User, role: Role) -> None:
    session.add(Membership(project_id=int(project["project_id"]), user_id=user.id, role=role))


def _project(session: Session, slug: str) -> dict[str, str]:
    """A project with one of everything; the parts of paths that name them."""
    project = Project(slug=slug, name=f"The project {slug}")
    lines = [f"{line} {slug}" for line in LINES]
    session.add(project)
    text = keep_text(session, lines)
    session.flush()
    test_set = TestSet(
        project_id=project.id, slug=f"news-{slug}", name="News", segments=len(lines),
        sources_text_id=text.id,
    )  # fmt: skip
    session.add(test_set)
    session.flush()
    system = StoredSystem(test_set_id=test_set.id, name="elm")
    session.add_all([
        system,
        StoredReference(test_set_id=test_set.id, name="ref", position=0, text_id=text.id),
    ])  # fmt: skip
    session.flush()
    output = Output(
        system_id=system.id, number=1, text_id=text.id, sha256=text.sha256, uploaded_by="owner"
    )
    campaign = Campaign(
        project_id=project.id,
        test_set_id=test_set.id,
        name="First",
        protocol="direct-assessment",
        state="draft",
    )
    job = Job(kind="test", project_id=project.id, created_by="owner")
    done_job = Job(
        kind="test", project_id=project.id, created_by="owner", state="done", progress=1.0,
        result={}, result_file=b"made", result_name="made.txt",
    )  # fmt: skip
    link = Link(
        token_hash=sha256(slug.encode()).hexdigest(), project_id=project.id, role="reader",
        created_by="owner", expires_at=now() + timedelta(days=1),
    )  # fmt: skip
    session.add_all([output, campaign, job, done_job, link])
    session.flush()
    session.add(CampaignOutput(campaign_id=campaign.id, output_id=output.id, position=0))
    session.flush()
    change_state(session, "owner", project.id, campaign.id, "open")
    rate_all(session, campaign, "somebody", most=2)
    invited = invite(session, "owner", project.id, campaign.id, label="invited")
    second = _second_output(session, test_set)
    corpus = corpus_of(session, test_set.id)
    for one, texts in ((output, lines), (second, SECOND_LINES)):
        keep_scores(session, one.id, score_text(corpus, texts, test_set.metrics))
    return {
        "token": "unknown",
        "api_token": "1",
        "user": "reader" if slug == "own" else "stranger",
        "project": slug,
        "project_id": str(project.id),
        "test_set": test_set.slug,
        "system": str(system.id),
        "output": str(output.id),
        "second_output": str(second.id),
        "campaign": str(campaign.id),
        "rater": str(invited.rater.id),
        "number": "1",
        "export": "ratings.tsv",
        "job": str(job.id),
        "done_job": str(done_job.id),
        "link": str(link.id),
        "target": f"output-{output.id}",
    }


def _second_output(session: Session, test_set: TestSet) -> Output:
    """What another system said of the same segments."""
    text = keep_text(session, SECOND_LINES)
    system = StoredSystem(test_set_id=test_set.id, name="oak")
    session.add(system)
    session.flush()
    output = Output(
        system_id=system.id, number=1, text_id=text.id, sha256=text.sha256, uploaded_by="owner"
    )
    session.add(output)
    session.flush()
    return output
