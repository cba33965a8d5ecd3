"""All tables, in one place to import them from."""

from tertium.serve.store.accounts import (
    ApiToken,
    Link,
    LogEntry,
    LoginSession,
    Membership,
    Project,
    User,
)
from tertium.serve.store.annotation import AnnotationEvent, AnnotationFile
from tertium.serve.store.base import Base
from tertium.serve.store.evaluation import (
    Output,
    StoredReference,
    StoredScore,
    StoredSystem,
    StoredText,
    TestSet,
)
from tertium.serve.store.jobs import Idempotency, Job
from tertium.serve.store.rating import (
    Assignment,
    Campaign,
    CampaignOutput,
    Rater,
    RatingEvent,
    RatingItem,
)

__all__ = [
    "AnnotationEvent",
    "AnnotationFile",
    "ApiToken",
    "Assignment",
    "Base",
    "Campaign",
    "CampaignOutput",
    "Idempotency",
    "Job",
    "Link",
    "LogEntry",
    "LoginSession",
    "Membership",
    "Output",
    "Project",
    "Rater",
    "RatingEvent",
    "RatingItem",
    "StoredReference",
    "StoredScore",
    "StoredSystem",
    "StoredText",
    "TestSet",
    "User",
]
