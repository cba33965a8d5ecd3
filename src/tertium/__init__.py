"""tertium scores machine translation, and says how far a score can be trusted.

>>> import tertium
>>> print(f"{tertium.score(['just a small test'], ['just a small test']):.1f}")
100.0
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.audit.auditing import audit
    from tertium.audit.findings import AuditReport, Finding
    from tertium.compare.comparing import Comparison, compare
    from tertium.errors import InputError, MissingExtraError, OptionError, TertiumError
    from tertium.explaining import Explanation, explain
    from tertium.meta.agreement import Agreement, agree
    from tertium.meta.judgments import Judgments, MetricScores
    from tertium.meta.reading import read_judgments
    from tertium.metrics.base import Metric
    from tertium.metrics.table import parse_metric
    from tertium.report.study import Study
    from tertium.report.studying import study
    from tertium.results import Evaluation, Score, SystemScores
    from tertium.scoring import evaluate, score
    from tertium.text.corpus import Corpus, System
    from tertium.text.references import References
    from tertium.text.tokenizers import Tokenizer

# Loaded on first use: the command line answers --version without importing numpy.
_HOMES: Final = {
    "Agreement": "tertium.meta.agreement",
    "AuditReport": "tertium.audit.findings",
    "Comparison": "tertium.compare.comparing",
    "Corpus": "tertium.text.corpus",
    "Evaluation": "tertium.results",
    "Explanation": "tertium.explaining",
    "Finding": "tertium.audit.findings",
    "InputError": "tertium.errors",
    "Judgments": "tertium.meta.judgments",
    "Metric": "tertium.metrics.base",
    "MetricScores": "tertium.meta.judgments",
    "MissingExtraError": "tertium.errors",
    "OptionError": "tertium.errors",
    "References": "tertium.text.references",
    "Score": "tertium.results",
    "Study": "tertium.report.study",
    "System": "tertium.text.corpus",
    "SystemScores": "tertium.results",
    "TertiumError": "tertium.errors",
    "Tokenizer": "tertium.text.tokenizers",
    "agree": "tertium.meta.agreement",
    "audit": "tertium.audit.auditing",
    "compare": "tertium.compare",
    "evaluate": "tertium.scoring",
    "explain": "tertium.explaining",
    "parse_metric": "tertium.metrics.table",
    "read_judgments": "tertium.meta.reading",
    "score": "tertium.scoring",
    "study": "tertium.report.studying",
}

__all__ = [
    "Agreement",
    "AuditReport",
    "Comparison",
    "Corpus",
    "Evaluation",
    "Explanation",
    "Finding",
    "InputError",
    "Judgments",
    "Metric",
    "MetricScores",
    "MissingExtraError",
    "OptionError",
    "References",
    "Score",
    "Study",
    "System",
    "SystemScores",
    "TertiumError",
    "Tokenizer",
    "__version__",
    "agree",
    "audit",
    "compare",
    "evaluate",
    "explain",
    "parse_metric",
    "read_judgments",
    "score",
    "study",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tertium' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
