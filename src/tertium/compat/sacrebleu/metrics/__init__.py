"""Metrics as objects, under the names that ``from sacrebleu.metrics import …`` gives."""

from typing import Final

from tertium.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore

# One line for each metric: CHRF and TER join here.
METRICS: Final = {"BLEU": BLEU}

__all__ = ["BLEU", "METRICS", "BLEUScore"]
