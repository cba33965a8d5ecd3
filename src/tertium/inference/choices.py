"""What users may choose in resampling, and what holds unless they do; cheap to import."""

from typing import Final, Literal, TypeAlias, get_args

Resampling: TypeAlias = Literal["auto", "segments", "documents"]
RESAMPLINGS: Final[tuple[Resampling, ...]] = get_args(Resampling)

IntervalMethod: TypeAlias = Literal["percentile", "bca"]
INTERVALS: Final[tuple[IntervalMethod, ...]] = get_args(IntervalMethod)

DEFAULT_SEED: Final = 12345
"""sacreBLEU's."""
TEST_TRIALS: Final = 10_000
"""Of every test, so that one pair of systems has one p-value wherever it is shown."""
