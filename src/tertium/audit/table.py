"""The audits by name, in the order in which they are done."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from tertium.lazy import Table

if TYPE_CHECKING:
    from tertium.audit.case import Case
    from tertium.audit.findings import Finding

Audit: TypeAlias = "Callable[[Case], list[Finding]]"
LeftOut: TypeAlias = "Callable[[Case], list[str]]"

AUDITS: Final[Table[Audit]] = Table(
    "audit",
    {
        "copies": "tertium.audit.copies.copies:copies",
        "damage": "tertium.audit.damage.damage:damage",
        "sign-test": "tertium.audit.sign_test:sign_test",
        "reversal": "tertium.audit.reversal:reversal",
        "licence": "tertium.audit.licence:licence",
        "deletion": "tertium.audit.deletion:deletion",
        "words": "tertium.audit.words:words",
        "context": "tertium.audit.context:context",
        "permutation": "tertium.audit.permutation:permutation",
        "straw-men": "tertium.audit.straw_men:straw_men",
        "fragile": "tertium.audit.fragile:fragile",
        "gaming": "tertium.audit.gaming:gaming",
    },
)
"""Name → audit of one metric's statistics."""

OF_OUTPUT: Final = frozenset({"copies", "damage"})
"""Audits of the output itself: they are done once, and their findings name no metric."""
LEFT_OUT: Final[Table[LeftOut]] = Table(
    "audit",
    {
        "copies": "tertium.audit.copies.copies:left_out",
        "damage": "tertium.audit.damage.damage:left_out",
        "gaming": "tertium.audit.gaming:left_out",
    },
)
"""Name → what an audit cannot look for in these systems, each with its reason."""

NEED_TEXT: Final = frozenset({"deletion", "words", "permutation", "straw-men"})
"""Audits that make up output of their own, which not every metric can score."""
NEED_CHANGED_TEXT: Final = frozenset({"fragile"})
"""Audits that also look at changed output, but do the rest of their work without."""
