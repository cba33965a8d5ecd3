"""A comparison for people: tables, sentences and notes, in whatever format.

The columns of the scores are those of `tertium.compare.score_results`, which notebooks and
programs follow, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from math import isnan, nan
from typing import Final

from tertium.compare.comparison import Comparison
from tertium.compare.differences import GramDifference, GramDifferences
from tertium.compare.frequency import FrequencyTable
from tertium.compare.histograms import Histogram
from tertium.compare.lengths import LengthTable
from tertium.compare.score_results import METHODS, ComparedScore, ScoreTable, score_table
from tertium.compare.sentences import Marked, SentenceDifferences, SentencePair
from tertium.compare.sources import SourceLengthTable, SourceWordTable
from tertium.decide.rules import verdicts
from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.plurals import counted
from tertium.results import headings, titles
from tertium.tables import (
    Cell,
    Column,
    Lines,
    Part,
    Section,
    Table,
    TextLine,
    latex_comment,
    latex_text,
    lines,
    record_tsv,
    table,
)

UNAUDITED: Final = "(by scores alone; 'tertium decide' asks the audits, too)"
"""What a comparison cannot know: whether an output is damaged, or a lead rests on little."""


def comparison_view(
    comparison: Comparison, *, decimals: int = 2, brackets: bool = True
) -> list[Part]:
    """Every section under its heading; right words are in ``brackets`` where nothing is bold."""
    parts: list[Part] = []
    scores = comparison.scores
    if scores is not None:
        answers = [
            replace(one, identical=one.system in comparison.identical) for one in verdicts(scores)
        ]
        parts.append(lines([*(answer.sentence for answer in answers), UNAUDITED]))
        parts += [score_table(scores, decimals), _notes(scores)]
    parts += detail_tables(comparison, decimals=decimals)
    for differences in comparison.sentences or ():
        parts += _sentence_lines(differences, decimals=decimals, brackets=brackets)
    cutter = comparison.cutter
    case = ", lower-cased" if cutter.lowercase else ""
    marks = "" if cutter.tokenizer.punctuation else ", without punctuation"
    size = counted(comparison.segments, "segment")
    parts.append(lines([f"{size}; tokenized with {cutter.tokenizer.name}{case}{marks}"], "faint"))
    return parts


def comparison_latex(comparison: Comparison, *, decimals: int = 2) -> Iterator[str]:
    """A ``tabular`` for the package booktabs for each table; sentences as a list."""
    scores = comparison.scores
    if scores is not None:
        yield from score_table(scores, decimals).latex()
    for one in detail_tables(comparison, decimals=decimals):
        yield from one.latex()
    if scores is not None:
        for title, signature in zip(titles(scores.metrics), scores.signatures, strict=True):
            yield latex_comment(f"{title}: {signature}")
        yield from map(latex_comment, (*scores.notes, *scores.findings))
    for differences in comparison.sentences or ():
        yield from _latex_sentences(differences, decimals)


def compact_latex(comparison: Comparison, *, decimals: int = 2) -> Iterator[str]:
    """A ``table`` for a column of a paper: a column per metric, bold for the best group, a caption.

    The best group are the systems that no test of a pair puts behind another; a dagger is a
    significant difference from the first system, by the first test.
    """
    scores = comparison.scores
    if scores is None:
        raise OptionError("--compact: found no scores, expected the section scores")
    whole = scores.slices[0]
    arrows = ["$\\uparrow$" if one.higher_is_better else "$\\downarrow$" for one in scores.metrics]
    heads = [
        f"{latex_text(title)} {arrow}"
        for title, arrow in zip(titles(scores.metrics), arrows, strict=True)
    ]
    yield "\\begin{table}\n\\centering\n"
    yield f"\\begin{{tabular}}{{l{'r' * len(heads)}}}\n\\toprule\n"
    yield " & ".join(["System", *heads]) + " \\\\\n\\midrule\n"
    for name, row in zip(scores.systems, whole.scores, strict=True):
        cells = [_compact_cell(score, scores, decimals) for score in row]
        yield " & ".join([latex_text(name), *cells]) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"
    yield f"\\caption{{{_caption(scores)}}}\n\\end{{table}}\n"
    for title, signature in zip(titles(scores.metrics), scores.signatures, strict=True):
        yield latex_comment(f"{title}: {signature}")


def _compact_cell(score: ComparedScore, table: ScoreTable, decimals: int) -> str:
    text = score.metric.shown(score.value, decimals)
    text = f"\\textbf{{{text}}}" if _in_best_group(score, table) else text
    # A dagger takes no room, so that decimals stand below each other.
    sure = bool(score.tests) and score.tests[0].significant
    return f"{text}\\rlap{{$^\\dagger$}}" if sure else text


def _in_best_group(score: ComparedScore, table: ScoreTable) -> bool:
    if len(table.systems) < 2:
        return False
    return score.ranks is not None and score.ranks[0] == 1


def _caption(table: ScoreTable) -> str:
    whole, baseline = table.slices[0], latex_text(table.systems[0])
    scored = counted(whole.segments, "segment")
    units = "" if whole.unit == "segment" else f" in {counted(whole.units, whole.unit)}"
    texts = [f"Scores of {counted(len(table.systems), 'system')} on {scored}{units}."]
    ranked = any(score.ranks for row in whole.scores for score in row)
    if ranked:
        texts.append("Bold: systems that no test of a pair puts behind another.")
    tests = [score.tests[0] for row in whole.scores for score in row if score.tests]
    if tests:
        level = f"{table.settings.alpha:g}"
        family = table.families[tests[0].asked]
        corrected = f", corrected by {latex_text(str(family))}" if family.tests > 1 else ""
        texts.append(
            f"$\\dagger$: differs from {baseline}, $p \\le {level}$ "
            f"(two-sided {latex_text(METHODS[tests[0].test])} by {whole.unit}s{corrected})."
        )
    return " ".join(texts)


def comparison_tsv(comparison: Comparison) -> Iterator[str]:
    """All digits: a table for each section, its names in the first line, an empty line between."""
    for number, records in enumerate(filter(None, comparison.tables.values())):
        if number > 0:
            yield "\n"
        yield from record_tsv(records)


def _notes(scores: ScoreTable) -> Lines:
    # A signature must stay one line, to be copied.
    signatures = (
        TextLine((Cell(f"{title}  {signature}", "faint"),), copied=True)
        for title, signature in zip(titles(scores.metrics), scores.signatures, strict=True)
    )
    return Lines(
        (
            *lines(scores.notes, "faint").lines,
            *signatures,
            *lines(scores.findings, "warning").lines,
        )
    )


# Every table but the scores.


def detail_tables(comparison: Comparison, *, decimals: int = 2) -> Iterator[Table]:
    """The tables of every section there is but scores and sentences."""
    for ngrams in comparison.ngrams or ():
        yield difference_table(ngrams, "n-grams")
    if comparison.words is not None:
        for words in comparison.words.differences:
            yield difference_table(words, "words")
        yield frequency_table(comparison.words.frequencies, decimals)
        if comparison.words.sources is not None:
            yield from source_word_tables(comparison.words.sources, decimals)
    if comparison.lengths is not None:
        yield length_table(comparison.lengths, decimals)
        yield ratio_table(comparison.lengths, decimals)
        if comparison.lengths.per_source is not None:
            yield source_length_table(comparison.lengths.per_source)
    if comparison.histograms is not None:
        yield from map(histogram_table, comparison.histograms.every)


def difference_table(differences: GramDifferences, kind: str) -> Table:
    """Gained on the left, lost on the right."""
    system, baseline = differences.system, differences.baseline
    counts = [Column(name, joined=True) for name in (system, baseline, "log-odds")]
    sides = zip_longest(differences.gained, differences.lost)
    return Table(
        title=f"{kind} that only one has right: {system} and {baseline}",
        columns=(Column(f"gained by {system}", "left"), *counts, Column("lost", "left"), *counts),
        sections=(
            tuple((*_difference_cells(left), *_difference_cells(right)) for left, right in sides),
        ),
        labels=0,
    )


def _difference_cells(gram: GramDifference | None) -> list[Cell]:
    if gram is None:
        return [Cell("")] * 4
    texts = (gram.text, str(gram.gained), str(gram.lost), f"{gram.log_odds:+.2f}")
    return [Cell(text) for text in texts]


def frequency_table(found: FrequencyTable, decimals: int) -> Table:
    """F1 of every system on the words of every band."""
    return table(
        ("frequency", "words", *found.systems),
        (
            (
                band.label,
                str(band.expected),
                *_marked([one.f1 for one in band.accuracies], decimals),
            )
            for band in found.bands
        ),
        title=f"word accuracy (F1) by frequency in the {found.source}",
        labels=2,
    )


def _marked(values: Sequence[float | None], decimals: int) -> list[Cell]:
    """Numbers, the highest marked, and nothing where there is none."""
    top = max((value for value in values if value is not None), default=None)
    return [
        Cell(
            "" if value is None else f"{value:.{decimals}f}",
            "best" if value == top else "",
        )
        for value in values
    ]


def source_word_tables(words: SourceWordTable, decimals: int) -> Iterator[Table]:
    """Recall of source words by their frequency, and the source words that differ."""
    aligned = words.basis == "alignment"
    what = "words aligned with source words" if aligned else "words of segments with source words"
    yield table(
        ("frequency", "source words", *words.systems),
        (
            (
                band.label,
                str(band.source_words),
                *_marked([one.recall for one in band.accuracies], decimals),
            )
            for band in words.bands
        ),
        title=f"recall of {what}, by frequency in the sources",
        labels=2,
    )
    for differences in words.differences:
        kind = f"{what.removesuffix(' source words')} these source words"
        yield difference_table(differences, kind)


def length_table(lengths: LengthTable, decimals: int) -> Table:
    """Means over segments, and the ratio of lengths; a section for each band."""
    sections: list[Section] = []
    for band in lengths.bands:
        best = _best([cell.segment_means for cell in band.cells], lengths.metrics)
        rows = []
        for number, (name, cell) in enumerate(zip(lengths.systems, band.cells, strict=True)):
            label = [band.label, str(band.segments)] if number == 0 else ["", ""]
            means = zip(lengths.metrics, cell.segment_means, best, strict=True)
            rows.append(
                (
                    *map(Cell, (*label, name)),
                    *(_mean_cell(metric, mean, top, decimals) for metric, mean, top in means),
                    Cell(f"{cell.length_ratio:.3f}"),
                )
            )
        sections.append(tuple(rows))
    return Table(
        title="mean segment scores by reference length",
        columns=(
            Column("length", "left"),
            Column("segments"),
            Column("system", "left"),
            *map(Column, headings(lengths.metrics)),
            Column("length ratio"),
        ),
        sections=tuple(sections),
        labels=3,
    )


def _mean_cell(metric: Metric, mean: float, top: float, decimals: int) -> Cell:
    is_best = round(mean - top, decimals + metric.finer) == 0
    return Cell(metric.shown(mean, decimals), "best" if is_best else "")


def _best(rows: Sequence[Sequence[float]], metrics: Sequence[Metric]) -> list[float]:
    return [
        (max if metric.higher_is_better else min)((x for x in column if not isnan(x)), default=nan)
        for metric, column in zip(metrics, zip(*rows, strict=True), strict=True)
    ]


def ratio_table(lengths: LengthTable, decimals: int) -> Table:
    """Segments of every system by length ratio."""
    return table(
        ("system", "ratio", "median", *lengths.ratios.labels),
        (
            (
                profile.system,
                f"{profile.ratio:.3f}",
                f"{profile.quartiles[1]:.{decimals}f}",
                *map(str, profile.counts),
            )
            for profile in lengths.profiles
        ),
        title="segments by length ratio",
    )


def source_length_table(lengths: SourceLengthTable) -> Table:
    """Words per source word, by genre."""
    return table(
        ("genre", "segments", "source words", "reference", *lengths.systems),
        (
            (
                row.label,
                str(row.segments),
                str(row.source_words),
                *(f"{value:.3f}" for value in (row.reference, *row.systems)),
            )
            for row in lengths.rows
        ),
        title="words per source word",
    )


def histogram_table(histogram: Histogram) -> Table:
    """A row for each band, a column for each system."""
    by_length = histogram.of == "length difference"
    return table(
        ("words" if by_length else "from–to", *histogram.systems),
        (
            (label, *(str(counts[band]) for counts in histogram.counts))
            for band, label in enumerate(histogram.labels)
        ),
        title=f"segments by {histogram.of if by_length else f'{histogram.of} score'}",
    )


# Sentences: for people with right words in bold or brackets, for LaTeX as a list.


def _sentence_lines(
    differences: SentenceDifferences, *, decimals: int, brackets: bool
) -> Iterator[Lines]:
    sides = (("better", differences.better), ("worse", differences.worse))
    for word, pairs in sides:
        if pairs:
            heading = f"segments that make {differences.system} {word} than {differences.baseline}"
            yield lines([heading], "strong")
        for pair in pairs:
            yield _pair_lines(differences, pair, decimals=decimals, brackets=brackets)


def _pair_lines(
    differences: SentenceDifferences, pair: SentencePair, *, decimals: int, brackets: bool
) -> Lines:
    names = (differences.system, differences.baseline, "reference")
    width = max(map(len, names)) + 1
    shown = differences.metric.shown
    scores = (
        f"{differences.metric.title} {shown(pair.baseline_score, decimals)} → "
        f"{shown(pair.system_score, decimals)} ({shown(pair.delta, decimals, sign='+')})"
    )
    effect = shown(pair.effect, decimals + 1, sign="+")
    part = f"{effect} of the {shown(differences.delta, decimals, sign='+')} between the systems"
    first = (Cell(f"segment {pair.number}", "strong"), Cell(f"  {part}; {scores} by itself"))
    outputs = ((differences.baseline, pair.baseline), (differences.system, pair.system))
    return Lines(
        (
            TextLine(first),
            *lines(f"  {'reference:':<{width}} {text}" for text in pair.references).lines,
            *(
                TextLine(
                    (
                        Cell(f"  {f'{name}:':<{width}} "),
                        *([Cell(output.bracketed)] if brackets else _pieces(output)),
                    )
                )
                for name, output in outputs
            ),
        )
    )


def _pieces(output: Marked) -> Iterator[Cell]:
    end = 0
    for start, stop in output.spans:
        yield Cell(output.text[end:start])
        yield Cell(output.text[start:stop], "best")
        end = stop
    yield Cell(output.text[end:])


def _latex_sentences(differences: SentenceDifferences, decimals: int) -> Iterator[str]:
    system, baseline, metric = differences.system, differences.baseline, differences.metric
    yield latex_comment(f"{system} and {baseline}, right words in bold")
    yield "\\begin{description}\n"
    decimals += metric.finer
    for pair in (*differences.better, *differences.worse):
        part = f"${pair.effect:+.{decimals + 1}f}$ of ${differences.delta:+.{decimals}f}$"
        change = f"{latex_text(metric.title)} {part}, by itself ${pair.delta:+.{decimals}f}$"
        yield f"\\item[{pair.number}] {change}\n"
        for text in pair.references:
            yield f"\n  reference: {latex_text(text)}\n"
        for name, output in ((baseline, pair.baseline), (system, pair.system)):
            yield f"\n  {latex_text(name)}: {''.join(map(_latex_piece, _pieces(output)))}\n"
    yield "\\end{description}\n"


def _latex_piece(piece: Cell) -> str:
    return f"\\textbf{{{latex_text(piece.text)}}}" if piece.mark else latex_text(piece.text)
