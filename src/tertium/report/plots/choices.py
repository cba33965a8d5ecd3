"""What plots there are: names that cost nothing to import."""

from typing import Final, Literal, TypeAlias, get_args

StudyPlot: TypeAlias = Literal[
    "scores", "segments", "scatter", "slices", "resamples", "deletions", "lengths"
]
STUDY_PLOTS: Final[tuple[StudyPlot, ...]] = get_args(StudyPlot)
"""Of a study, for each of its metrics."""

AgreementPlot: TypeAlias = Literal["scatter", "heat-map", "systems"]
AGREEMENT_PLOTS: Final[tuple[AgreementPlot, ...]] = get_args(AgreementPlot)
"""Of metrics and people's ratings."""
