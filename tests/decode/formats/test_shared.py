"""Real n-best lists, lattices and forests, read whole."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tertium.decode import (
    Damages,
    Lattice,
    convert,
    format_named,
    inspect,
    read,
    read_forests,
    read_lattices,
    read_nbest,
    read_weights,
)
from tertium.errors import InputError
from tertium.text.files import TextFile
from tests.support.decoding.joshua_forests import joshua_forests

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("run", [1, 2, 3])
def test_moses_lists(shared_data: Path, run: int) -> None:
    lists = list(read_nbest(shared_data / f"nbest/moses/nbest.{run}.gz"))
    assert [one.segment for one in lists] == list(range(10))
    assert {len(one) for one in lists} == {100}
    assert lists[0].feature_names == (
        *(f"d_{place}" for place in range(1, 8)),
        "lm",
        *(f"tm_{place}" for place in range(1, 6)),
        "w",
    )
    again = "".join(format_named("moses").write(lists))
    assert list(read_nbest(TextFile(name="again", data=again.encode()))) == lists


def test_moses_lists_with_alignments(shared_data: Path) -> None:
    # A log in which every line of the list has a label in the place of its number.
    text = (shared_data / "nbest/moses/with-alignment.nbest").read_text(encoding="utf-8")
    lines = (line.partition("=")[2] for line in text.splitlines() if "_NBEST_" in line)
    data = "".join(f"0 ||| {line}\n" for line in lines).encode()
    (one,) = read_nbest(TextFile(name="log", data=data))
    assert len(one) == 5
    assert one.model_scores().tolist() == [-549.862, -549.88, -549.936, -549.953, -550.572]
    assert one.feature_names[:3] == ("IRSTLM0", "Distortion0", "WordPenalty0")
    (shaped,) = read_nbest(TextFile(name="log", data=data), format="marian")
    assert shaped == one


def test_joshua_lists(shared_data: Path) -> None:
    lists = list(read_nbest(shared_data / "nbest/joshua-bn-en/output.gold"))
    assert (len(lists), sum(map(len, lists))) == (100, 805)
    # Sparse: a list without unknown words does without the penalty for them.
    assert {name for one in lists for name in one.feature_names} == set(lists[0].feature_names)
    assert {len(one.feature_names) for one in lists} == {20, 21}


def test_z_mert_lists_have_no_names_and_no_scores(shared_data: Path) -> None:
    lists = list(read_nbest(shared_data / "nbest/zmert/cand_database.txt"))
    assert (len(lists), lists[0].feature_names, lists[0].scores) == (10, ("1", "2", "3"), None)


@pytest.fixture(scope="module")
def fisher(shared_data: Path) -> list[Lattice]:
    return list(read_lattices(shared_data / "lattices/fisher/dev2.plf"))


def is_path(lattice: Lattice, words: tuple[str, ...]) -> bool:
    """Whether the lattice has a path that says these words."""
    arcs: list[list[tuple[int, str]]] = [[] for _ in range(lattice.nodes)]
    for source, target, word in zip(lattice.sources, lattice.targets, lattice.words, strict=True):
        arcs[source].append((int(target), word))

    @cache
    def from_here(node: int, place: int) -> bool:
        if node == lattice.nodes - 1:
            return place == len(words)
        return any(
            from_here(target, place + 1) if word == words[place : place + 1][0] else False
            for target, word in arcs[node]
            if word and place < len(words)
        ) or any(from_here(target, place) for target, word in arcs[node] if not word)

    return from_here(0, 0)


def test_the_one_best_is_a_path_of_nearly_all_lattices(
    shared_data: Path, fisher: list[Lattice]
) -> None:
    text = (shared_data / "lattices/fisher/dev2.1best").read_text(encoding="utf-8")
    lines = text.splitlines()
    assert (len(fisher), len(lines)) == (1000, 1000)
    found = sum(
        is_path(lattice, tuple(line.split())) for lattice, line in zip(fisher, lines, strict=True)
    )
    assert found == 997
    # Probabilities: the best path is worth at most 1, and one of the lattices is empty.
    assert max(lattice.best().score for lattice in fisher) <= 0
    assert min(lattice.arcs for lattice in fisher) == 0


def test_a_damaged_line_among_a_thousand(shared_data: Path, fisher: list[Lattice]) -> None:
    lines = (shared_data / "lattices/fisher/dev2.plf").read_bytes().splitlines(keepends=True)
    lines[0] = lines[0].replace(b"',", b",", 1)
    lines[699] = lines[699][:-3] + b"\n"
    file = TextFile(name="dev2.plf", data=b"".join(lines))
    with pytest.raises(InputError, match=r"^dev2.plf: line 1: column 3: node 0: found "):
        list(read_lattices(file))
    damages = Damages(skip=True)
    found = list(read_lattices(file, damages=damages))
    assert (len(found), damages.count) == (998, 2)
    assert found == fisher[1:699] + fisher[700:]


@pytest.mark.parametrize(("name", "good"), [("joshua", 3), ("moses", 4), ("cdec-compound", 5)])
def test_small_lattices_of_three_decoders(shared_data: Path, name: str, good: int) -> None:
    damages = Damages(skip=True)
    path = shared_data / f"lattices/plf-small/{name}.plf"
    assert len(list(read_lattices(path, damages=damages))) == good
    assert damages.count == (name == "joshua")
    if damages.count:
        assert damages.first == (
            f"{path}: line 2: column 1: found 'ein haus', expected '(' of the lattice"
        )


def test_lattices_with_twelve_costs(shared_data: Path) -> None:
    folder = shared_data / "lattices/hifst"
    found = [next(read_lattices(folder / f"lmert.{place}.txt.gz")) for place in range(1, 21)]
    assert sum(lattice.nodes for lattice in found) == 33771
    assert sum(lattice.arcs for lattice in found) == 62219
    for lattice in found:
        assert set(lattice.feature_names) <= {str(place) for place in range(1, 13)}
        assert lattice.weights.tolist() == [-1.0] * len(lattice.feature_names)
        assert lattice.best().words[0] == "1"
        assert lattice.best().words[-1] == "2"
    costs = {name: -weight for name, weight in read_weights(folder / "params.0").items()}
    again = "".join(convert(found[:3], format_named("openfst")))
    back = list(read_lattices(TextFile(name="again", data=again.encode())))
    assert back == found[:3]
    assert [one.best(costs).text for one in back] == [one.best(costs).text for one in found[:3]]


@pytest.mark.parametrize("place", [1, 2])
def test_lattices_with_one_cost(shared_data: Path, place: int) -> None:
    inspection = inspect(shared_data / f"lattices/hifst/lmbr.{place}.txt.gz")
    assert (inspection.format, inspection.features) == ("openfst", ("cost",))
    assert inspection.counts["nodes"].total == {1: 2003, 2: 3931}[place]


@pytest.mark.parametrize(
    ("name", "nodes", "edges"), [("denseonly", 2239, 5342), ("sparse", 1248, 4032)]
)
def test_the_best_derivation_is_that_of_moses(
    shared_data: Path, name: str, nodes: int, edges: int
) -> None:
    folder = shared_data / "forests/moses" / name
    (forest,) = read_forests(folder / "data/hg.gz")
    assert (forest.nodes, forest.edges, forest.arity) == (nodes, edges, 1)
    weights = read_weights(folder / "data/dense.weights")
    if name == "sparse":
        weights |= read_weights(folder / "data/sparse.weights")
    expected = (folder / "truth/results.txt").read_text(encoding="utf-8").splitlines()
    best = forest.best(weights)
    assert f"STDOUT_1=<s> {best.text} </s> " == expected[0]
    features = dict(zip(forest.feature_names, best.features.tolist(), strict=True))
    for line in expected[1:-1]:
        _, _, pair = line.partition("=")
        feature, _, value = pair.rpartition("=")
        if feature:  # not the heading of the weights
            assert features[feature] == pytest.approx(float(value), rel=1e-5)
    lattice = forest.to_lattice()
    assert lattice.count_paths() == forest.count_derivations()
    assert lattice.best(weights).words == best.words
    ranked = forest.n_best(200, weights)
    assert ranked.scores is not None
    assert (np.diff(ranked.scores) <= 1e-9).all()
    assert ranked.scores[0] == pytest.approx(best.score, abs=1e-9)


def test_a_hierarchical_grammar_makes_forests_of_arity_two(shared_data: Path) -> None:
    made = joshua_forests(shared_data, 12)
    lists = list(read_nbest(shared_data / "nbest/joshua-bn-en/output.gold"))
    assert {forest.arity for forest in made} == {2}
    assert sum(forest.edges for forest in made) > 10_000
    # What Joshua translated with the same grammar can be said by the same words.
    for forest, one in zip(made, lists, strict=False):
        assert set(one.hypotheses[0].split()) <= set(forest.vocabulary)
    data = "".join(format_named("hypergraph").write(made[:3])).encode()
    assert list(read(TextFile(name="again", data=data))) == [
        forest.with_weights([1.0] * len(forest.feature_names)) for forest in made[:3]
    ]
