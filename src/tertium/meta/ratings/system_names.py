"""Systems go by one name in a table of ratings and by another in a folder of outputs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.meta.ratings.judgments import Comparisons, Exclusion, Judgments, MetricScores
from tertium.suggestions import did_you_mean
from tertium.text.corpus import Corpus, System
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines


def match_names(
    given: Sequence[str], rated: Sequence[str], names: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The rated name of every given one that has any.

    ``names`` decides where it says something; else equal names match, and then a rated name
    that stands between the dots of a file's name, the longest of them.

    >>> match_names(["newstest2017.KIT.4951.de-en", "x"], ["KIT", "KIT.4951", "online-A.0"])
    {'newstest2017.KIT.4951.de-en': 'KIT.4951'}
    """
    result: dict[str, str] = {}
    for name in given:
        match = _match(name, rated, names or {})
        if match is None:
            continue
        other = next((known for known, taken in result.items() if taken == match), None)
        if other is not None:
            raise InputError(
                f"systems '{other}' and '{name}': both match the rated '{match}', "
                "expected one; a file of names can tell them apart"
            )
        result[name] = match
    return result


def _match(name: str, rated: Sequence[str], names: Mapping[str, str]) -> str | None:
    if name in names:
        if names[name] not in rated:
            raise InputError(
                f"names: '{name}' is to be '{names[name]}', expected a rated system: "
                f"{', '.join(sorted(rated))}"
            )
        return names[name]
    if name in rated:
        return name
    inside = [candidate for candidate in rated if f".{candidate}." in f".{name}."]
    longest = max(map(len, inside), default=0)
    best = [candidate for candidate in inside if len(candidate) == longest]
    if len(best) > 1:
        raise InputError(
            f"system '{name}': the rated {' and '.join(best)} are both in its name, expected one"
        )
    return best[0] if best else None


def with_rated_names(
    scores: Sequence[MetricScores],
    judgments: Sequence[Judgments],
    names: Mapping[str, str] | None = None,
) -> tuple[MetricScores, ...]:
    """The scores with the names that the ratings use; unmatched systems keep their own."""
    rated = list(
        dict.fromkeys(
            name for judgment in judgments for name in (*judgment.systems, *judgment.omitted)
        )
    )
    renamed = []
    for score in scores:
        found = match_names(score.systems, rated, names)
        systems = tuple(found.get(name, name) for name in score.systems)
        renamed.append(replace(score, systems=systems))
    return tuple(renamed)


def read_names(path: str) -> dict[str, str]:
    """A file with a tab between a system's name and its name among the ratings."""
    names: dict[str, str] = {}
    for number, line in numbered_lines(TextFile.find(path)):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise InputError(f"{path}:{number}: found '{line}', expected name, tab, rated name")
        if cells[0] in names:
            raise InputError(f"{path}:{number}: '{cells[0]}' again, expected it once")
        names[cells[0]] = cells[1]
    return names


# Rated systems that are left out on purpose: those named by the user, and references.
#
# Test sets such as those of mt-metrics-eval rate human translations among the systems. A metric
# that scores one against itself, or against another person's, says something else of it than of
# machine output, and one such point can make up most of a correlation.

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
    result: dict[str, str] = {}
    for pattern in exclude:
        some = [name for name in rated if fnmatchcase(name, pattern)]
        if not some:
            raise OptionError(did_you_mean("rated system", pattern, rated))
        result |= dict.fromkeys(some, ASKED)
    if not include_references:
        result |= {name: REFERENCE for name in rated if is_reference_name(name)} | result
    return result


def copies_of_references(corpus: Corpus, systems: Sequence[System]) -> dict[str, str]:
    """Systems whose whole output is one of the references, each with the reason."""
    references = [column.to_list() for column in corpus.references.columns]
    return {system.name: COPY for system in systems if system.hypotheses.to_list() in references}


def without(judgments: Judgments, names: Mapping[str, str]) -> Judgments:
    """The ratings of the other systems; the names are kept in ``omitted``, and it is stated."""
    left_out = [name for name in names if name not in judgments.omitted]
    kept = [index for index, name in enumerate(judgments.systems) if name not in names]
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
