"""What users may choose in resampling, and what holds unless they do; cheap to import."""

from typing import Final, Literal, TypeAlias, get_args

Resampling: TypeAlias = Literal["auto", "segments", "documents"]
RESAMPLINGS: Final[tuple[Resampling, ...]] = get_args(Resampling)

DEFAULT_SEED: Final = 12345
"""sacreBLEU's."""
TEST_TRIALS: Final = 10_000
"""Of every test, so that one pair of systems has one p-value wherever it is shown."""
