"""Short ways to write what the tests of oracles search for."""

import numpy as np

from tertium.decode.structures.arrays import Integers
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.text.tokenizers import WHITESPACE


def grr(k: int = 4, alpha: float = 1.0, beta: float = 0.0) -> GramRecognitionRate:
    """The metric, of words as they stand."""
    return GramRecognitionRate(k=k, alpha=alpha, beta=beta, tokenizer=WHITESPACE)


def whole(*numbers: int) -> Integers:
    """Numbers as the native core takes them."""
    return np.array(numbers, dtype=np.int32)
