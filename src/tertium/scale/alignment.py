"""Whether parts of a corpus fit together, and in which order."""

from collections.abc import Sequence

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.scored.statistics_file import StatisticsFile


def aligned_parts(
    parts: Sequence[StatisticsFile],
    *,
    first_segment: int = 1,
    expected: int | None = None,
    in_order: bool = False,
    vary_references: bool = False,
    fitted: bool = False,
) -> list[StatisticsFile]:
    """The parts in the order of their segments; an error names the first that does not fit.

    Those without segments must fit, too, and are left out unless there are no others.
    """
    first = next((part for part in parts if len(part)), parts[0])
    for other in parts:
        _check_same(other, first, vary_references=vary_references)
    if len(parts) > 1 and not fitted:
        _check_not_fitted(first)
    if in_order:
        ordered = list(parts)
    else:
        _check_numbered(parts)
        # One without segments stands before the one that begins at the same number.
        ordered = sorted(parts, key=lambda part: (part.first, len(part)))
        _check_neighbours(ordered, first_segment)
    found = sum(map(len, ordered))
    if expected is not None and found != expected:
        raise InputError(
            f"{ordered[-1].name}: found {counted(found, 'segment')} up to here, expected "
            f"{expected} in all"
        )
    return [part for part in ordered if len(part)] or ordered[:1]


def _check_same(part: StatisticsFile, first: StatisticsFile, *, vary_references: bool) -> None:
    """Refuse rows of other systems, metrics, options or versions."""
    ours, theirs = part.header, first.header
    pairs = [
        ("tertium", ours.version, theirs.version),
        ("systems", ", ".join(ours.systems), ", ".join(theirs.systems)),
        ("metrics", *(", ".join(one.spec for one in each.metrics) for each in (ours, theirs))),
    ]
    if len(part):
        pairs += [("labels", *(", ".join(each.labels) or "none" for each in (ours, theirs)))]
    pairs += [
        ("signature", one.identity, other.identity)
        for one, other in zip(ours.metrics, theirs.metrics, strict=False)
    ]
    pairs += [
        ("statistics", ", ".join(one.columns), ", ".join(other.columns))
        for one, other in zip(ours.metrics, theirs.metrics, strict=False)
    ]
    for kind, found, expected in pairs:
        if found != expected:
            raise InputError(
                f"{part.name}: found {kind} {found}, expected {expected} (as {first.name})"
            )
    counts = ours.references, theirs.references
    if len({*counts} - {"var"}) == 2 and len(part) and not vary_references:
        raise InputError(
            f"{part.name}: found {counts[0]} references a segment, expected {counts[1]} (as "
            f"{first.name}), or --vary-references if that is meant"
        )


def _check_not_fitted(part: StatisticsFile) -> None:
    for metric in part.header.metrics:
        if metric.fitted:
            raise InputError(
                f"{part.name}: found {metric.spec} in parts, expected it of the whole corpus at "
                "once, as its statistics depend on all references: score it in one run"
            )


def _check_numbered(parts: Sequence[StatisticsFile]) -> None:
    for part in parts:
        if part.header.first_segment is None and len(parts) > 1:
            raise InputError(
                f"{part.name}: found no number of its first segment, expected one ('tertium score "
                "… --first-segment N'), or --in-order for parts in the order given"
            )


def _check_neighbours(ordered: Sequence[StatisticsFile], first_segment: int) -> None:
    """Refuse segments that are missing or there twice."""
    due, before = first_segment, ""
    for part in ordered:
        if part.first != due:
            fault = f"{_range(due, part.first - 1)} missing"
            if part.first < due:
                fault = f"{_range(part.first, min(part.last, due - 1))} there twice"
            raise InputError(
                f"{part.name}: found segments from {part.first} on, "
                f"expected from {due} on{before}: {fault}"
            )
        due = part.last + 1
        before = f" ({part.name} ends at {part.last})"


def _range(start: int, stop: int) -> str:
    return f"segment {start} is" if start >= stop else f"segments {start} to {stop} are"
