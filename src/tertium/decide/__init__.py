"""All evidence on some systems, and one answer in words.

The package can be called: ``tertium.decide(corpus, systems, metrics)`` is `decide.decide`.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.decide.decide import decide as decide
    from tertium.decide.decision import Decision as Decision
    from tertium.decide.decision import Requirement as Requirement
    from tertium.decide.evidence import MetricEvidence as MetricEvidence
    from tertium.decide.evidence import OpposingSlices as OpposingSlices
    from tertium.decide.power import PairPower as PairPower
    from tertium.decide.power import Power as Power
    from tertium.decide.power import power as power
    from tertium.decide.rules import verdicts as verdicts
    from tertium.decide.verdict import Answer as Answer
    from tertium.decide.verdict import Verdict as Verdict
    from tertium.metrics.contract.families import family_of as family_of
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "decide": "tertium.decide.decide",
            "Decision": "tertium.decide.decision",
            "Requirement": "tertium.decide.decision",
            "MetricEvidence": "tertium.decide.evidence",
            "OpposingSlices": "tertium.decide.evidence",
            "PairPower": "tertium.decide.power",
            "Power": "tertium.decide.power",
            "power": "tertium.decide.power",
            "verdicts": "tertium.decide.rules",
            "Answer": "tertium.decide.verdict",
            "Verdict": "tertium.decide.verdict",
            "family_of": "tertium.metrics.contract.families",
        },
        call="decide",
    )
