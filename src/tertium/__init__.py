"""tertium scores machine translation, and says how far a score can be trusted.

>>> import tertium
>>> print(f"{tertium.score(['just a small test'], ['just a small test']):.1f}")
100.0
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered
from tertium.version import __version__ as __version__

if TYPE_CHECKING:
    from tertium.audit.audit import audit as audit
    from tertium.audit.findings import AuditReport as AuditReport
    from tertium.audit.findings import Finding as Finding
    from tertium.compare.compare import compare as compare
    from tertium.compare.comparison import Comparison as Comparison
    from tertium.decide.decide import decide as decide
    from tertium.decide.decision import Decision as Decision
    from tertium.decide.power import Power as Power
    from tertium.decide.power import power as power
    from tertium.decide.verdict import Verdict as Verdict
    from tertium.errors import InputError as InputError
    from tertium.errors import MissingExtraError as MissingExtraError
    from tertium.errors import OptionError as OptionError
    from tertium.errors import TertiumError as TertiumError
    from tertium.evaluation import evaluate as evaluate
    from tertium.evaluation import evaluate_inputs as evaluate_inputs
    from tertium.evaluation import score as score
    from tertium.explanation import Explanation as Explanation
    from tertium.explanation import explain as explain
    from tertium.meta.agreement.agreement_table import Agreement as Agreement
    from tertium.meta.agreement.agreement_table import agree as agree
    from tertium.meta.ratings.files import read_judgments as read_judgments
    from tertium.meta.ratings.judgments import Judgments as Judgments
    from tertium.meta.ratings.judgments import MetricScores as MetricScores
    from tertium.metrics.contract.base import Metric as Metric
    from tertium.metrics.contract.table import parse_metric as parse_metric
    from tertium.metrics.foreign.segment_metric import SegmentMetric as SegmentMetric
    from tertium.results import Evaluation as Evaluation
    from tertium.results import Score as Score
    from tertium.results import SystemScores as SystemScores
    from tertium.scored.scored import Scored as Scored
    from tertium.scored.scored import scored as scored
    from tertium.study.results import Study as Study
    from tertium.study.study import study as study
    from tertium.text.corpus import Corpus as Corpus
    from tertium.text.corpus import System as System
    from tertium.text.references import References as References
    from tertium.text.tokenizers import Tokenizer as Tokenizer
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "__version__": "tertium.version",
            "audit": "tertium.audit.audit",
            "AuditReport": "tertium.audit.findings",
            "Finding": "tertium.audit.findings",
            "compare": "tertium.compare.compare",
            "Comparison": "tertium.compare.comparison",
            "decide": "tertium.decide.decide",
            "Decision": "tertium.decide.decision",
            "Power": "tertium.decide.power",
            "power": "tertium.decide.power",
            "Verdict": "tertium.decide.verdict",
            "InputError": "tertium.errors",
            "MissingExtraError": "tertium.errors",
            "OptionError": "tertium.errors",
            "TertiumError": "tertium.errors",
            "evaluate": "tertium.evaluation",
            "evaluate_inputs": "tertium.evaluation",
            "score": "tertium.evaluation",
            "Explanation": "tertium.explanation",
            "explain": "tertium.explanation",
            "Agreement": "tertium.meta.agreement.agreement_table",
            "agree": "tertium.meta.agreement.agreement_table",
            "read_judgments": "tertium.meta.ratings.files",
            "Judgments": "tertium.meta.ratings.judgments",
            "MetricScores": "tertium.meta.ratings.judgments",
            "Metric": "tertium.metrics.contract.base",
            "parse_metric": "tertium.metrics.contract.table",
            "SegmentMetric": "tertium.metrics.foreign.segment_metric",
            "Evaluation": "tertium.results",
            "Score": "tertium.results",
            "SystemScores": "tertium.results",
            "Scored": "tertium.scored.scored",
            "scored": "tertium.scored.scored",
            "Study": "tertium.study.results",
            "study": "tertium.study.study",
            "Corpus": "tertium.text.corpus",
            "System": "tertium.text.corpus",
            "References": "tertium.text.references",
            "Tokenizer": "tertium.text.tokenizers",
        },
    )
