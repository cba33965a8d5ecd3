"""Results as numbers and text."""

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

from tertium.plain import Plain, plain_dict, to_plain
from tertium.version import __version__


class Side(Enum):
    LEFT = "left"


class Pair(NamedTuple):
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner(Plain):
    value: float
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer(Plain):
    PLAIN = "version score=inner.value twice **inner notes? segments"

    inner: Inner
    notes: tuple[str, ...] = ()
    segments: "np.ndarray[tuple[int], np.dtype[np.float64]] | None" = None

    @property
    def twice(self) -> float:
        return 2 * self.inner.value


def test_fields_in_their_order() -> None:
    assert list(Inner(value=0.5, counts=(1, 2)).to_dict().items()) == [
        ("value", 0.5),
        ("counts", [1, 2]),
    ]


def test_keys_are_renamed_derived_put_in_and_left_out() -> None:
    whole = Outer(inner=Inner(value=1.5), segments=np.array([1.0, np.nan]))
    assert list(whole.to_dict().items()) == [
        ("version", __version__),
        ("score", 1.5),
        ("twice", 3.0),
        ("value", 1.5),
        ("counts", []),
        ("segments", [1.0, None]),
    ]
    assert Outer(inner=Inner(value=1.5), notes=("n",)).to_dict()["notes"] == ["n"]


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (np.float64(0.25), 0.25),
        (np.float64("inf"), None),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (float("nan"), None),
        (Side.LEFT, "left"),
        (date(2026, 11, 18), "2026-11-18"),
        (Pair(1.0, float("nan")), {"first": 1.0, "second": None}),
        ({"a": (1, None)}, {"a": [1, None]}),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
    ],
)
def test_values(value: object, plain: object) -> None:
    made = to_plain(value)
    assert made == plain
    assert type(made) is type(plain)


def test_a_key_that_is_no_attribute_is_an_error() -> None:
    with pytest.raises(AttributeError, match="missing"):
        plain_dict(Pair(1.0, 2.0), "missing")
