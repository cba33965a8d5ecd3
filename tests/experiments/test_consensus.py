"""How typical of a pool an output is."""

import numpy as np
import pytest
from experiments.consensus import typicality

MIDDLE = "one two three four five six"
LEFT = "one two three four five sieben"
RIGHT = "eins two three four five six"
AWAY = "quite another sentence altogether"


def test_what_lies_between_the_others_is_typical() -> None:
    found = typicality([[MIDDLE] * 5, [LEFT] * 5, [RIGHT] * 5, [AWAY] * 5])
    assert found[0] == 1.0
    assert found[3] == 0.0
    assert found.mean() == pytest.approx(0.5)


def test_a_copy_makes_nothing_more_typical() -> None:
    """Who only repeats what others write has their ranks, and they keep theirs."""
    texts = [[MIDDLE] * 4, [LEFT] * 4, [RIGHT] * 4, [AWAY] * 4]
    mixed = [MIDDLE, AWAY, MIDDLE, AWAY]
    found = typicality([*texts, mixed])
    np.testing.assert_allclose(found[:4], typicality(texts))
    assert found[4] == pytest.approx(0.5)


def test_segments_without_three_texts_do_not_count() -> None:
    assert typicality([["a b c"], ["a b c"], ["d e f"]]).tolist() == [0.0, 0.0, 0.0]
