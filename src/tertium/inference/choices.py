"""What users may choose in resampling, apart from numbers: names that cost nothing to import."""

from typing import Final, Literal, TypeAlias, get_args

Resampling: TypeAlias = Literal["auto", "segments", "documents"]
RESAMPLINGS: Final[tuple[Resampling, ...]] = get_args(Resampling)
