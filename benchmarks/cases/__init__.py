"""All benchmarks: the table of cases."""

from typing import Final

from case import Case

from cases import (
    amber,
    arrow,
    best_of,
    bleu,
    commands,
    error_rates,
    families,
    inference,
    mbr,
    mert,
    meteor,
    oracle,
)

CASES: Final[tuple[Case, ...]] = (
    *bleu.CASES,
    *error_rates.CASES,
    *families.CASES,
    *amber.CASES,
    *inference.CASES,
    *commands.CASES,
    *meteor.CASES,
    *arrow.CASES,
    *best_of.CASES,
    *mbr.CASES,
    *mert.CASES,
    *oracle.CASES,
)
