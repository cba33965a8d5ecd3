"""Systems on a corpus with the statistics of every metric, each computed once.

>>> from tertium import Corpus, System, scored
>>> corpus = Corpus(references=["a cat sat", "a dog ran"], genres=["news", "web"])
>>> whole = scored(corpus, [System(name="mine", hypotheses=["a cat sat", "a cat"])], ["wer"])
>>> whole.rows[0].shape  # systems, segments, statistics
(1, 2, 4)
>>> whole.scores_of(whole.metrics[0]).round(2).tolist()
[33.33]
>>> whole.slices("genre").labels
('news', 'web')
"""

from typing import TYPE_CHECKING

from tertium.lazy import offered

if TYPE_CHECKING:
    from tertium.choices import SLICINGS as SLICINGS
    from tertium.choices import Slicing as Slicing
    from tertium.scored.runs import AnyRuns as AnyRuns
    from tertium.scored.runs import Runs as Runs
    from tertium.scored.runs import runs_of as runs_of
    from tertium.scored.scored import AnyScored as AnyScored
    from tertium.scored.scored import Scored as Scored
    from tertium.scored.scored import as_scored as as_scored
    from tertium.scored.scored import scored as scored
    from tertium.scored.slices import LENGTHS as LENGTHS
    from tertium.scored.slices import Bands as Bands
    from tertium.scored.slices import Lengths as Lengths
    from tertium.scored.slices import Slices as Slices
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "SLICINGS": "tertium.choices",
            "Slicing": "tertium.choices",
            "AnyRuns": "tertium.scored.runs",
            "Runs": "tertium.scored.runs",
            "runs_of": "tertium.scored.runs",
            "AnyScored": "tertium.scored.scored",
            "Scored": "tertium.scored.scored",
            "as_scored": "tertium.scored.scored",
            "scored": "tertium.scored.scored",
            "LENGTHS": "tertium.scored.slices",
            "Bands": "tertium.scored.slices",
            "Lengths": "tertium.scored.slices",
            "Slices": "tertium.scored.slices",
        },
        call="scored",
    )
