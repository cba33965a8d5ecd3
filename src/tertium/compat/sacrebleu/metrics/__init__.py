"""Metrics as objects, under the names that ``from sacrebleu.metrics import …`` gives."""

from typing import Final

from tertium.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from tertium.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from tertium.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS: Final = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]
