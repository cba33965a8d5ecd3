"""How many times less processor time tertium takes than sacreBLEU, by script and tokenizer.

Each cell is the ratio of the median CPU seconds on one thread, both from Python strings, on the
same text with the same score: ``python benchmarks/scripts.py``.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from script_texts import REFERENCES, SCRIPTS, texts

GOAL: Final = 100
RUNS: Final = 5
SLACK: Final = 1e-9  # of scores: the same counts, but another order of sums
METRICS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "BLEU 13a": ("bleu", {"tokenize": "13a"}),
    "BLEU intl": ("bleu", {"tokenize": "intl"}),
    "BLEU char": ("bleu", {"tokenize": "char"}),
    "BLEU zh": ("bleu", {"tokenize": "zh"}),
    "chrF2": ("chrf", {"word_order": 0}),
    "chrF++": ("chrf", {"word_order": 2}),
}


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds of a call, and what it returns."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def ours(metric: str, options: dict[str, Any]) -> Any:
    """Our metric with sacreBLEU's options."""
    import tertium

    if metric == "bleu":
        return tertium.parse_metric(f"bleu[tokenizer={options['tokenize']}]")
    return tertium.parse_metric("chrf++" if options["word_order"] else "chrf")


def theirs(metric: str, options: dict[str, Any]) -> Any:
    """The same of sacreBLEU; it remembers tokenised segments, so each call starts afresh."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.metrics.chrf import CHRF

    made: Any = BLEU(**options) if metric == "bleu" else CHRF(**options)
    if metric == "bleu":
        tokenizer = made.tokenizer
        for part in (tokenizer, *vars(tokenizer).values()):
            if forget := getattr(type(part).__call__, "cache_clear", None):
                forget()
    return made


def cell(script: str, name: str, *, segments: int, references: int, rounds: int) -> dict[str, Any]:
    """One comparison, by turns: in each round some runs of ours, then one of sacreBLEU's."""
    import tertium

    metric, options = METRICS[name]
    hypotheses, sides = texts(script, segments)
    sides = sides[:references]
    by_segment = [list(one) for one in zip(*sides, strict=True)]
    value = ours(metric, options)
    quick, slow = [], []
    for _ in range(rounds):
        for _ in range(RUNS):
            seconds, mine = timed(lambda: tertium.score(hypotheses, by_segment, metric=value))
            quick.append(seconds)
        seconds, other = timed(lambda: theirs(metric, options).corpus_score(hypotheses, sides))
        slow.append(seconds)
        if not abs(mine.value - other.score) < SLACK:
            raise ValueError(
                f"{script} {name}: found {mine.value}, expected {other.score} (sacreBLEU)"
            )
    return {
        "script": script,
        "metric": name,
        "references": references,
        "ours": statistics.median(quick),
        "theirs": statistics.median(slow),
        "ratio": statistics.median(slow) / statistics.median(quick),
    }


def main() -> int:
    """Measure all cells, print the table, save the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=3, help="of which the medians count")
    parser.add_argument("--scripts", nargs="+", default=list(SCRIPTS), choices=SCRIPTS)
    parser.add_argument("--metrics", nargs="+", default=list(METRICS), choices=METRICS)
    parser.add_argument("--references", nargs="+", type=int, default=[1, REFERENCES])
    parser.add_argument("--output", type=Path, help="where the JSON goes")
    arguments = parser.parse_args()
    os.environ["TERTIUM_THREADS"] = "1"
    found = []
    for references in arguments.references:
        print(f"{references} reference{'s' * (references > 1)}".ljust(14), end="")
        print("".join(name.rjust(11) for name in arguments.metrics))
        for script in arguments.scripts:
            print(script.ljust(14), end="", flush=True)
            for name in arguments.metrics:
                one = cell(
                    script,
                    name,
                    segments=arguments.segments,
                    references=references,
                    rounds=arguments.rounds,
                )
                found.append(one)
                print(f"{one['ratio']:>10.0f}×", end="", flush=True)
            print()
    if arguments.output:
        arguments.output.write_text(json.dumps(found, indent=1), encoding="utf-8")
    below = sum(one["ratio"] < GOAL for one in found)
    print(f"{len(found) - below} of {len(found)} cells at {GOAL}× or more")
    return 0


if __name__ == "__main__":
    sys.exit(main())
