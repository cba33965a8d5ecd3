"""How far raters mark the same: F1 of characters and of spans, and α beyond chance.

One rater's marks are held against another's on every output that both saw. F1 of characters is
2 |A ∩ B| / (|A| + |B|); where severity counts, a character of another severity earns half, as in
WMT's task of quality estimation. F1 of spans pairs each span with one of the other's: one with the
same ends (exact), or one that shares a character (partial). All are sums over outputs, to which
outputs that neither marked add nothing; Krippendorff's α is over all characters, so those count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations, pairwise
from typing import Any

from tertium.meta.ratings.judgments import or_none
from tertium.meta.spans.span import Annotation, Annotations, Span, heaviness


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """What two raters marked on the outputs of both, as counts that add up.

    ``marked`` are characters that either marked, counted for each; ``common`` those that both did,
    ``alike`` with the same severity. ``spans``, ``exact`` and ``partial`` are the same for spans.
    """

    outputs: int = 0
    marked: int = 0
    common: int = 0
    alike: int = 0
    spans: int = 0
    exact: int = 0
    exact_alike: int = 0
    partial: int = 0
    partial_alike: int = 0

    def __add__(self, other: "Overlap") -> "Overlap":
        return Overlap(
            **{
                field.name: getattr(self, field.name) + getattr(other, field.name)
                for field in fields(self)
            }
        )

    @property
    def characters_f1(self) -> float:
        """F1 of characters, whatever the severity."""
        return _f1(self.common, self.marked)

    @property
    def severity_f1(self) -> float:
        """F1 of characters, where another severity earns half."""
        return _f1(self.alike + (self.common - self.alike) / 2, self.marked)

    @property
    def exact_f1(self) -> float:
        """F1 of spans with the same ends."""
        return _f1(self.exact, self.spans)

    @property
    def partial_f1(self) -> float:
        """F1 of spans that share a character."""
        return _f1(self.partial, self.spans)

    def to_dict(self) -> dict[str, Any]:
        """Numbers only, ready for JSON; an F1 of nothing is null."""
        return {
            "outputs": self.outputs,
            "spans": self.spans,
            "characters_f1": or_none(self.characters_f1),
            "severity_f1": or_none(self.severity_f1),
            "exact_f1": or_none(self.exact_f1),
            "exact_severity_f1": or_none(_f1(self.exact_alike, self.spans)),
            "partial_f1": or_none(self.partial_f1),
            "partial_severity_f1": or_none(_f1(self.partial_alike, self.spans)),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanAgreement:
    """Agreement of all raters, and of every two.

    ``alpha`` is Krippendorff's over characters, marked or not, ``severity_alpha`` with severities
    as kinds; both are NaN where the texts' lengths are not known or nothing could differ.
    """

    outputs: int
    all: Overlap
    pairs: Mapping[tuple[str, str], Overlap]
    alpha: float
    severity_alpha: float

    def to_dict(self) -> dict[str, Any]:
        """Numbers and text only, ready for JSON; what is not defined is null."""
        return {
            "outputs": self.outputs,
            "alpha": or_none(self.alpha),
            "severity_alpha": or_none(self.severity_alpha),
            **{key: value for key, value in self.all.to_dict().items() if key != "outputs"},
            "pairs": [
                {"raters": list(raters), **pair.to_dict()} for raters, pair in self.pairs.items()
            ],
        }


def span_agreement(annotations: Annotations) -> SpanAgreement | None:
    """How far raters agree where several saw an output; None if that happened nowhere.

    Only marks in the output count, for sources are shared; of a rater's looks at the same output
    the first is taken.
    """
    shared = [looks for looks in _by_output(annotations).values() if len(looks) > 1]
    if not shared:
        return None
    pairs: dict[tuple[str, str], Overlap] = {}
    for looks in shared:
        for first, second in combinations(looks, 2):
            key = (first.rater, second.rater)
            if key not in pairs and key[::-1] in pairs:
                key = key[::-1]
            pairs[key] = pairs.get(key, Overlap()) + overlap(first.placed(), second.placed())
    known = all(look.hypothesis is not None for looks in shared for look in looks)
    return SpanAgreement(
        outputs=len(shared),
        all=sum(pairs.values(), Overlap()),
        pairs=pairs,
        alpha=_alpha(shared, severity=False) if known else float("nan"),
        severity_alpha=_alpha(shared, severity=True) if known else float("nan"),
    )


def overlap(first: Sequence[Span], second: Sequence[Span]) -> Overlap:
    """What two raters marked in one text."""
    runs = list(_runs((severities(first), severities(second))))
    return Overlap(
        outputs=1,
        marked=sum(size * sum(label != "" for label in labels) for size, labels in runs),
        common=sum(size for size, labels in runs if all(labels)),
        alike=sum(size for size, (a, b) in runs if a and a == b),
        spans=len(first) + len(second),
        exact=matched(first, second, exact=True),
        exact_alike=matched(first, second, exact=True, severity=True),
        partial=matched(first, second),
        partial_alike=matched(first, second, severity=True),
    )


def matched(
    first: Sequence[Span], second: Sequence[Span], *, exact: bool = False, severity: bool = False
) -> int:
    """The most spans that can be paired one to one: equal, or sharing a character."""

    def fits(span: Span, other: Span) -> bool:
        if severity and span.severity != other.severity:
            return False
        same = (span.start, span.end) == (other.start, other.end)
        return same if exact else span.overlap(other) > 0

    partner: dict[int, int] = {}

    def place(index: int, seen: set[int]) -> bool:
        for at, other in enumerate(second):
            if at in seen or not fits(first[index], other):
                continue
            seen.add(at)
            if at not in partner or place(partner[at], seen):
                partner[at] = index
                return True
        return False

    return sum(place(index, set()) for index in range(len(first)))


def severities(spans: Iterable[Span]) -> list[tuple[int, int, str]]:
    """Parts of a text with the severity of their characters, in order; the heaviest counts.

    >>> def span(start, end, severity):
    ...     return Span(segment=0, system="A", rater="r", start=start, end=end, severity=severity)
    >>> severities([span(0, 4, "minor"), span(2, 6, "major")])
    [(0, 2, 'minor'), (2, 6, 'major')]
    """
    some = [span for span in spans if span.placed]
    ends = sorted({end for span in some for end in (span.start, span.end)})
    parts: list[tuple[int, int, str]] = []
    for start, end in pairwise(ends):
        over = [span.severity for span in some if span.start <= start and end <= span.end]
        if not over:
            continue
        label = max(over, key=lambda name: (heaviness(name), name)) or "undecided"
        if parts and parts[-1][1:] == (start, label):
            parts[-1] = (parts[-1][0], end, label)
        else:
            parts.append((start, end, label))
    return parts


def _runs(
    raters: Sequence[Sequence[tuple[int, int, str]]], length: int | None = None
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Stretches where nobody changes: their length, and every rater's severity or ''."""
    ends = {end for parts in raters for start, stop, _ in parts for end in (start, stop)}
    if length is not None:
        ends |= {0, length}
    order = sorted(ends)
    for start, end in pairwise(order):
        labels = tuple(
            next((label for a, b, label in parts if a <= start and end <= b), "")
            for parts in raters
        )
        yield end - start, labels


def _alpha(shared: Sequence[Sequence[Annotation]], *, severity: bool) -> float:
    """Krippendorff's α of kinds, a character of an output being a unit."""
    observed = 0.0
    totals: dict[str, int] = {}
    for looks in shared:
        length = len(looks[0].hypothesis or "")
        parts = [severities(look.placed()) for look in looks]
        for size, labels in _runs(parts, length):
            kinds = labels if severity else tuple("x" if label else "" for label in labels)
            counts = {kind: kinds.count(kind) for kind in set(kinds)}
            alike = sum(count * (count - 1) for count in counts.values())
            raters = len(kinds)
            observed += size * (raters * (raters - 1) - alike) / (raters - 1)
            for kind, count in counts.items():
                totals[kind] = totals.get(kind, 0) + size * count
    number = sum(totals.values())
    expected = number**2 - sum(count**2 for count in totals.values())
    return 1 - (number - 1) * observed / expected if expected else float("nan")


def _by_output(annotations: Annotations) -> dict[tuple[str, int], list[Annotation]]:
    """The looks of different raters at every output, in the raters' order."""
    order = {name: index for index, name in enumerate(annotations.raters)}
    found: dict[tuple[str, int], dict[str, Annotation]] = {}
    for annotation in annotations:
        if not annotation.kind:
            found.setdefault(annotation.output, {}).setdefault(annotation.rater, annotation)
    return {
        output: sorted(looks.values(), key=lambda look: order[look.rater])
        for output, looks in found.items()
    }


def _f1(common: float, both: int) -> float:
    return 2 * common / both if both else float("nan")
