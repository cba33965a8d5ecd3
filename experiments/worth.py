"""Human agreement with differences of common metrics at WMT12, 17, 23, 24: makes our table.

``python -m experiments.worth ../shared/data`` writes src/tertium/data/worth.json and prints the
table of docs/worth.md.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from experiments.data import WMT12, WMT17, WMT23, WMT24, Data
from experiments.kinds import pair_kind
from tertium.meta.ratings.files import read_scores
from tertium.meta.worth_curves import (
    KINDS,
    LEAST_PAIRS,
    HeldOutForecast,
    SystemPairs,
    WorthCurve,
    worth_curve,
)

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
SHARES: Final = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
DECIMALS: Final = 4

PROVENANCE: Final = (
    "Pairs of systems of one shared task and test set, one reference. All pairs: WMT23 he-en and "
    "zh-en (MQM), WMT24 en-cs and en-hi (ESA); METEOR and metrics of others on WMT23 alone. By "
    "kind of pair: these, and newstest2012 cs-en, de-en, es-en (rankings) and newstest2017 "
    "de-en, ru-en, tr-en (direct assessment), whose systems are all classic. Not for scripts that "
    "the metric's tokenizer does not fit, other options or versions of a metric, very short test "
    "sets, two checkpoints of one system, or output that was optimized for the metric itself."
)

TODAY: Final = {"mqm": ("wmt23 he-en, systems by refB", "wmt23 zh-en"), "esa": WMT24}
"""What systems of today are rated on. WMT23's refA of he-en was made from ONLINE-B's output."""
BEFORE: Final = {"rank": WMT12, "da": WMT17}
INTO_ENGLISH: Final = frozenset({"meteor"})
"""Metrics whose stems and synonyms are English."""
LEAKED: Final = {("wmt23 he-en", "ONLINE-B")}
"""Test sets with refA and the system that it was made from, where scores by refB are not there."""


def curves(data: Data, metrics: Sequence[str] = METRICS) -> list[WorthCurve]:
    """For each metric one over all pairs of today's systems, and one for each kind of pair."""
    found = []
    for metric in metrics:
        today = [(name, how) for how, names in TODAY.items() for name in names]
        if metric in INTO_ENGLISH:
            today = [(name, how) for name, how in today if name.endswith(("-en", "refB"))]
        before = [(name, how) for how, names in BEFORE.items() for name in names]
        found.append(worth_curve(metric, _pairs(data, metric, today)))
        if metric not in INTO_ENGLISH:
            found += [
                worth_curve(metric, _pairs(data, metric, [*before, *today], kind), kind=kind)
                for kind in KINDS.values()
            ]
    for short, long in PUBLISHED.items():
        sets = []
        for name in WMT23:
            pair = name.split()[1]
            path = data.folder / f"wmt23/metric-scores/{pair}/{long}.sys.score"
            [[scores]] = read_scores([path], pair=pair).values()
            free = long.endswith("-src")
            sets.append(
                SystemPairs.of(
                    data.judgments(name, "mqm"),
                    scores,
                    wanted=lambda a, b, name=name, free=free: (  # type: ignore[misc]
                        free or not {(name, a), (name, b)} & LEAKED
                    ),
                )
            )
        found.append(worth_curve(short, sets))
    return found


def _pairs(
    data: Data, metric: str, test_sets: Sequence[tuple[str, str]], kind: str = ""
) -> list[SystemPairs]:
    """The pairs of some test sets, those of a kind if one is asked for."""
    every = [
        SystemPairs.of(
            data.judgments(name, criterion),
            data.scores(name, metric),
            group=name,
            wanted=lambda a, b, name=name: not kind or pair_kind(name, a, b) == kind,  # type: ignore[misc]
        )
        for name, criterion in test_sets
    ]
    return [one for one in every if len(one)]


def table(found: list[WorthCurve]) -> str:
    """For each metric the difference that is worth some shares."""
    lines = [
        "| metric | kind of pair | pairs | "
        + " | ".join(f"{100 * share:.0f} %" for share in SHARES)
        + " |",
        "|---|---|---|" + "---|" * len(SHARES),
    ]
    for one in found:
        cells = [one.needed(share) for share in SHARES]
        shown = ["–" if cell is None else f"{cell:.3g}" for cell in cells]
        kind = one.kind or "all"
        lines.append(f"| {one.metric} | {kind} | {one.pairs} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def held_out(found: list[WorthCurve]) -> str:
    """How the curve of the other test sets predicted each test set.

    The error is that of all pairs together, in points: the share that was predicted on average,
    minus the share that raters agreed on; beside it the largest of a test set with 20 pairs.
    """
    lines = [
        "| metric | kind of pair | pairs | predicted | found | error | of one test set | Brier |",
        "|---|---|---|---|---|---|---|---|",
    ]
    by_metric: dict[str, list[WorthCurve]] = {}
    for one in found:
        by_metric.setdefault(one.metric, []).append(one)
    for metric, mine in by_metric.items():
        lines += [_held_out_row(metric, one.kind or "all", one.held_out) for one in mine]
        if len(mine) > 1:
            kinds = [part for one in mine if one.kind for part in one.held_out]
            lines.append(_held_out_row(metric, "the four kinds together", kinds))
    return "\n".join(lines)


def _held_out_row(metric: str, kind: str, parts: Sequence[HeldOutForecast]) -> str:
    pairs = sum(part.pairs for part in parts)
    predicted, agreed, error = (
        sum(part.pairs * getattr(part, name) for part in parts) / pairs
        for name in ("foretold", "found", "error")
    )
    gaps = [100 * (part.foretold - part.found) for part in parts if part.pairs >= LEAST_PAIRS]
    largest = f"{max(gaps, key=abs):+.1f}" if gaps else "–"
    return (
        f"| {metric} | {kind} | {pairs} | {100 * predicted:.1f} % | {100 * agreed:.1f} % | "
        f"{100 * (predicted - agreed):+.1f} | {largest} | {error:.3f} |"
    )


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
