"""What the tests of tuning share: lists, lattices and forests at random, and files of them."""

from pathlib import Path
from random import Random

import numpy as np

from tertium.decode.formats.nbest_text import NBestText
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.tune import Candidates, GraphSurface, NBestSurface

WORDS = ["a", "b", "c", "d", "e", "f"]
REFERENCES = ["a b c d e f", "b c d", "f e d c b a", "a a b b", "c d c d", "e f a b"]
WEIGHTS = "f0= 1\nf1= 0.5\nf2= 0\nf3= 0\n"
FEATURES = """\
FEATURES_TXT_BEGIN_0 0 2 2 lm tm
-1 2
-2 1
FEATURES_TXT_END_0
FEATURES_TXT_BEGIN_0 1 1 2 lm tm
0.5 0.5
FEATURES_TXT_END_0
"""
SCORES = """\
SCORES_TXT_BEGIN_0 0 2 9 BLEU
4 5 3 4 2 3 1 2 6
5 7 3 6 2 5 1 4 6
SCORES_TXT_END_0
SCORES_TXT_BEGIN_0 1 1 9 BLEU
3 3 2 2 1 1 0 0 4
SCORES_TXT_END_0
"""


def random_lists(
    seed: int, *, segments: int = 12, size: int = 15, features: int = 4
) -> list[NBest]:
    """Hypotheses whose features know a little about their quality."""
    rng = np.random.default_rng(seed)
    lists = []
    for segment in range(segments):
        texts = [" ".join(rng.choice(WORDS, rng.integers(3, 9))) for _ in range(size)]
        lists.append(
            NBest(
                segment=segment,
                hypotheses=tuple(texts),
                feature_names=tuple(f"f{n}" for n in range(features)),
                features=rng.normal(size=(size, features)),
            )
        )
    return lists


def random_surface(seed: int = 1, **sizes: int) -> NBestSurface:
    """Such lists with references."""
    lists = random_lists(seed, **sizes)
    rng = np.random.default_rng(seed + 1000)
    references = [" ".join(rng.choice(WORDS, 6)) for _ in lists]
    return NBestSurface(Candidates.of(lists, len(lists)), references)


def drawn_vector(draw: Random) -> tuple[float, float]:
    """Features: small whole numbers, so that sums are exact and ties happen."""
    return float(draw.randint(-2, 2)), float(draw.randint(-2, 2))


def drawn_forest(draw: Random) -> Forest:
    """Up to four nodes, tails anywhere below, words or none on every edge."""
    nodes = draw.randint(1, 4)
    edges = []
    for head in range(nodes):
        for _ in range(draw.randint(1, 3 if nodes < 4 else 2)):
            tails = [draw.randrange(head) for _ in range(draw.randint(0, min(2, head)))]
            parts = [*tails, *draw.choices("abc", k=draw.randint(0, 2))]
            draw.shuffle(parts)
            edges.append((head, parts, drawn_vector(draw)))
    return Forest.build(edges, goal=nodes - 1, feature_names=("x", "y"), trim=True)


def drawn_lattice(draw: Random) -> Lattice:
    """Up to five nodes; parallel arcs and empty words."""
    nodes = draw.randint(1, 5)
    arcs = [(n, n + 1, draw.choice(["a", "b", ""]), drawn_vector(draw)) for n in range(nodes)]
    for _ in range(draw.randint(0, 6)):
        source = draw.randrange(nodes)
        target = draw.randint(source + 1, nodes)
        arcs.append((source, target, draw.choice(["a", "b", "c", ""]), drawn_vector(draw)))
    return Lattice.build(arcs, start=0, finals=[nodes], feature_names=("x", "y"))


def ladders() -> GraphSurface:
    """Twelve lattices as a surface."""
    lattices = [drawn_lattice(Random(seed)) for seed in range(100, 112)]
    return GraphSurface(lattices, ["a b a c"] * len(lattices))


def written(folder: Path, **files: str) -> dict[str, Path]:
    """Files of these names and texts, and where they are."""
    paths = {name: folder / name for name in files}
    for name, text in files.items():
        paths[name].write_text(text, encoding="utf-8")
    return paths


def tuning_files(folder: Path) -> dict[str, str]:
    """References, two runs of lists, and weights."""
    runs = {
        f"run{seed}": "".join(NBestText().write(random_lists(seed, segments=len(REFERENCES))))
        for seed in (1, 2)
    }
    refs = "\n".join(REFERENCES) + "\n"
    paths = written(folder, refs=refs, weights=WEIGHTS, f=FEATURES, s=SCORES, **runs)
    return {name: str(path) for name, path in paths.items()}


def tuning_words(files: dict[str, str], *more: str) -> list[str]:
    """The words of `tertium tune` on both runs."""
    runs = [files["run1"], files["run2"]]
    return [files["refs"], "-i", *runs, "--weights", files["weights"], "--restarts", "2", *more]
