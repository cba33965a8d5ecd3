"""Score the bundled sample with the installed tertium, and compare with the numbers kept here.

    python tools/sample_scores.py           # exit code 1 if a number differs
    python tools/sample_scores.py --write   # keeps the numbers of this copy

A wheel for another system, processor or Python must give the numbers of the one that was tested.
Only rounding may differ, for logarithms are the system's own: a part in a million millions.
"""

import argparse
import json
import math
import platform
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import tertium
from tertium.decode.mbr.lists import mbr
from tertium.evaluation import evaluate
from tertium.inference.confidence import with_intervals, with_randomization
from tertium.text.input_files import open_inputs

KEPT: Final = Path(__file__).with_suffix(".json")
SAMPLE: Final = Path(tertium.__file__).parent / "data" / "sample"
ROUNDING: Final = 1e-12
METRICS: Final = (
    "bleu", "bleu[tokenizer=intl,lowercase=yes]", "bleu[tokenizer=zh]", "bleu[tokenizer=char]",
    "bleu-sbp", "nist", "chrf", "chrf[word_order=2]", "ter", "wer", "wrr", "per", "grr[k=4]", "gtm",
    "ribes", "rouge-n", "rouge-l", "rouge-w", "rouge-s", "rouge-su", "amber", "amber-basic",
)  # fmt: skip
"""Those that need no extra."""
RESAMPLED: Final = ("bleu", "chrf", "ter")
UTILITIES: Final = ("bleu", "chrf", "ter")


def numbers() -> dict[str, Any]:
    """Scores and statistics of every system, intervals and tests, and choices among outputs."""
    references = [str(path) for path in sorted(SAMPLE.glob("reference.*.en"))]
    outputs = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
    whole = open_inputs(references, outputs).load()
    scored = evaluate(whole.corpus, whole.systems, METRICS)
    resampled = evaluate(whole.corpus, whole.systems, RESAMPLED, rows=True)
    sure = with_intervals(resampled, seed=12345)
    tested = with_randomization(resampled, trials=1000, seed=12345)
    lists = [
        [one.hypotheses[segment] or "" for one in whole.systems]
        for segment in range(len(whole.corpus))
    ]
    return {
        "scores": {
            one.system: {
                name: {"score": score.value, "statistics": score.statistics.tolist()}
                for name, score in zip(METRICS, one.scores, strict=True)
            }
            for one in scored.systems
        },
        "intervals": {
            one.system: [
                [score.interval.low, score.interval.high] for score in one.scores if score.interval
            ]
            for one in sure.systems
        },
        "p-values": {
            one.system: [score.test.p_value for score in one.scores if score.test]
            for one in tested.systems[1:]
        },
        "mbr": {name: [mbr(one, name).winner for one in lists] for name in UTILITIES},
    }


def differences(kept: Any, found: Any, place: str = "") -> Iterator[str]:
    """What is not the same, each with its place."""
    if isinstance(kept, dict) and isinstance(found, dict) and kept.keys() == found.keys():
        for key, value in kept.items():
            yield from differences(value, found[key], f"{place}/{key}")
    elif isinstance(kept, list) and isinstance(found, list) and len(kept) == len(found):
        for number, (one, other) in enumerate(zip(kept, found, strict=True)):
            yield from differences(one, other, f"{place}/{number}")
    elif isinstance(kept, float) and isinstance(found, float):
        if not math.isclose(kept, found, rel_tol=ROUNDING):
            yield f"{place}: found {found!r}, expected {kept!r}"
    elif kept != found:
        yield f"{place}: found {found!r}, expected {kept!r}"


def numbers_of(value: Any) -> int:
    """How many values there are to compare."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(map(numbers_of, parts)) if parts else 1


def as_text(value: Any) -> str:
    """JSON with a list a line."""
    lists = re.compile(r"\[\s+([^\[\]]*?)\s+\]")
    return lists.sub(lambda one: f"[{' '.join(one[1].split())}]", json.dumps(value, indent=1))


def main(words: list[str]) -> int:
    """Compare, or keep."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--write", action="store_true", help=f"write {KEPT.name} anew")
    found = json.loads(json.dumps(numbers()))
    if parser.parse_args(words).write:
        KEPT.write_text(f"{as_text(found)}\n", encoding="utf-8", newline="\n")
        return 0
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    wrong = list(differences(kept, found))
    count = numbers_of(kept)
    answer = f"{len(wrong)} of {count} differ" if wrong else f"all {count} the same"
    print(*wrong[:20], sep="\n", end="\n" if wrong else "")
    here = f"tertium {tertium.__version__}, Python {platform.python_version()}"
    print(f"numbers of the sample: {answer} ({here})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
