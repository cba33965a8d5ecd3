"""Pairs kept by a score: read, scored and written as they come."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from math import isnan
from os import PathLike
from typing import Any, BinaryIO

import numpy as np

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plurals import counted
from tertium.scale.filtering.kept import kept_as
from tertium.scale.filtering.pairs import open_pairs
from tertium.text.formats.quoting import check_quoting
from tertium.text.input_files import open_inputs
from tertium.version import __version__

AnyPath = str | PathLike[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filtered:
    """How many pairs there were, and what became of them.

    A pair ``unscored`` has no score by this metric, and is not kept.
    """

    metric: str
    signature: str
    minimum: float | None
    maximum: float | None
    pairs: int
    kept: int
    below: int
    above: int
    unscored: int

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "version": __version__,
            **{name: getattr(self, name) for name in Filtered.__slots__},
        }

    def __str__(self) -> str:
        dropped = [
            f"{self.below} below {self.minimum:g}" if self.below else "",
            f"{self.above} above {self.maximum:g}" if self.above else "",
            f"{self.unscored} without a score" if self.unscored else "",
        ]
        rest = ", ".join(filter(None, dropped))
        share = f" ({self.kept / self.pairs:.1%})" if self.pairs else ""
        kept = f"kept {self.kept} of {counted(self.pairs, 'pair')}{share}"
        return f"{kept}; {rest}" if rest else kept


def filter_pairs(
    references: AnyPath | Sequence[AnyPath],
    hypotheses: AnyPath | None = None,
    *,
    output: AnyPath,
    metric: AnyMetric = "chrf",
    minimum: float | None = None,
    maximum: float | None = None,
    scores: bool = False,
    texts: Sequence[AnyPath] = (),
    form: str | None = None,
    source: AnyPath | None = None,
    format: str = "auto",  # noqa: A002 (the word that users know)
    columns: Mapping[str, str | Sequence[str]] | None = None,
    num_refs: int = 1,
    stdin: BinaryIO | None = None,
    inline_codes: str = "drop",
    quoting: str = "auto",
    step: Callable[[int], None] = lambda _: None,
) -> Filtered:
    """Write the pairs whose score is from ``minimum`` to ``maximum``, and count the others.

    ``references`` is a table with both sides, of which whole rows are kept, or files beside
    ``hypotheses``; what they may be is what `tertium.text.input_files.open_inputs` says. The
    ``output`` is a table, with a column of ``scores`` if asked for; or ``texts`` are files, one for
    the hypotheses, each reference and the source. ``step`` is told how many pairs were done.
    """
    chosen = _of_pairs(as_metric(metric))
    _check_bounds(minimum, maximum)
    given = [references] if isinstance(references, str | PathLike) else list(references)
    opened = partial(
        open_inputs,
        given,
        () if hypotheses is None else hypotheses,
        source=source,
        format=format,
        columns=columns,
        num_refs=num_refs,
        stdin=stdin,
        inline_codes=inline_codes,
        quoting=quoting,
    )
    pairs = open_pairs(
        given,
        source if hypotheses is None else hypotheses,  # a file of sources stands beside a table
        opened,
        format=format,
        columns=columns,
        stdin=stdin,
        quoting=check_quoting(quoting),
    )
    found, kept, below, above = 0, 0, 0, 0
    counts: set[str] = set()
    low = -np.inf if minimum is None else minimum
    high = np.inf if maximum is None else maximum
    with (
        kept_as(pairs, output, texts=texts, form=form, scores=scores) as place,
        closing(pairs.batches()) as batches,
    ):
        for batch in batches:
            values = chosen.score(chosen.rows_of(batch.system, batch.corpus))
            keep = (values >= low) & (values <= high)
            place.write(batch, keep, values)
            counts.add(batch.corpus.references.count)
            found += len(values)
            kept += int(keep.sum())
            below += int((values < low).sum())
            above += int((values > high).sum())
            step(len(values))
    return Filtered(
        metric=chosen.spec,
        signature=chosen.signature(counts.pop() if len(counts) == 1 else "var"),
        minimum=minimum,
        maximum=maximum,
        pairs=found,
        kept=kept,
        below=below,
        above=above,
        unscored=found - kept - below - above,
    )


def _of_pairs(metric: Metric) -> Metric:
    if metric.waits_for_fit:
        raise OptionError(
            f"{metric.spec}: found pairs that are read one after the other, expected a metric that "
            "needs not see all references first"
        )
    return metric.for_segments()


def _check_bounds(minimum: float | None, maximum: float | None) -> None:
    if minimum is None and maximum is None:
        raise OptionError("filter: found no bound, expected a minimum or a maximum of the score")
    for name, bound in (("minimum", minimum), ("maximum", maximum)):
        if bound is not None and isnan(bound):
            raise OptionError(f"{name}: found nan, expected a number")
    if minimum is not None and maximum is not None and minimum > maximum:
        raise OptionError(f"minimum: found {minimum:g}, expected at most {maximum:g} (maximum)")
