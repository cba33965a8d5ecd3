"""Measure tertium against its peers in one run on one machine, and print the ratios."""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import data
from case import Case, Work
from cases import CASES
from machine import machine_facts
from measure import FailedRunError, Measurement, measure
from render import print_results, results_json
from results import Bound, Comparison, Failure, Pace, Results, bounds_of
from rich.console import Console

_FILE_WIDTH: Final = 140


class Stopwatch:
    """Measures work on texts of one folder, and each piece of it only once."""

    def __init__(self, folder: Path, repeat: int, progress: Console) -> None:
        self.folder = folder
        self.repeat = repeat
        self.progress = progress
        self._known: dict[tuple[Work, int, int | None], Measurement] = {}

    def pace(self, work: Work, segments: int, label: str, *, ours: bool) -> Pace:
        """The work on all threads; ours also on one, where there is text to share out."""
        one = self._measured(work, segments, 1, label) if ours and segments else None
        return Pace(all_threads=self._measured(work, segments, None, label), one_thread=one)

    def _measured(self, work: Work, segments: int, threads: int | None, label: str) -> Measurement:
        key = (work, segments, threads)
        if key not in self._known:
            shown = ", one thread" if threads else ""
            self.progress.print(f"{label}, {segments:,} segments{shown} …", style="dim")
            self._known[key] = measure(
                work, self.folder, segments, threads=threads, repeat=self.repeat
            )
        return self._known[key]


def run(cases: Iterable[Case], sizes: tuple[int, ...], stopwatch: Stopwatch) -> Results:
    """All comparisons of the cases; a failure ends one comparison, not the run."""
    machine = {**machine_facts(), "texts": data.origin()}
    comparisons: list[Comparison] = []
    bounds: list[Bound] = []
    failures: list[Failure] = []
    for case in cases:
        paces: dict[int, Pace] = {}
        for segments in sizes_of(case, sizes):
            try:
                ours = stopwatch.pace(case.ours, segments, case.title, ours=True)
                paces[segments] = ours
                for peer in case.peers:
                    theirs = stopwatch.pace(
                        peer.work, segments, peer.name, ours=peer.uses_our_threads
                    )
                    comparisons.append(Comparison.of(case, peer, segments, ours, theirs))
            except FailedRunError as error:
                failures.append(Failure(case=case.name, segments=segments, message=str(error)))
        bounds += bounds_of(case, paces)
    return Results(
        machine=machine,
        comparisons=tuple(comparisons),
        bounds=tuple(bounds),
        failures=tuple(failures),
    )


def sizes_of(case: Case, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes asked for, or the case's own; a case without text has only size 0."""
    return sizes if sizes and any(case.sizes) else case.sizes


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [case.name for case in CASES]
    parser.add_argument(
        "--only", action="append", choices=names, help="one case; may be repeated (default: all)"
    )
    parser.add_argument(
        "--segments", type=int, nargs="+", default=[], help="sizes instead of the cases' own"
    )
    parser.add_argument(
        "--repeat", type=int, default=5, help="runs, the fastest counts (default: 5)"
    )
    parser.add_argument(
        "--output", type=Path, default=Path("bench-results.json"), help="where the JSON goes"
    )
    return parser.parse_args()


def results_console() -> Console:
    """Standard output; what goes to a file is not folded to 80 columns."""
    screen = Console(highlight=False)
    return screen if screen.is_terminal else Console(highlight=False, width=_FILE_WIDTH)


def main() -> int:
    """Write the texts, measure, print, save."""
    arguments = parse_arguments()
    cases = [case for case in CASES if not arguments.only or case.name in arguments.only]
    sizes = tuple(arguments.segments)
    needed = sorted({size for case in cases for size in sizes_of(case, sizes)} - {0})
    progress = Console(stderr=True, highlight=False)
    with tempfile.TemporaryDirectory(prefix="tertium-bench-") as folder:
        if needed:
            progress.print(f"texts: {data.origin()} …", style="dim")
            words = [sys.executable, data.__file__, folder, *map(str, needed)]
            subprocess.run(words, check=True)
        results = run(cases, sizes, Stopwatch(Path(folder), arguments.repeat, progress))
    print_results(results_console(), results)
    arguments.output.write_text(results_json(results), encoding="utf-8")
    return 1 if results.failures else 0


if __name__ == "__main__":
    sys.exit(main())
