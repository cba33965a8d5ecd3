"""Run the same commands in two checkouts, and show that they print the same JSON.

    python tools/compare_checkouts.py ../before .
    python tools/compare_checkouts.py ../before . --only audit --allow 'audit: level'

Each checkout brings its own `.venv/bin/tertium`. Both read the same files: the sample of NEW, a
test set of WMT23 beside it (left out, and said so, where there is none), and n-best lists made from
the systems' output. Every number must be the same to the last digit; only the version may differ,
which stands on top and in every signature. An intended difference is named by `--allow`, as it is
printed but without the numbers in brackets, with `*` for anything. Exit code 1 if anything else
differs.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

SHOWN: Final = 20  # differences of one command; a change that moves all scores moves thousands
WIDEST: Final = 80
RESAMPLED: Final = ("--trials", "200")


class Absent:
    """What stands in the place of a key that only the other result has."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A test set: what is scored, what people say of it, and lists to decode from."""

    name: str
    references: tuple[str, ...]
    systems: tuple[str, ...]
    source: str
    documents: str
    ratings: str
    nbest: str
    metrics: tuple[str, ...]

    def commands(self) -> list[tuple[str, list[str]]]:
        """Commands and their words."""
        scored = [*self.references, "-i", *self.systems, "--documents", self.documents]
        few = ["-m", *self.metrics[:2]]
        return [
            ("score", [*scored, "--by", "genre", "-m", *self.metrics]),
            ("score", [*scored, "-sl", "-m", *self.metrics]),
            ("score", [*scored, "--confidence", *few]),
            ("score", [*scored, "--paired-ar", *few]),
            ("compare", [*scored, "--by", "genre", "--source", self.source, *few, *RESAMPLED]),
            ("audit", [*scored, *few]),
            ("decide", [*scored, *few]),
            ("power", [*scored, *few]),
            ("explain", [*self.references, "-i", *self.systems[:2], *few]),
            ("meta agree", [*scored, *few, "--ratings", self.ratings, *RESAMPLED]),
            ("oracle", [self.nbest, "-r", *self.references, "--k-best", "2"]),
            ("mbr", [self.nbest, "-r", *self.references, "--utility", "chrf"]),
            ("tune", [*self.references, "-i", self.nbest, *few, "--hold-out", "2"]),
        ]


def sample(checkout: Path, folder: Path) -> Material:
    """The bundled sample, under every metric that needs no more than text."""
    place = checkout / "src" / "tertium" / "data" / "sample"
    systems = sorted(place.glob("systems/*.txt"))
    return Material(
        name="sample",
        references=tuple(map(str, sorted(place.glob("reference.*.en")))),
        systems=tuple(map(str, systems)),
        source=str(place / "source.de"),
        documents=str(place / "documents.tsv"),
        ratings=str(place / "ratings.tsv"),
        nbest=write_nbest(systems, folder / "sample.nbest"),
        metrics=(
            *("bleu", "ter", "bleu-sbp", "chrf", "nist", "wer", "wrr", "per", "grr", "gtm"),
            *("amber", "terp", "ribes", "rouge-n", "rouge-l", "rouge-w", "rouge-su", "meteor"),
            *("meteor-0.6", "maxsim", "paraeval"),
        ),
    )


def wmt(data: Path, folder: Path) -> Material:
    """Hebrew into English of WMT23: two references, two genres, ratings by experts."""
    place = data / "wmt23"
    outputs = sorted((place / "system-outputs" / "he-en").glob("*.txt"))
    systems = [path for path in outputs if not path.name.startswith("ref")]
    return Material(
        name="wmt23 he-en",
        references=tuple(str(place / "references" / f"he-en.ref{one}.txt") for one in "AB"),
        systems=tuple(map(str, systems)),
        source=str(place / "sources" / "he-en.txt"),
        documents=str(place / "documents" / "he-en.docs"),
        ratings=str(place / "human-scores" / "he-en.mqm.seg.score"),
        nbest=write_nbest(systems, folder / "wmt23.nbest"),
        metrics=("bleu", "chrf", "ter", "bleu-sbp", "grr", "amber"),
    )


def write_nbest(systems: Sequence[Path], path: Path) -> str:
    """Moses' format: the systems' texts as a list for each segment, with three features."""
    columns = [one.read_text(encoding="utf-8").removesuffix("\n").split("\n") for one in systems]
    with path.open("w", encoding="utf-8") as file:
        for segment, texts in enumerate(zip(*columns, strict=True)):
            for place, text in enumerate(texts):
                words, letters = len(text.split()), len(text)
                features = f"words= {words} letters= {letters} place= {-place}"
                print(segment, text, features, -place - words / 8, sep=" ||| ", file=file)
    return str(path)


def differences(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two values of JSON differ: the path, what was there and what is; types count."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            inner = f"{path}.{key}" if path else str(key)
            yield from differences(old.get(key, ABSENT), new.get(key, ABSENT), inner)
    elif isinstance(old, list) and isinstance(new, list) and _measures(old) and _measures(new):
        # New measures stand between old ones, which are still to be compared with themselves.
        yield from differences(_measures(old), _measures(new), path)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield f"{path}[]", f"{len(old)} entries", f"{len(new)} entries"
        for place, (one, other) in enumerate(zip(old, new, strict=False)):
            yield from differences(one, other, f"{path}[{place}]")
    elif type(old) is not type(new) or old != new:
        yield path, old, new


def _measures(entries: list[Any]) -> dict[str, Any]:
    """Entries by the measure that each is of; nothing where they are of something else."""
    known = [one for one in entries if isinstance(one, dict) and "measure" in one]
    return {one["measure"]: one for one in known} if len(known) == len(entries) else {}


def allowed(command: str, path: str, patterns: Sequence[str]) -> bool:
    """Whether a difference was announced: `PATH` of any command, or `COMMAND: PATH`."""
    plain = re.sub(r"\[\d+\]", "[]", path)
    return any(
        re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), place)
        for pattern in patterns
        for place in (plain, f"{command}: {plain}")
    )


def shortened(value: Any) -> str:
    """A value as Python writes it, but no longer than can be read."""
    text = repr(value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def values(made: Any) -> int:
    """How many numbers and texts a result has."""
    if isinstance(made, dict | list):
        return sum(map(values, made.values() if isinstance(made, dict) else made))
    return 1


def seconds() -> float:
    """Processor time of all commands that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def printed(checkout: Path, *words: str) -> str:
    """What the command of a checkout prints."""
    program = checkout / ".venv" / "bin" / "tertium"
    ended = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if ended.returncode not in {0, 1}:  # 1 is the answer of `decide` that a system is not better
        sys.exit(f"{program}: exit code {ended.returncode}, expected 0: {ended.stderr.strip()}")
    return ended.stdout


def result(checkout: Path, command: str, words: Sequence[str]) -> tuple[Any, float]:
    """A command's JSON, with one word for every version, and its processor time."""
    version = printed(checkout, "--version").split()[-1]
    before = seconds()
    made = printed(checkout, *command.split(), *words, "-f", "json")
    spent = seconds() - before
    return json.loads(re.sub(rf"(?<=tertium-){re.escape(version)}\b", "VERSION", made)), spent


def compared(
    old: Path, new: Path, material: Material, only: Sequence[str], allow: Sequence[str]
) -> int:
    """Run the commands on one test set; how many differences were not allowed."""
    count = 0
    for command, words in material.commands():
        if only and command not in only:
            continue
        (before, spent_before), (now, spent_now) = (
            result(checkout, command, words) for checkout in (old, new)
        )
        for made in (before, now):
            made.pop("version")  # on top of every command's JSON
        found = list(differences(before, now))
        faults = [one for one in found if not allowed(command, one[0], allow)]
        flags = [word for word in words if word.startswith("-")]
        verdict = "differs" if faults else "identical" if not found else "as allowed"
        print(
            f"{material.name}, {' '.join([command, *flags])}: {verdict}; {values(now)} values,"
            f" {spent_before:.2f} s of CPU before, {spent_now:.2f} s now"
        )
        for path, was, is_now in faults[:SHOWN]:
            print(f"  {path}: {shortened(was)} before, {shortened(is_now)} now")
        if len(faults) > SHOWN:
            print(f"  … and {len(faults) - SHOWN} more")
        count += len(faults)
    return count


def main() -> int:
    """Compare, and say how it went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", metavar="OLD", type=Path, help="checkout to compare with")
    parser.add_argument("new", metavar="NEW", type=Path, help="checkout to look at")
    parser.add_argument("--data", type=Path, help="default: ../shared/data of NEW")
    parser.add_argument("--only", metavar="COMMAND", nargs="+", default=[])
    parser.add_argument("--allow", metavar="PATH", nargs="+", default=[], action="extend")
    arguments = parser.parse_args()
    old, new = arguments.old.resolve(), arguments.new.resolve()
    data = arguments.data or new.parent / "shared" / "data"
    with tempfile.TemporaryDirectory() as folder:
        materials = [sample(new, Path(folder))]
        if (data / "wmt23").is_dir():
            materials.append(wmt(data, Path(folder)))
        else:
            print(f"{data}: no folder wmt23, so the sample alone is compared")
        faults = sum(compared(old, new, one, arguments.only, arguments.allow) for one in materials)
    print(f"{faults} differences" if faults else "no difference that was not allowed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
