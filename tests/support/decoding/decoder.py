"""A decoder for the tests of tuning, which fails and hangs when it is told to."""

import json
import sys
from pathlib import Path

from tertium.tune import Decoder
from tests.support.decoding.tuning import REFERENCES, random_lists

START = {"f0": 1.0, "f1": 0.0, "f2": 0.0, "f3": 0.0}

# A decoder: knows 40 hypotheses a segment and writes the best four by the weights it is given. It
# notes every call; told to, it fails or hangs at one iteration, having written half of its list.
PROGRAM = """
import json, os, sys, time
pool, weights, nbest, iteration = sys.argv[1:5]
folder = os.path.dirname(pool)
open(os.path.join(folder, "calls"), "a").write(iteration + "\\n")
values = dict(line.split("= ") for line in open(weights).read().splitlines())
lines = []
for segment, hypotheses in enumerate(json.load(open(pool))):
    def score(one):
        return sum(float(values[name]) * x for name, x in one[1].items())
    for one in sorted(hypotheses, key=score, reverse=True)[:4]:
        features = " ".join(f"{name}= {x!r}" for name, x in one[1].items())
        lines.append(f"{segment} ||| {one[0]} ||| {features} ||| {score(one)!r}\\n")
fault = os.path.join(folder, "fault-" + iteration)
if os.path.exists(fault):
    print("trouble ahead", flush=True)
    open(nbest, "w").writelines(lines[: len(lines) // 2])
    if open(fault).read() == "hang":
        note = os.path.join(folder, "hanging")
        open(note + ".new", "w").write(str(os.getpid()))
        os.rename(note + ".new", note)
        time.sleep(900)
    sys.exit(3)
open(nbest, "w").writelines(lines)
"""


def decoder_folder(folder: Path) -> Path:
    """The folder, with the files of the decoder in it."""
    lists = random_lists(31, segments=len(REFERENCES), size=40)
    known = [
        [
            (text, dict(zip(one.feature_names, row, strict=True)))
            for text, row in zip(one.hypotheses, one.features.tolist(), strict=True)
        ]
        for one in lists
    ]
    (folder / "decoder.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "pool.json").write_text(json.dumps(known), encoding="utf-8")
    return folder


def decoder(folder: Path) -> Decoder:
    """The command that runs it."""
    words = f"'{sys.executable}' '{folder}/decoder.py' '{folder}/pool.json'"
    return Decoder(template=f"{words} {{weights}} {{nbest}} {{iteration}}")


def calls(folder: Path) -> list[str]:
    """The iterations it was called for."""
    return (folder / "calls").read_text(encoding="utf-8").split()
