"""The table of audits: one row says everything that commands, reports and `decide` know of each.

To add an audit, write its function and its row here. Help, `audit`, `decide` and reports follow the
row; `docs/audits.md` needs a line, for which a test looks. Other packages offer audits by the
entry-point group ``tertium.audits``: a function from a `Case` to findings, or an `Audit`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from tertium.lazy import LazyTable

if TYPE_CHECKING:
    from tertium.audit.case import Case
    from tertium.audit.findings import Finding

AuditFunction: TypeAlias = "Callable[[Case], list[Finding]]"
Subject: TypeAlias = Literal["lead", "system", "metric"]
NeededText: TypeAlias = Literal["none", "some", "all"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """A function from a `Case` to findings, and how it is to be used.

    - ``function``: where it is, as ``module:name``; it is imported when called.
    - ``summary``: a line of help.
    - ``about``: what findings question: which of two systems is ahead (``lead``), the output of a
      system, or the metric. `decide` reads findings on a lead where they name both systems, those
      on a system where it is the one ahead, those on a metric where they name both.
    - ``decides``: whether findings may take a difference away in `decide`; all others are only
      shown by `audit` and in reports.
    - ``once``: it looks at the output whatever scores it, is done once for all metrics, and its
      findings name no metric.
    - ``made_up_text``: whether it scores output that it makes up, which not every metric can:
      ``all`` of its work or ``some`` of it.
    - ``limits``: a function from a `Case` to reasons why it cannot look for something there, as
      ``module:name``. An audit that is done ``once`` still looks for the rest; others are skipped.
    - ``resampled``: whether it asks the bootstrap what is significant.
    - ``reason``: what `decide` says of the first system of a finding that takes its lead away.
    """

    function: str
    summary: str = ""
    about: Subject = "metric"
    decides: bool = False
    once: bool = False
    made_up_text: NeededText = "none"
    limits: str = ""
    resampled: bool = False
    reason: str = ""

    def __call__(self, case: "Case") -> "list[Finding]":
        """The findings on some systems under one metric."""
        findings: list[Finding] = _imported(self.function)(case)
        return findings

    def limits_for(self, case: "Case") -> list[str]:
        """What it cannot look for in these systems, each with its reason."""
        reasons: list[str] = _imported(self.limits)(case) if self.limits else []
        return reasons


class AuditTable(LazyTable[Audit]):
    """Audits by name, in the order in which they are done; those of other packages come last."""

    def __init__(self, rows: Mapping[str, Audit]) -> None:
        super().__init__(
            "audit", {name: row.function for name, row in rows.items()}, group="tertium.audits"
        )
        self.rows = rows

    def __getitem__(self, name: str) -> Audit:
        if name in self.rows:
            return self.rows[name]
        offered: object = super().__getitem__(name)
        return offered if isinstance(offered, Audit) else Audit(function=self.places()[name])


def _imported(location: str) -> Callable[..., Any]:
    module, _, name = location.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), name)
    return function


AUDITS: Final = AuditTable(
    {
        "copies": Audit(
            function="tertium.audit.copied_output:copies",
            summary="copies of source, system or reference, files in another order, wrong language",
            about="system",
            decides=True,
            once=True,
            limits="tertium.audit.copied_output:left_out",
        ),
        "damage": Audit(
            function="tertium.audit.damaged_output:damage",
            summary=(
                "empty, cut or looping output, HTML entities, mojibake, chatter, lost case, tokens"
            ),
            about="system",
            decides=True,
            once=True,
            limits="tertium.audit.damaged_output:left_out",
        ),
        "sign-test": Audit(
            function="tertium.audit.sign_test:sign_test",
            summary='each system "significantly better" than the other, or against the scores',
            about="lead",
        ),
        "reversal": Audit(
            function="tertium.audit.reversal:reversal",
            summary="better on every slice, worse on the whole",
            about="lead",
            decides=True,
        ),
        "licence": Audit(
            function="tertium.audit.licence:licence",
            summary="words too many in some segments that pay for words missing in others",
            about="lead",
            decides=True,
            reason="'s words too many in some segments pay for those it lacks",
        ),
        "deletion": Audit(
            function="tertium.audit.deletion:deletion",
            summary="segments that could be left out before the score drops",
            made_up_text="all",
            resampled=True,
        ),
        "words": Audit(
            function="tertium.audit.words:words",
            summary="single words that could be left out before the score drops",
            made_up_text="all",
        ),
        "context": Audit(
            function="tertium.audit.context:context",
            summary="segments whose better output depends on the other segments",
        ),
        "permutation": Audit(
            function="tertium.audit.permutation:permutation",
            summary="word orders that score no less",
            made_up_text="all",
        ),
        "straw-men": Audit(
            function="tertium.audit.straw_men:straw_men",
            summary="empty, noisy or endless output that beats a system",
            about="metric",
            decides=True,
            made_up_text="all",
        ),
        "fragile": Audit(
            function="tertium.audit.fragile:fragile",
            summary="leads that rest on few segments, a document, case, punctuation or tokenizer",
            about="lead",
            decides=True,
            made_up_text="some",
        ),
        "gaming": Audit(
            function="tertium.audit.gaming:gaming",
            summary="a gain on one metric that no metric of another family grants",
            about="system",
            decides=True,
            limits="tertium.audit.gaming:left_out",
            reason=" gains far more on it than other families of metrics grant",
        ),
    }
)
"""Name → audit of one metric's statistics."""


def subject_of(audit: str) -> Subject | None:
    """What the findings of an audit may take away in `decide`; None if they only are shown.

    >>> subject_of("reversal"), subject_of("straw-men"), subject_of("sign-test")
    ('lead', 'metric', None)
    """
    row = AUDITS.get(audit)
    return row.about if row is not None and row.decides else None


def deciding(audits: Iterable[str]) -> tuple[str, ...]:
    """Those of some audits that `decide` asks."""
    return tuple(name for name in audits if subject_of(name) is not None)
