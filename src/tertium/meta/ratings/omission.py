"""Rated systems that are left out on purpose: those named by the user, and references.

Test sets such as those of mt-metrics-eval rate human translations among the systems. A metric that
scores one against itself, or against another person's, says something else of it than of machine
output, and one such point can make up most of a correlation.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Judgments
from tertium.suggestions import did_you_mean
from tertium.text.corpus import Corpus, System

REFERENCE: Final = "references among the systems, left out"
COPY: Final = "systems whose output is a reference, left out"
ASKED: Final = "systems left out as asked"

_REFERENCE_NAME: Final = re.compile(
    r"(?:.*[._-])?(?:ref|reference|human)(?:[._-]?[A-Z0-9])?(?:\.\d+)?", re.IGNORECASE
)


def is_reference_name(name: str) -> bool:
    """Whether a system is called like a human translation.

    >>> [one for one in ("refA", "ref", "Human-A.0", "synthetic_ref", "newstest2020-ref")
    ...  if not is_reference_name(one)]
    []
    >>> [one for one in ("refined", "ONLINE-A", "prefix", "humanoid") if is_reference_name(one)]
    []
    """
    return _REFERENCE_NAME.fullmatch(name) is not None


def omitted_names(
    rated: Sequence[str], *, exclude: Sequence[str] = (), include_references: bool = False
) -> dict[str, str]:
    """Rated systems to leave out, each with the reason; ``exclude`` may have ``*`` and ``?``."""
    found: dict[str, str] = {}
    for pattern in exclude:
        some = [name for name in rated if fnmatchcase(name, pattern)]
        if not some:
            raise OptionError(did_you_mean("rated system", pattern, rated))
        found |= dict.fromkeys(some, ASKED)
    if not include_references:
        found |= {name: REFERENCE for name in rated if is_reference_name(name)} | found
    return found


def copies_of_references(corpus: Corpus, systems: Sequence[System]) -> dict[str, str]:
    """Systems whose whole output is one of the references, each with the reason."""
    references = [column.to_list() for column in corpus.references.columns]
    return {one.name: COPY for one in systems if one.hypotheses.to_list() in references}


def without(judgments: Judgments, names: Mapping[str, str]) -> Judgments:
    """The ratings of the other systems; the names are kept in ``omitted``, and it is stated."""
    left_out = [name for name in names if name not in judgments.omitted]
    kept = [place for place, name in enumerate(judgments.systems) if name not in names]
    if not kept:
        raise InputError(
            f"{judgments.name} {judgments.criterion}: found only systems that are left out "
            f"({', '.join(left_out)}), expected others; references can be included"
        )
    stated = [
        Exclusion(reason=reason, count=len(some), example=some[0])
        for reason in dict.fromkeys(names[name] for name in left_out)
        for some in [[name for name in left_out if names[name] == reason]]
    ]
    return replace(
        judgments,
        systems=tuple(judgments.systems[place] for place in kept),
        values=judgments.values[kept],
        segments=None if judgments.segments is None else judgments.segments[kept],
        comparisons=_between(judgments.comparisons, kept, len(judgments.systems)),
        exclusions=(*judgments.exclusions, *stated),
        omitted=(*judgments.omitted, *left_out),
    )


def _between(
    comparisons: Comparisons | None, kept: Sequence[int], systems: int
) -> Comparisons | None:
    """Comparisons of two systems that are kept, by their new numbers."""
    if comparisons is None:
        return None
    new = np.full(systems, -1, dtype=np.int32)
    new[list(kept)] = np.arange(len(kept), dtype=np.int32)
    both = comparisons.take((new[comparisons.better] >= 0) & (new[comparisons.worse] >= 0))
    return replace(both, better=new[both.better], worse=new[both.worse])
