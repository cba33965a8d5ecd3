"""Moses' files of features and BLEU statistics, which its extractor leaves for its tuner."""

from collections.abc import Iterator, Sequence
from os import PathLike

import numpy as np

from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.ngram.bleu import Bleu, BleuStrictBrevity
from tertium.plurals import counted
from tertium.text.decimals import decimal
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.tune.surfaces import Candidates, NBestSurface

_ORDER = 4
_COLUMNS = 2 * _ORDER + 1


class StatisticsSurface(NBestSurface):
    """Hypotheses without texts, whose BLEU statistics somebody else has counted."""

    __slots__ = ("counts",)

    def __init__(self, candidates: Candidates, counts: Rows) -> None:
        super().__init__(candidates, [[""]] * (len(candidates.offsets) - 1))
        self.counts = counts
        if len(counts) != len(self):
            raise InputError(
                f"statistics: found {counted(len(counts), 'row')}, expected {len(self)}"
            )

    def texts(self, numbers: Sequence[int]) -> list[str]:
        raise OptionError(
            "statistics files: found no texts, expected n-best lists for what needs words"
        )

    def bound(self, metric: Metric) -> Metric:
        """The metric itself: neither BLEU needs to see the references."""
        return _bleu(metric)

    def rows(self, metric: Metric) -> Rows:
        bleu = _bleu(metric)
        matches, totals = self.counts[:, :-1:2], self.counts[:, 1::2]
        words, reference = totals[:, :1], self.counts[:, -1:]
        parts = [matches[:, : bleu.order], totals[:, : bleu.order], words, reference]
        if isinstance(bleu, BleuStrictBrevity):
            parts.append(np.minimum(words, reference))
        return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _bleu(metric: Metric) -> Bleu:
    """BLEU or BLEU-SBP: the only metrics that such files have statistics of."""
    if not isinstance(metric, Bleu) or metric.order > _ORDER:
        raise OptionError(
            f"metric '{metric.spec}': found statistics of BLEU up to 4-grams, "
            "expected bleu or bleu-sbp (or n-best lists)"
        )
    return metric


def read_statistics(
    features: str | PathLike[str], scores: str | PathLike[str]
) -> StatisticsSurface:
    """A file ``FEATURES_TXT_BEGIN_0 …`` and the file ``SCORES_TXT_BEGIN_0 …`` that goes with it."""
    names: tuple[str, ...] = ()
    tables, sizes = [], []
    for location, head, rows in _blocks(TextFile.find(features), "FEATURES_TXT"):
        found = tuple(head[4:])
        names = names or found
        if found != names or rows.shape[1] != len(names):
            raise InputError(
                f"{location}: found {counted(len(found), 'feature')} in {rows.shape[1]} columns, "
                f"expected the {len(names)} of the first segment"
            )
        tables.append(rows)
        sizes.append(len(rows))
    counts: list[Rows] = []
    for location, head, rows in _blocks(TextFile.find(scores), "SCORES_TXT"):
        expected = sizes[len(counts)] if len(counts) < len(sizes) else 0
        if head[4:] != ["BLEU"] or rows.shape != (expected, _COLUMNS):
            raise InputError(
                f"{location}: found {counted(len(rows), 'row')} of {rows.shape[1]} numbers for "
                f"{' '.join(head[4:])}, expected {counted(expected, 'row')} of {_COLUMNS} for BLEU"
            )
        counts.append(rows)
    if not tables or len(counts) != len(sizes):
        raise InputError(
            f"{scores}: found {counted(len(counts), 'segment')}, expected {len(sizes) or 1}"
        )
    candidates = Candidates(
        feature_names=names,
        features=np.concatenate(tables),
        offsets=np.cumsum([0, *sizes], dtype=np.int64),
        texts=(),
    )
    return StatisticsSurface(candidates, np.concatenate(counts))


def _blocks(file: TextFile, kind: str) -> Iterator[tuple[str, list[str], Rows]]:
    """The place, the head and the numbers of every segment."""
    head: list[str] = []
    rows: list[list[float]] = []
    location = file.name
    for number, line in numbered_lines(file):
        words = line.split()
        if line.startswith(f"{kind}_BEGIN"):
            head, rows, location = words, [], f"{file.name}:{number}"
        elif line.startswith(f"{kind}_END"):
            if len(head) < 4 or head[2] != str(len(rows)) or not rows:
                raise InputError(
                    f"{location}: found {counted(len(rows), 'row')}, expected as many as the "
                    "head says"
                )
            yield location, head, np.array(rows)
            head = []
        elif words:
            rows.append(_numbers(words, len(rows[0]) if rows else None, f"{file.name}:{number}"))
    if head:
        raise InputError(f"{location}: found no end, expected a line {kind}_END_0")


def _numbers(words: list[str], size: int | None, location: str) -> list[float]:
    numbers = [number for word in words if (number := decimal(word)) is not None]
    if len(numbers) != len(words) or (size is not None and len(numbers) != size):
        raise InputError(
            f"{location}: found '{' '.join(words)[:60]}', expected finite numbers"
            + (f", {size} of them" if size else "")
        )
    return numbers
