"""Names that users may choose from, and what holds unless they do: cheap to import.

Parsers, help texts and checks of arguments need the names alone; what does the work costs numpy.
"""

from typing import Final, Literal, TypeAlias, get_args

# Resampling.
Resampling: TypeAlias = Literal["auto", "segments", "documents"]
RESAMPLINGS: Final[tuple[Resampling, ...]] = get_args(Resampling)

IntervalMethod: TypeAlias = Literal["percentile", "bca"]
INTERVALS: Final[tuple[IntervalMethod, ...]] = get_args(IntervalMethod)

DEFAULT_SEED: Final = 12345
"""sacreBLEU's."""
TEST_TRIALS: Final = 10_000
"""Of every test, so that one pair of systems has one p-value wherever it is shown."""

# What is compared, and in which parts of a corpus.
Slicing: TypeAlias = Literal["genre", "document", "length"]
SLICINGS: Final[tuple[Slicing, ...]] = get_args(Slicing)

Section: TypeAlias = Literal["scores", "ngrams", "words", "lengths", "histograms", "sentences"]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)

# Metrics against people.
RATING_FORMATS: Final = (
    "auto",
    "wmt-ranks",
    "wmt08",
    "jcml",
    "table",
    "jsonl",
    "mt-metrics-eval",
    "spans",
    "grades",
)
"""Files of ratings: WMT's ranking CSV; the CSV of all tasks of WMT08; rankings with their texts;
tables with a header; the same as JSON lines; files of mt-metrics-eval; errors marked in the text; a
column of grades beside the table before it."""

SPAN_FORMATS: Final = ("mt-metrics-eval", "standalone", "mqm", "wmt25", "pearmut", "appraise")
"""Files of marked errors: `PAIR.NAME.RATER.seg.rating` and standalone JSON lines of
mt-metrics-eval, raw tables of MQM, WMT25's human evaluation, exports of Pearmut and Appraise."""

RankMethod: TypeAlias = Literal[
    "wins-ratio", "better-or-equal", "better", "expected-wins", "bradley-terry", "trueskill"
]
RANK_METHODS: Final[tuple[RankMethod, ...]] = get_args(RankMethod)
"""How rankings become one value for each system."""

Resample: TypeAlias = Literal["systems", "segments", "documents", "both"]
RESAMPLES: Final[tuple[Resample, ...]] = get_args(Resample)
"""What is drawn for the interval of an agreement; ``both`` are systems and documents, or segments
where documents are not known."""

Exchange: TypeAlias = Literal["systems", "items", "both"]
EXCHANGES: Final[tuple[Exchange, ...]] = get_args(Exchange)
"""What a permutation test exchanges together; items are documents, or segments where documents are
not known."""

Optimiser: TypeAlias = Literal["nelder-mead", "powell", "differential-evolution"]
OPTIMISERS: Final[tuple[Optimiser, ...]] = get_args(Optimiser)
"""How the parameters of a metric are sought."""

Validation: TypeAlias = Literal["systems", "test-sets", "none"]
VALIDATIONS: Final[tuple[Validation, ...]] = get_args(Validation)
"""What is held out when parameters are judged."""

RankExchange: TypeAlias = Literal["official", "items"]
RANK_EXCHANGES: Final[tuple[RankExchange, ...]] = get_args(RankExchange)
"""What a test between metrics in a ranking exchanges: as mt-metrics-eval does, or whole items."""

Task: TypeAlias = Literal["wmt23", "wmt24", "wmt25"]
TASKS: Final[dict[str, tuple[str, ...]]] = {
    "wmt23": ("pearson", "segment-pearson-none", "acc-eq-item"),
    "wmt24": ("soft-accuracy", "acc-eq-item"),
    "wmt25": ("soft-accuracy", "acc-eq-item"),
}
"""The measures by which WMT's metrics tasks ranked metrics; WMT23 also had pairwise accuracy over
all language pairs, which counts as much as one measure of each pair."""

# Reports and plots.
Audience: TypeAlias = Literal["everyone", "experts"]
AUDIENCES: Final[tuple[Audience, ...]] = get_args(Audience)
"""Whom a report opens for: with a summary in plain words, or with metrics and tests."""

PaperPlot: TypeAlias = Literal["forest", "ranks", "differences"]
PAPER_PLOTS: Final[tuple[PaperPlot, ...]] = get_args(PaperPlot)
"""Of a study, as reports show them; they need no plotting library."""

StudyPlot: TypeAlias = Literal[
    "forest",
    "ranks",
    "differences",
    "scores",
    "segments",
    "scatter",
    "slices",
    "resamples",
    "deletions",
    "lengths",
]
STUDY_PLOTS: Final[tuple[StudyPlot, ...]] = get_args(StudyPlot)
"""Of a study; all but forest, ranks and lengths for each of its metrics."""

Fit: TypeAlias = Literal["column", "page"]
FIT_INCHES: Final[dict[Fit, float]] = {"column": 3.3, "page": 6.9}
"""Widths of figures: of one column of a paper, and of both."""

AgreementPlot: TypeAlias = Literal["scatter", "heat-map", "systems"]
AGREEMENT_PLOTS: Final[tuple[AgreementPlot, ...]] = get_args(AgreementPlot)
"""Of metrics and people's ratings."""

RankingPlot: TypeAlias = Literal["p-values", "scatter"]
RANKING_PLOTS: Final[tuple[RankingPlot, ...]] = get_args(RankingPlot)
"""Of metrics ranked over language pairs and measures."""
