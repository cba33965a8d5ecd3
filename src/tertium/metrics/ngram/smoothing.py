"""What BLEU does with an n-gram order that has no match."""

from dataclasses import dataclass
from typing import ClassVar, Final

from tertium.errors import OptionError

_DEFAULT_VALUES: Final = {"none": None, "exp": None, "floor": 0.1, "add-k": 1.0, "lin-och": None}

_LARGEST: Final = {"floor": 1.0, "add-k": 1e100}
"""More than one match in the place of none would make a precision above 1."""


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A method and, for ``floor`` and ``add-k``, its value.

    ``exp`` halves the precision for each empty order (mteval-v13a, sacreBLEU's default);
    ``floor`` puts a small count in its place; ``add-k`` adds to numerator and denominator of
    the orders above one; ``lin-och`` is add-one for those orders (Lin & Och 2004).

    >>> Smoothing.parse("floor")
    Smoothing(method='floor', value=0.1)
    >>> str(Smoothing("add-k", 2.0))
    'add-k[2.0]'
    """

    EXPECTED: ClassVar[str] = "none, exp, lin-och, floor[value] or add-k[value]"

    method: str = "exp"
    value: float | None = None

    def __post_init__(self) -> None:
        if self.method not in _DEFAULT_VALUES:
            raise OptionError(
                f"smoothing: found '{self.method}', expected {', '.join(_DEFAULT_VALUES)}"
            )
        default = _DEFAULT_VALUES[self.method]
        if self.value is None:
            object.__setattr__(self, "value", default)
        elif default is None:
            raise OptionError(f"smoothing {self.method}: found a value, expected none")
        elif not 0 <= self.value <= _LARGEST[self.method]:
            raise OptionError(
                f"smoothing {self.method}: found {self.value}, "
                f"expected a number from 0 to {_LARGEST[self.method]:g}"
            )

    def __str__(self) -> str:
        return self.method if self.value is None else f"{self.method}[{self.value!r}]"

    @classmethod
    def parse(cls, text: str) -> "Smoothing":
        """Read ``exp``, ``floor`` or ``floor[0.1]``."""
        method, bracket, value = text.partition("[")
        return cls(method, float(value.removesuffix("]")) if bracket else None)
