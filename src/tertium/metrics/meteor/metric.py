"""METEOR (Banerjee & Lavie 2005; Denkowski & Lavie 2014), equal to Meteor 1.5."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium._native import Texts
from tertium.metrics.contract.base import Component, Rows, Scores, option, ratio
from tertium.metrics.contract.pictures import Match, Picture, counting, of_matches
from tertium.metrics.meteor.options import MeteorOptions
from tertium.metrics.meteor.presets import PRESETS
from tertium.metrics.meteor.resources import Tables
from tertium.text.references import AnyReferences, Hypotheses, References, aligned

_BASIC_COLUMNS: Final = (
    "hypothesis_length",
    "reference_length",
    "hypothesis_function_words",
    "reference_function_words",
    "chunks",
)
_STAGE_COLUMNS: Final = (
    "hypothesis_content",
    "reference_content",
    "hypothesis_function",
    "reference_function",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meteor(MeteorOptions):
    """Fα of aligned words times 1 − γ (chunks / matches)^β, for the best reference.

    Words match as they are, by stem, by synonym and by paraphrase; a match of stage i counts
    wᵢ, a content word δ and a function word 1 − δ. The alignment has the most matches, then
    the fewest chunks of words in the same order. A corpus adds up the best references' counts.
    """

    name: ClassVar[str] = "meteor"
    title: ClassVar[str] = "METEOR"
    summary: ClassVar[str] = "words aligned by form, stem, synonym, paraphrase"
    citation: ClassVar[str] = "Denkowski & Lavie 2014"

    @property
    def columns(self) -> tuple[str, ...]:
        matches = (f"{stage}_{kind}" for stage in self.stages for kind in _STAGE_COLUMNS)
        return (*_BASIC_COLUMNS, *matches, "unread")

    def statistics(self, hypotheses: Hypotheses, references: AnyReferences) -> Rows:
        texts, shared = aligned(hypotheses, references)
        tables = self.tables()
        prepared = shared.prepared(tables.key, partial(tables.words, base=None))
        kernel = partial(_native.meteor_statistics, by_stage=self.alignment == "stages")
        rows = self._rows(kernel, texts, prepared, tables)
        return np.column_stack([rows, _unread(rows, texts, shared)])

    def pair_statistics(self, hypotheses: Texts, references: Texts) -> Rows:
        """A row for every hypothesis against every reference, by hypothesis.

        Only the search for all stages at once has a kernel over pairs.
        """
        tables = self.tables()
        prepared = tables.words((references,), base=None)
        rows = self._rows(_native.meteor_pairs, hypotheses, prepared, tables)
        blank = np.logical_and.outer(_blank(hypotheses), _blank(references)).reshape(-1)
        return np.column_stack([rows, ~rows[:, :2].any(axis=1) & ~blank])

    def _rows(
        self,
        kernel: Callable[..., Rows],
        hypotheses: Texts,
        references: _native.MeteorWords,
        tables: Tables,
    ) -> Rows:
        return kernel(
            tables.words((hypotheses,), base=references),
            references,
            stages=list(self.stages),
            weights=list(self.weights),
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            delta=self.delta,
            beam=self.beam,
            phrases=tables.phrases,
        )

    def score(self, rows: Rows) -> Scores:
        rows = np.asarray(rows, dtype=np.float64)
        nothing = (rows[..., 0] == 0) & (rows[..., 1] == 0) & (rows[..., -1] == 0)
        quality = self.mean(rows) * (1 - self.penalty(rows))
        return np.where(nothing, 100.0, 100.0 * np.maximum(quality, 0.0))

    def mean(self, rows: Rows) -> Scores:
        """Fα = P·R / (α·P + (1 − α)·R)."""
        precision, recall = self.rates(rows)
        return ratio(precision * recall, self.alpha * precision + (1 - self.alpha) * recall)

    def rates(self, rows: Rows) -> tuple[Scores, Scores]:
        """Precision and recall of weighted words."""
        return self._rate(rows, 0), self._rate(rows, 1)

    def _rate(self, rows: Rows, side: int) -> Scores:
        function_words = rows[..., 2 + side]
        content_words = rows[..., side] - function_words
        length = self.delta * content_words + (1 - self.delta) * function_words
        weights = np.array(self.weights)
        content = (rows[..., 5 + side : -1 : 4] * weights * self.delta).sum(axis=-1)
        function = (rows[..., 7 + side : -1 : 4] * weights * (1 - self.delta)).sum(axis=-1)
        return ratio(content + function, length)

    def penalty(self, rows: Rows) -> Scores:
        """γ (chunks / matches)^β; no chunk is counted for a text that is wholly one."""
        matches = rows[..., 5:-1].sum(axis=-1) / 2
        return np.asarray(self.gamma * ratio(rows[..., 4], matches) ** self.beta)

    def components(self, row: Rows) -> tuple[Component, ...]:
        precision, recall = (float(rate) for rate in self.rates(row))
        matched = row[5:-1].reshape(len(self.stages), 4)
        return (
            Component("precision", 100 * precision, f"{row[0]:.0f} words"),
            Component("recall", 100 * recall, f"{row[1]:.0f} reference words"),
            Component("F mean", 100 * float(self.mean(row)), f"α = {self.alpha:g}"),
            Component("fragmentation penalty", float(self.penalty(row)), f"{row[4]:.0f} chunks"),
            *(
                Component(
                    f"{stage} matches",
                    float(counts[0] + counts[2]),
                    f"weight {weight:g}, {counts[0]:.0f} content, {counts[2]:.0f} function words",
                )
                for stage, weight, counts in zip(self.stages, self.weights, matched, strict=True)
            ),
        )

    def pictures(self, hypothesis: str, references: Sequence[str]) -> tuple[Picture, ...]:
        tables = self.tables()
        words = tables.split(hypothesis)
        found = [
            of_matches(words, tables.split(reference), matches)
            for reference, (_, matches) in zip(
                references, self._alignments(tables, hypothesis, references), strict=True
            )
        ]
        if len(found) == 1:
            return counting(found, [0.0])
        scores = self.score(
            self.statistics([hypothesis] * len(references), [[one] for one in references])
        )
        return counting(found, (-scores).tolist())

    def _alignments(
        self, tables: Tables, hypothesis: str, references: Sequence[str]
    ) -> list[tuple[int, list[Match]]]:
        """For each reference the chunks and matches (stage, start, length, place, width)."""
        columns = tuple(Texts([text]) for text in references)
        base = tables.words(columns, base=None)
        return _native.meteor_alignments(
            tables.words((Texts([hypothesis]),), base=base),
            base,
            0,
            stages=list(self.stages),
            beam=self.beam,
            by_stage=self.alignment == "stages",
            phrases=tables.phrases,
        )

    def trace(self, hypothesis: str, references: Sequence[str]) -> list[str]:
        tables = self.tables()
        found = self._alignments(tables, hypothesis, references)
        words = tables.split(hypothesis)
        lines = []
        for reference, (chunks, matches) in zip(references, found, strict=True):
            others = tables.split(reference)
            lines.append(f"{chunks} chunks with: {reference}")
            for stage, start, length, place, width in sorted(matches, key=lambda match: match[1]):
                ours = " ".join(words[start : start + length])
                theirs = " ".join(others[place : place + width])
                lines.append(f"  {stage:<10} {start + 1}–{place + 1}  {ours} | {theirs}")
        return lines

    def describe(self, row: Rows) -> str:
        precision, recall = self.rates(row)
        return (
            f"(P = {precision:.3f} R = {recall:.3f} F = {self.mean(row):.3f} "
            f"penalty = {self.penalty(row):.3f} chunks = {row[4]:.0f} "
            f"hyp_len = {row[0]:.0f} ref_len = {row[1]:.0f})"
        )


def _blank(texts: Texts) -> NDArray[np.bool_]:
    return np.array([not (text or "").strip() for text in texts.to_list()], dtype=np.bool_)


def _unread(rows: Rows, texts: Texts, references: References) -> Rows:
    """1 where a segment has text but no word of it was counted; that scores 0, as in the jar."""
    unread = np.zeros(len(rows))
    for i in np.flatnonzero(~rows[:, :2].any(axis=1)).tolist():
        unread[i] = any((text or "").strip() for text in (texts[i], *references.of_segment(i)))
    return unread


@dataclass(frozen=True, slots=True, kw_only=True)
class Meteor06(Meteor):
    """METEOR 0.6 as Chiang et al. (2008) used it: exact, Porter stem, synonym, one after the other.

    All words and all matches are worth the same.
    """

    name: ClassVar[str] = "meteor-0.6"
    title: ClassVar[str] = "METEOR-0.6"
    summary: ClassVar[str] = "METEOR as in version 0.6: Porter stems, matched stage by stage"
    citation: ClassVar[str] = "Lavie & Agarwal 2007"

    preset: str = option("0.6", f"published parameters for what follows: {', '.join(PRESETS)}")
