"""Everything about some systems on a corpus, gathered once, for whoever shows it.

The package can be called: ``tertium.study(corpus, systems, metrics)`` is `study.study`.
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.study.answer import Answer as Answer
    from tertium.study.answer import Doubt as Doubt
    from tertium.study.answer import DoubtGroup as DoubtGroup
    from tertium.study.answer import Lead as Lead
    from tertium.study.answer import PeoplesVerdict as PeoplesVerdict
    from tertium.study.answer import answer as answer
    from tertium.study.answer import doubt_groups as doubt_groups
    from tertium.study.answer import doubts as doubts
    from tertium.study.pairs import PairTable as PairTable
    from tertium.study.results import DeletionCurve as DeletionCurve
    from tertium.study.results import SliceScores as SliceScores
    from tertium.study.results import Study as Study
    from tertium.study.study import brief_study as brief_study
    from tertium.study.study import study as study
    from tertium.study.study import words_and_phrases as words_and_phrases
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "Answer": "tertium.study.answer",
            "Doubt": "tertium.study.answer",
            "DoubtGroup": "tertium.study.answer",
            "Lead": "tertium.study.answer",
            "PeoplesVerdict": "tertium.study.answer",
            "answer": "tertium.study.answer",
            "doubt_groups": "tertium.study.answer",
            "doubts": "tertium.study.answer",
            "PairTable": "tertium.study.pairs",
            "DeletionCurve": "tertium.study.results",
            "SliceScores": "tertium.study.results",
            "Study": "tertium.study.results",
            "brief_study": "tertium.study.study",
            "study": "tertium.study.study",
            "words_and_phrases": "tertium.study.study",
        },
        call="study",
    )
