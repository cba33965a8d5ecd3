"""A server under load, for long, or killed while people work.

    python benchmarks/serve.py                   50 raters and 10 uploads of 3000 segments, 60 s
    python benchmarks/serve.py --items 200000 --raters 300
                                                 one campaign of so many items, 300 raters
    python benchmarks/serve.py --kills 100       kill -9 of servers, workers and the database
    python benchmarks/serve.py --soak 30         100 raters, uploads and jobs for 30 minutes

The first two print errors, how long a save takes and how much memory is held, the second also how
long raters wait for their first item; the third prints whether anything that was acknowledged is
lost, on SQLite and with two servers on one PostgreSQL (`--store` chooses one of them); the fourth
memory over time and how long every kind of request takes. All end with a check of the store; the
status is 1 if anything is wrong: an error, a loss, or memory that grows by more than 5 % once it is
warm.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from serving.database import KINDS, Database, database
from serving.kills import run_kills
from serving.load import quantile, run_load
from serving.soak import WARM, describe, run_soak

MEGABYTE = 1e6
FLAT = 0.05
"""The share by which memory may grow."""
QUICK = 500
"""Milliseconds that 99 of 100 requests of a rater should take on an idle machine."""
SOAK_SEGMENTS = 1000


def main() -> int:
    """Run one of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--raters", type=int, help="default: 50, or 100 for --soak")
    parser.add_argument("--uploads", type=int, default=10)
    parser.add_argument("--segments", type=int, help="default: 3000, or 1000 for --soak")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument(
        "--pause", type=float, help="seconds between two saves; 1, 5 for --soak, 10 for --items"
    )
    parser.add_argument("--items", type=int, default=0, help="of the campaign, by 2000 segments")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--soak", type=float, default=0.0, metavar="MINUTES")
    parser.add_argument("--store", choices=KINDS, help="default: both for --kills, else sqlite")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    run = _kills if arguments.kills else _soak if arguments.soak else _load
    kinds = KINDS if arguments.kills else ("sqlite",)
    wrong: list[str] = []
    for kind in (arguments.store,) if arguments.store else kinds:
        with tempfile.TemporaryDirectory(prefix="tertium-") as name:
            folder = Path(name)
            with database(kind, folder, seed=arguments.seed) as made:
                print(f"store: {kind}", flush=True)
                wrong += run(arguments, folder, made)
                wrong += _checked(made.place)
    for line in wrong[:20]:
        print(f"WRONG: {line}")
    print("nothing wrong" if not wrong else f"{len(wrong)} wrong")
    return 1 if wrong else 0


def _load(arguments: argparse.Namespace, folder: Path, made: Database) -> list[str]:
    segments = arguments.segments or (2000 if arguments.items else 3000)
    raters, systems = arguments.raters or 50, arguments.items // segments
    load, server = run_load(
        folder,
        made.place,
        raters=raters,
        uploads=arguments.uploads,
        segments=segments,
        seconds=arguments.seconds,
        pause=arguments.pause or (10.0 if systems else 1.0),
        systems=systems,
    )
    status = server.stop()
    print(f"{raters} raters, {len(load.saves)} saves in {arguments.seconds:g} s")
    if systems:
        print(
            f"{systems * segments} items; first item at p95: {quantile(load.firsts, 0.95):.1f} ms"
        )
    for share in (0.5, 0.95, 0.99):
        print(f"save, quantile {share:g}: {quantile(load.saves, share):.1f} ms")
    each = 1000 * load.processor / max(1, len(load.saves))
    print(f"processor time of the server: {each:.1f} ms for a save and the next item, all included")
    print(
        f"{len(load.uploads)} uploads of {segments} segments: "
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
    return wrong


def _kills(arguments: argparse.Namespace, folder: Path, made: Database) -> list[str]:
    told, wrong = run_kills(folder, made, kills=arguments.kills, seed=arguments.seed)
    print(
        f"{arguments.kills} kills; acknowledged: {len(told.ratings)} ratings, {len(told.names)} "
        f"names, {len(told.uploads)} uploads, {len(told.jobs)} jobs"
    )
    return wrong


def _soak(arguments: argparse.Namespace, folder: Path, made: Database) -> list[str]:
    raters = arguments.raters or 100
    soak, server = run_soak(
        folder,
        made.place,
        minutes=arguments.soak,
        raters=raters,
        segments=arguments.segments or SOAK_SEGMENTS,
        pause=arguments.pause or 5.0,
    )
    status = server.stop()
    print(f"{raters} raters for {arguments.soak:g} minutes")
    for line in describe(soak):
        print(line)
    slowest = max(quantile(soak.times[kind], 0.99) for kind in ("save", "next item"))
    print(f"raters wait {slowest:.0f} ms at p99, aim: under {QUICK} ms on an idle machine")
    print(f"errors: {len(soak.errors)}")
    wrong = list(soak.errors)
    if status:
        wrong.append(f"server: ended with {status}, expected 0")
    if soak.seconds < 2 * WARM:
        print(f"too short to judge memory, which takes {2 * WARM / 60:.0f} minutes")
    elif soak.growth > FLAT:
        wrong.append(f"memory: grew by {100 * soak.growth:.1f} %, expected at most {FLAT:.0%}")
    return wrong


def _checked(place: str) -> list[str]:
    """What `tertium serve check` says."""
    command = [sys.executable, "-m", "tertium", "serve", "check", "--store", place]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(f"tertium serve check: status {done.returncode}")
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


if __name__ == "__main__":
    sys.exit(main())
