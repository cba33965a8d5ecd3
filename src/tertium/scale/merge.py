"""Statistics of the parts of a corpus, put together: what one run over all of it would give."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from os import PathLike

from tertium.choices import Slicing
from tertium.errors import InputError
from tertium.metrics.contract.table import AnyMetric
from tertium.plurals import counted
from tertium.results import Evaluation
from tertium.scored.slices import LENGTHS, Slices
from tertium.scored.statistics_file import Block, Header, StatisticsFile, StatisticsWriter, regular
from tertium.scored.tally import Tally
from tertium.scored.textless import textless
from tertium.text.corpus import Corpus
from tertium.text.inputs import CHUNK

# Whether parts of a corpus fit together, and in which order.


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
        (
            "metrics",
            *(", ".join(metric.spec for metric in each.metrics) for each in (ours, theirs)),
        ),
    ]
    if len(part):
        pairs += [("labels", *(", ".join(each.labels) or "none" for each in (ours, theirs)))]
    pairs += [
        ("signature", metric.identity, other.identity)
        for metric, other in zip(ours.metrics, theirs.metrics, strict=False)
    ]
    pairs += [
        ("statistics", ", ".join(metric.columns), ", ".join(other.columns))
        for metric, other in zip(ours.metrics, theirs.metrics, strict=False)
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


def merge(
    parts: Sequence[str | PathLike[str]],
    *,
    metrics: Sequence[AnyMetric] = (),
    by: Slicing | None = None,
    segments: bool = False,
    rows: bool = False,
    first_segment: int = 1,
    expected: int | None = None,
    in_order: bool = False,
    vary_references: bool = False,
    fitted: bool = False,
    statistics: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Score a corpus whose parts were scored alone, from the files of statistics of these.

    The result is that of one run over all texts, to the last bit, whatever the parts and their
    order: ``by``, ``segments`` and ``rows`` are those of `tertium.evaluate_inputs`. Parts that
    do not fit together are an error: other systems, metrics, options or versions, segments that
    are missing or there twice. ``expected`` is how many segments there are in all, without which
    nobody can miss a last part; ``in_order`` takes parts without numbers as they are given;
    ``vary_references`` lets some parts have more references than others. ``metrics`` are those
    that no text describes. With ``fitted``, metrics whose statistics depend on all references have
    seen those of all parts.

    Rows are read in pieces and not kept, unless ``rows`` asks for them. The file ``statistics``
    gets all of them, and is itself a part if they are numbered.
    """
    with ExitStack() as stack:
        opened = [stack.enter_context(StatisticsFile(path)) for path in parts]
        if not opened:
            raise InputError("merge: found no file of statistics, expected at least one")
        built = opened[0].header.built(opened[0].name, metrics)
        ordered = aligned_parts(
            opened,
            first_segment=first_segment,
            expected=expected,
            in_order=in_order,
            vary_references=vary_references,
            fitted=fitted,
        )
        header = ordered[0].header
        counts = {file.header.references for file in ordered}
        references = next(iter(counts)) if len(counts) == 1 else "var"
        tally = Tally(built, by=by, segments=segments, rows=rows)
        keep = None
        if statistics is not None:
            writer = StatisticsWriter(
                statistics,
                built,
                header.systems,
                first_segment=None if in_order else header.first_segment,
            )
            keep = stack.enter_context(writer)
        # Sums depend on their order, and so on how much one run adds up at a time.
        at_once = sys.maxsize if any(metric.fitted for metric in header.metrics) else CHUNK
        for block in regular(_blocks(ordered), at_once):
            corpus = _corpus(block, header, references, ordered[0].name)
            tally.begin(len(block), references, corpus.documents)
            slices = _slices(block, corpus, by)
            for s, m, some in block.rows(header):
                tally.add(s, m, some, slices)
                if progress is not None:
                    progress(len(some))
            if keep is not None:
                keep.write(corpus, block.lengths, block.statistics)
        place = ", ".join(dict.fromkeys(file.name for file in ordered))
        return tally.evaluation(header.systems, place)


def _blocks(parts: Sequence[StatisticsFile]) -> Iterator[Block]:
    for part in parts:
        yield from part.blocks()


def _corpus(block: Block, header: Header, references: str, location: str) -> Corpus:
    corpus, _ = textless(
        location,
        header.corpus,
        systems=header.systems,
        segments=len(block),
        references=references,
        labels=block.labels,
    )
    return corpus


def _slices(block: Block, corpus: Corpus, by: Slicing | None) -> Slices | None:
    if by is None:
        return None
    if by == "length":
        return Slices.by_band(LENGTHS, block.lengths)
    return Slices.of(corpus.labels(by))
