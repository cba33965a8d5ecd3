"""Inputs that leave a metric little or nothing to compare, and what every metric says of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import METRICS, parse_metric

TEXT: Final = "the cat sat down"
OTHER: Final = "a dog ran off"
NOTHING: Final = ""
MARKS: Final = "?!"
OTHER_MARKS: Final = ";"


@dataclass(frozen=True, slots=True, kw_only=True)
class DegenerateCase:
    """A hypothesis and its references, in words and as text."""

    title: str
    hypothesis: str
    references: tuple[str, ...]


def _case(title: str, hypothesis: str, *references: str) -> DegenerateCase:
    return DegenerateCase(title=title, hypothesis=hypothesis, references=references)


EMPTY: Final = (
    _case("text / nothing", TEXT, NOTHING),
    _case("nothing / text", NOTHING, TEXT),
    _case("nothing / nothing", NOTHING, NOTHING),
    _case("text / nothing, same text", TEXT, NOTHING, TEXT),
    _case("other text / nothing, text", OTHER, NOTHING, TEXT),
    _case("nothing / nothing, text", NOTHING, NOTHING, TEXT),
)
"""A side, or one of several references, has no text at all."""

EMPTIED: Final = (
    _case("marks / text", MARKS, TEXT),
    _case("text / marks", TEXT, MARKS),
    _case("marks / other marks", MARKS, OTHER_MARKS),
    _case("marks / nothing", MARKS, NOTHING),
    _case("nothing / marks", NOTHING, MARKS),
    _case("text / marks, same text", TEXT, MARKS, TEXT),
)
"""A side has text, but the metric removes punctuation and then sees none."""

_REMOVING: Final = {
    "meteor": "keep_punctuation=no",
    "meteor-0.6": "keep_punctuation=no",
    **dict.fromkeys(("rouge-n", "rouge-l", "rouge-w", "rouge-s", "rouge-su", "maxsim"), ""),
    "tesla-m": "",
    "entailment": "",
}
"""What makes a metric remove punctuation, if not ``punctuation=no``; nothing if it always does."""

_WITHOUT_WORDS: Final = frozenset({"chrf", "nee", "lrscore"})
"""Metrics that no option makes blind to punctuation: LRscore's orders count every word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DegenerateScores:
    """What one metric gives for every case; no scores where it is not installed."""

    spec: str
    scores: Mapping[str, float]


def removing_specs() -> tuple[str, ...]:
    """The metrics of the table, each with what makes it remove punctuation."""
    names = (name for name in own_metrics() if name not in _WITHOUT_WORDS)
    options = ((name, _REMOVING.get(name, "punctuation=no")) for name in names)
    return tuple(f"{name}[{option}]" if option else name for name, option in options)


def own_metrics() -> list[str]:
    """The metrics of the table that tertium computes itself."""
    return [name for name in METRICS if not METRICS[name].elsewhere]


def degenerate_lines(
    specs: Iterable[str], cases: Iterable[DegenerateCase]
) -> list[DegenerateScores]:
    """The scores of each case under each metric, as single segments are scored."""
    chosen = list(cases)
    return [_line(spec, chosen) for spec in specs]


def _line(spec: str, cases: list[DegenerateCase]) -> DegenerateScores:
    if METRICS[spec.partition("[")[0]].missing() is not None:
        return DegenerateScores(spec=spec, scores={})
    metric = parse_metric(spec)
    return DegenerateScores(
        spec=spec, scores={case.title: segment_score(metric, case) for case in cases}
    )


def segment_score(metric: Metric, case: DegenerateCase) -> float:
    """The score of a case, beside an ordinary segment that metrics can be fitted to."""
    hypotheses, references = segments(metric, case)
    fitted = metric.fit(references)
    rows = fitted.statistics(hypotheses, references)
    return float(fitted.for_segments().score(rows)[0])


def segments(metric: Metric, case: DegenerateCase) -> tuple[list[str], list[list[str]]]:
    """The case and, behind it, an ordinary segment, in the form that the metric reads."""
    hypotheses = [case.hypothesis, TEXT]
    references = [list(case.references), [TEXT]]
    return (
        [in_form(metric, text) for text in hypotheses],
        [[in_form(metric, text, reference=True) for text in texts] for texts in references],
    )


def in_form(metric: Metric, text: str, *, reference: bool = False) -> str:
    """A text as the segments of this metric hold it."""
    words = text.split()
    if metric.name == "lrscore" and text:
        return f"{text} ||| {' '.join(f'{index}-{index}' for index in range(len(words)))}"
    if metric.name == "dependency":
        return "\n".join(_parsed(number, word) for number, word in enumerate(words, 1))
    if metric.name == "semantic-roles":
        return "\n".join(_labelled(number, word) for number, word in enumerate(words, 1))
    if metric.name == "nee" and reference:
        return text.replace("cat", '<ENAMEX TYPE="PERSON">cat</ENAMEX>')
    return text


def _parsed(number: int, word: str) -> str:
    relation = "dep" if word.isalnum() else "punct"
    return f"{number}\t{word}\t{word}\tX\t_\t_\t{number - 1}\t{relation}\t_\t_"


def _labelled(number: int, word: str) -> str:
    """The first word is a predicate, and every word one of its roles, so that all are seen."""
    predicate = word if number == 1 else "_"
    return f"{_parsed(number, word)}\t{predicate}\tA{number}"
