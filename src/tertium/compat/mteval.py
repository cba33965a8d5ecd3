"""What NIST's ``mteval-v13a.pl`` computes and prints, from files that tertium reads.

NIST and BLEU of every order up to nine, alone and cumulated, for each system; and the scores of
systems, documents and segments that ``--metricsMATR-output`` writes to files. The numbers differ
from ``bleu`` and ``nist`` in short segments only: where a text has no n-gram of some order, mteval
gives that order a precision of 1 (0 without smoothing) and still takes the root of all orders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import numpy as np

from tertium.metrics.contract.base import Rows, Scores, ratio
from tertium.metrics.ngram.bleu import Bleu, brevity
from tertium.metrics.ngram.nist import Nist
from tertium.text.corpus import Chunk
from tertium.text.tokenizers import Tokenizer

ORDERS: Final = 9
_SCORED: Final = {"NIST": 5, "BLEU": 4}
"""The orders whose cumulated score is the score."""
_RULE: Final = f"# {'-' * 72}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MtevalSettings:
    """What mteval's flags set."""

    case: bool = False
    """Keep upper case (``-c``); else A to Z are folded, or every letter in the tokenization
    by Unicode."""
    shortest: bool = False
    international: bool = False
    smoothing: bool = True
    scores: tuple[Literal["NIST", "BLEU"], ...] = ("NIST", "BLEU")

    def metrics(self) -> tuple[Nist, Bleu]:
        """Both metrics with nine orders."""
        text = {
            "tokenizer": Tokenizer.parse("intl" if self.international else "13a"),
            "lowercase": False if self.case else (True if self.international else "ascii"),
            "order": ORDERS,
        }
        length = "shortest" if self.shortest else "closest"
        return Nist(mteval=True, **text), Bleu(reference_length=length, **text)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class SetNames:
    """What the headings of the three sets are called: source, references and systems."""

    source: str
    reference: str
    system: str
    source_language: str = "any"
    target_language: str = "any"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCounts:
    """A system's statistics of both metrics, a row for each segment."""

    name: str
    nist: Rows
    bleu: Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class MtevalResult:
    """Counts of all systems, and what is needed to print them as mteval does."""

    settings: MtevalSettings
    names: SetNames
    systems: tuple[SystemCounts, ...]
    references: int
    keys: tuple[tuple[str, str], ...]
    """Document and id of each segment."""

    def lines(self, command: str, *, began: datetime, ended: datetime) -> Iterator[str]:
        """The report on standard output."""
        documents = len(dict.fromkeys(document for document, _ in self.keys))
        names = self.names
        yield f"MT evaluation scorer began on {_time(began)}"
        yield f"command line:  {command}"
        languages = f"{names.source_language}-to-{names.target_language}"
        yield f"  Evaluation of {languages} translation using:"
        yield f'    src set "{names.source}" ({documents} docs, {len(self.keys)} segs)'
        yield f'    ref set "{names.reference}" ({self.references} refs)'
        yield f'    tst set "{names.system}" ({len(self.systems)} systems)'
        yield ""
        for system in self.systems:
            row = system.bleu.sum(axis=0)
            length, reference = row[-2], row[-1]
            if "BLEU" in self.settings.scores and self.settings.smoothing:
                penalty = float(np.log(brevity(length, reference))) if length else 0.0
                yield (
                    f"length ratio: {float(ratio(length, reference)):.15g} "
                    f"({length:.0f}/{reference:.0f}), penalty (log): {penalty:.15g}"
                )
            scores = "  ".join(
                f"{kind} score = {self.score(kind, system):.4f}" for kind in self.settings.scores
            )
            yield f'{scores} for system "{system.name}"'
        yield from ("", _RULE, "", "Individual N-gram scoring")
        yield from self._table(cumulative=False)
        yield from ("", _RULE, "Cumulative N-gram scoring")
        yield from self._table(cumulative=True)
        yield f"MT evaluation scorer ended on {_time(ended)}"

    def _table(self, *, cumulative: bool) -> Iterator[str]:
        orders = range(1, ORDERS + 1)
        yield "        " + "   ".join(f"{n}-gram" for n in orders)
        yield "        " + "   ".join("------" for _ in orders)
        for number, kind in enumerate(self.settings.scores):
            if number:
                yield ""
            for system in self.systems:
                shares = self.orders(kind, system.nist if kind == "NIST" else system.bleu)
                values = shares[1] if cumulative else shares[0]
                cells = "".join(f"  {value:.4f} " for value in values)
                yield f' {kind}:{cells} "{system.name}"'

    def orders(self, kind: str, rows: Rows) -> tuple[Scores, Scores]:
        """The values of each order alone and cumulated, of all rows together."""
        row = rows.sum(axis=0)
        if kind == "NIST":
            penalty = self.settings.metrics()[0].length_penalty(row)
            alone = ratio(row[:ORDERS], row[ORDERS : 2 * ORDERS]) * penalty
            return alone, alone.cumsum()
        return bleu_orders(row, smoothing=self.settings.smoothing)

    def score(
        self, kind: str, system: SystemCounts, part: slice | Sequence[int] = slice(None)
    ) -> float:
        """The score that mteval calls so, of all segments or some of them."""
        rows = system.nist if kind == "NIST" else system.bleu
        return float(self.orders(kind, rows[part])[1][_SCORED[kind] - 1])

    def score_files(self) -> Iterator[tuple[str, list[str]]]:
        """Names and lines of the files of ``--metricsMATR-output``: set, system, … and score."""
        for kind in self.settings.scores:
            by_system, by_document, by_segment = [], [], []
            for system in self.systems:
                start = f"{self.names.system}\t{system.name}"
                by_system.append(f"{start}\t{self.score(kind, system):.15g}")
                for document in dict.fromkeys(document for document, _ in self.keys):
                    part = [i for i, key in enumerate(self.keys) if key[0] == document]
                    value = self.score(kind, system, part)
                    by_document.append(f"{start}\t{document}\t{value:.15g}")
                for index, (document, segment) in enumerate(self.keys):
                    value = self.score(kind, system, [index])
                    by_segment.append(f"{start}\t{document}\t{segment}\t{value:.15g}")
            yield f"{kind}-sys.scr", by_system
            yield f"{kind}-doc.scr", by_document
            yield f"{kind}-seg.scr", by_segment


def bleu_orders(row: Rows, *, smoothing: bool) -> tuple[Scores, Scores]:
    """Precisions of orders 1 to 9 without the brevity penalty, and BLEU up to each with it."""
    matches, totals = row[:ORDERS], row[ORDERS : 2 * ORDERS]
    shares, halving = [], 1
    for matched, total in zip(matches, totals, strict=True):
        if not total:
            shares.append(1.0 if smoothing else 0.0)
        elif not matched and smoothing:
            halving *= 2
            shares.append(1 / (halving * total))
        else:
            shares.append(matched / total)
    alone = np.array(shares)
    penalty = float(brevity(row[-2], row[-1]))
    with np.errstate(divide="ignore"):
        means = np.exp(np.log(alone).cumsum() / np.arange(1, ORDERS + 1))
    return alone, penalty * means


def mteval(
    whole: Chunk,
    settings: MtevalSettings,
    names: SetNames,
    keys: Sequence[tuple[str, str]] | None = None,
) -> MtevalResult:
    """Count everything once; ``keys`` are document and id of each segment, where there are any."""
    nist, bleu = settings.metrics()
    references = whole.corpus.references
    fitted = nist.fit(references)
    return MtevalResult(
        settings=settings,
        names=names,
        systems=tuple(
            SystemCounts(
                name=system.name,
                nist=fitted.statistics(system.hypotheses, references),
                bleu=bleu.statistics(system.hypotheses, references),
            )
            for system in whole.systems
        ),
        references=len(references.columns),
        keys=tuple(keys or [("", str(number + 1)) for number in range(len(whole.corpus))]),
    )


def _time(moment: datetime) -> str:
    return f"{moment:%Y %b} {moment.day} at {moment:%H:%M:%S}"
