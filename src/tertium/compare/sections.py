"""The parts of a comparison, which can be asked for one by one."""

from typing import Final, Literal, TypeAlias, get_args

Section: TypeAlias = Literal["scores", "ngrams", "words", "lengths", "histograms", "sentences"]
SECTIONS: Final[tuple[Section, ...]] = get_args(Section)
