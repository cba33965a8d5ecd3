"""Is this verdict to be trusted? Audits look for what a score hides, and say what they found.

The package can be called: ``tertium.audit(corpus, systems, metrics)`` is `auditing.audit`.
"""

import sys
from types import ModuleType

from tertium.audit.auditing import AUDITS, audit
from tertium.audit.findings import AuditReport, Finding, Severity, Skipped

__all__ = ["AUDITS", "AuditReport", "Finding", "Severity", "Skipped", "audit"]


class _CallablePackage(ModuleType):
    """Lets the verb and the folder have the same name: importing a package hides a function."""

    __call__ = staticmethod(audit)


sys.modules[__name__].__class__ = _CallablePackage
