"""A server under load, or one that is killed while people work.

    python benchmarks/serve.py                   50 raters and 10 uploads of 3000 segments, 60 s
    python benchmarks/serve.py --kills 20        kill -9 of server and workers, 20 times

The first prints errors, how long a save takes and how much memory is held; the second whether
anything that was acknowledged is lost. Both end with a check of the store; the status is 1 if
anything is wrong.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from serving.kills import run_kills
from serving.load import quantile, run_load

MEGABYTE = 1e6


def main() -> int:
    """Run one of the two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raters", type=int, default=50)
    parser.add_argument("--uploads", type=int, default=10)
    parser.add_argument("--segments", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two saves")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tertium-") as folder:
        run = _kills if arguments.kills else _load
        wrong, place = run(arguments, Path(folder))
        wrong += _checked(place)
    for line in wrong[:20]:
        print(f"WRONG: {line}")
    print("nothing wrong" if not wrong else f"{len(wrong)} wrong")
    return 1 if wrong else 0


def _load(arguments: argparse.Namespace, folder: Path) -> tuple[list[str], Path]:
    load, server = run_load(
        folder,
        raters=arguments.raters,
        uploads=arguments.uploads,
        segments=arguments.segments,
        seconds=arguments.seconds,
        pause=arguments.pause,
    )
    status = server.stop()
    print(f"{arguments.raters} raters, {len(load.saves)} saves in {arguments.seconds:g} s")
    for share in (0.5, 0.95, 0.99):
        print(f"save, quantile {share:g}: {quantile(load.saves, share):.1f} ms")
    each = 1000 * load.processor / max(1, len(load.saves))
    print(f"processor time of the server: {each:.1f} ms for a save and the next item, all included")
    print(
        f"{len(load.uploads)} uploads of {arguments.segments} segments: "
        f"median {quantile(load.uploads, 0.5):.0f} ms"
    )
    print(
        f"memory of server and workers: {load.memory[0] / MEGABYTE:.0f} MB at first, "
        f"{max(load.memory) / MEGABYTE:.0f} MB at most, {load.memory[-1] / MEGABYTE:.0f} MB at last"
    )
    print(f"errors: {len(load.errors)}")
    wrong = list(load.errors)
    if status:
        wrong.append(f"server: ended with {status}, expected 0")
    if len(load.uploads) != arguments.uploads:
        wrong.append(f"uploads: {len(load.uploads)}, expected {arguments.uploads}")
    return wrong, folder / "load.db"


def _kills(arguments: argparse.Namespace, folder: Path) -> tuple[list[str], Path]:
    told, wrong = run_kills(folder, kills=arguments.kills, seed=arguments.seed)
    print(
        f"{arguments.kills} kills; acknowledged: {len(told.ratings)} ratings, {len(told.names)} "
        f"names, {len(told.uploads)} uploads, {len(told.jobs)} jobs"
    )
    return wrong, folder / "kills.db"


def _checked(place: Path) -> list[str]:
    """What `tertium serve check` says."""
    command = [sys.executable, "-m", "tertium", "serve", "check", "--store", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"tertium serve check: status {done.returncode}")
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


if __name__ == "__main__":
    sys.exit(main())
