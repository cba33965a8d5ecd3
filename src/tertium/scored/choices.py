"""How a corpus can be sliced."""

from typing import Final, Literal, TypeAlias, get_args

Slicing: TypeAlias = Literal["genre", "document", "length"]
SLICINGS: Final[tuple[Slicing, ...]] = get_args(Slicing)
