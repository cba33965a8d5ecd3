"""What differences of common metrics were worth at WMT12, 17 and 23: makes the table we ship.

``python -m experiments.worth ../shared/data`` writes src/tertium/data/worth.json and prints the
table of docs/worth.md.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from experiments.data import WMT12, WMT17, WMT23, Data
from tertium.meta.ratings.files import read_scores
from tertium.meta.worth.curve import WorthCurve, worth_curve
from tertium.meta.worth.pairs import SystemPairs

METRICS: Final = ("bleu", "bleu-sbp", "chrf", "chrf[word_order=2]", "ter", "meteor")
PUBLISHED: Final = {
    name: f"{name}-{kind}"
    for kind, names in {
        "refA": ("COMET", "MetricX-23", "XCOMET-Ensemble", "BLEURT-20"),
        "src": ("CometKiwi", "GEMBA-MQM"),
    }.items()
    for name in names
}
"""Metrics of others, by their short names, whose scores of WMT23 are there."""
CRITERIA: Final = {"rank": WMT12, "da": WMT17, "mqm": WMT23}
SHARES: Final = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
DECIMALS: Final = 4

PROVENANCE: Final = (
    "Pairs of systems of one shared task: newstest2012 cs-en, de-en, es-en (people's rankings), "
    "newstest2017 de-en, ru-en, tr-en (direct assessment), WMT23 he-en, zh-en (MQM); metrics of "
    "others on WMT23 alone. One reference, translation into English. Not for other target "
    "languages, other options or versions of a metric, very short test sets, two checkpoints of "
    "one system, or output that was optimised for the metric itself."
)


def curves(data: Data, metrics: Sequence[str] = METRICS) -> list[WorthCurve]:
    """One for each metric, over all test sets that have its scores."""
    places = [(name, criterion) for criterion, names in CRITERIA.items() for name in names]
    found = [
        worth_curve(
            metric,
            [
                SystemPairs.of(
                    data.judgments(name, criterion),
                    data.scores(name, metric),
                    group=name.split()[0],
                )
                for name, criterion in places
            ],
        )
        for metric in metrics
    ]
    for short, long in PUBLISHED.items():
        sets = []
        for name in WMT23:
            pair = name.split()[1]
            path = data.folder / f"wmt23/metric-scores/{pair}/{long}.sys.score"
            [[scores]] = read_scores([path], pair=pair).values()
            sets.append(SystemPairs.of(data.judgments(name, "mqm"), scores))
        found.append(worth_curve(short, sets))
    return found


def table(found: list[WorthCurve]) -> str:
    """For each metric the difference that is worth some shares."""
    lines = [
        "| metric | pairs | " + " | ".join(f"{100 * share:.0f} %" for share in SHARES) + " |",
        "|---|---|" + "---|" * len(SHARES),
    ]
    for one in found:
        cells = [one.needed(share) for share in SHARES]
        shown = ["–" if cell is None else f"{cell:.3g}" for cell in cells]
        lines.append(f"| {one.metric} | {one.pairs} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def held_out(found: list[WorthCurve]) -> str:
    """How a curve foretold the years, or test sets of WMT23, that it was not fitted to."""
    lines = [
        "| metric | predicted | found | error | error of the overall share |",
        "|---|---|---|---|---|",
    ]
    for one in found:
        pairs = sum(part.pairs for part in one.held_out)
        means = [
            sum(part.pairs * getattr(part, name) for part in one.held_out) / pairs
            for name in ("foretold", "found", "error", "plain_error")
        ]
        cells = [f"{100 * means[0]:.0f} %", f"{100 * means[1]:.0f} %"]
        cells += [f"{value:.3f}" for value in means[2:]]
        lines.append(f"| {one.metric} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    """Make the table."""
    found = curves(Data(Path(sys.argv[1])))
    kept = [_rounded(one.to_dict()) for one in found]
    place = Path(__file__).resolve().parents[1] / "src/tertium/data/worth.json"
    lines = ",\n".join(map(json.dumps, kept))
    text = f'{{"provenance": {json.dumps(PROVENANCE)}, "curves": [\n{lines}\n]}}\n'
    place.write_text(text, encoding="utf-8")
    print(table(found), held_out(found), sep="\n\n")


def _rounded(value: object) -> object:
    match value:
        case float():
            return float(f"{value:.{DECIMALS}g}")
        case dict():
            return {key: _rounded(one) for key, one in value.items()}
        case list():
            return [_rounded(one) for one in value]
    return value


if __name__ == "__main__":
    main()
