"""Is this verdict to be trusted? Audits look for what a score hides, and say what they found.

The package can be called: ``tertium.audit(corpus, systems, metrics)`` is `audit.audit`.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.audit.audit import audit as audit
    from tertium.audit.findings import AuditReport as AuditReport
    from tertium.audit.findings import Finding as Finding
    from tertium.audit.findings import Severity as Severity
    from tertium.audit.findings import Skipped as Skipped
    from tertium.audit.table import AUDITS as AUDITS
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "audit": "tertium.audit.audit",
            "AuditReport": "tertium.audit.findings",
            "Finding": "tertium.audit.findings",
            "Severity": "tertium.audit.findings",
            "Skipped": "tertium.audit.findings",
            "AUDITS": "tertium.audit.table",
        },
        call="audit",
    )
