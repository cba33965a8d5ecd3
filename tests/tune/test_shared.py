"""Tuning on real n-best lists, lattices and forests of four decoders."""

import re
import shlex
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tertium.decode.formats.segments import read_forests
from tertium.decode.formats.table import FormatOptions
from tertium.decode.weights import read_weights
from tertium.metrics.contract.table import parse_metric
from tertium.tune import (
    GraphSurface,
    Material,
    NBestSurface,
    SearchOptions,
    TrainingOptions,
    mert,
    outcome,
    read_material,
    read_references,
    read_statistics,
    train,
    tune,
)
from tertium.tune.mert import scores_at
from tertium.tune.weight_vectors import vector_of
from tests.support.commands import output
from tests.support.decoding.joshua_forests import joshua_forests
from tests.support.places import DOCS

pytestmark = pytest.mark.shared

BLEU = parse_metric("bleu[tokenizer=none]")
GRR = parse_metric("grr[tokenizer=none]")
STRICT = parse_metric("bleu-sbp[tokenizer=none]")
UNSMOOTHED = parse_metric("bleu[tokenizer=none,smoothing=none]")
PAGE = DOCS / "tuning.md"


@pytest.mark.parametrize("seed", range(4))
def test_optimum_of_moses(shared_data: Path, seed: int) -> None:
    folder = shared_data / "nbest/moses/mert.basic"
    surface = read_statistics(folder / "data/FEATSTAT.txt", folder / "data/SCORESTAT.txt")
    (value,) = scores_at(
        surface,
        UNSMOOTHED,
        vector_of(read_weights(folder / "weights.txt"), surface.feature_names, "weights")[None],
    )
    assert value == pytest.approx(30.4339, abs=5e-5)  # truth/results.txt
    first = (folder / "data/INIT").read_text(encoding="utf-8").splitlines()[0]
    found = mert(surface, UNSMOOTHED, list(map(float, first.split())), SearchOptions(seed=seed))
    assert found.score >= 30.4339


def test_statistics_of_moses_are_those_of_its_lists(shared_data: Path) -> None:
    folder = shared_data / "nbest/moses"
    counted = read_statistics(
        folder / "mert.basic/data/FEATSTAT.txt", folder / "mert.basic/data/SCORESTAT.txt"
    )
    surface = read_material([folder / "nbest.1.gz"], [folder / "reference"]).dev
    assert isinstance(surface, NBestSurface)
    # Moses kept duplicates; each hypothesis of ours is among its own.
    for segment, (begin, end) in enumerate(
        zip(surface.candidates.offsets, surface.candidates.offsets[1:], strict=False)
    ):
        theirs = slice(100 * segment, 100 * segment + 100)
        rows = {
            (*features, *row)
            for features, row in zip(
                counted.candidates.features[theirs].tolist(),
                counted.rows(BLEU)[theirs].tolist(),
                strict=True,
            )
        }
        ours = {
            (*features, *row)
            for features, row in zip(
                surface.candidates.features[begin:end].tolist(),
                surface.rows(BLEU)[begin:end].tolist(),
                strict=True,
            )
        }
        assert ours == rows


def test_runs_are_merged(shared_data: Path) -> None:
    folder = shared_data / "nbest/moses"
    runs = [folder / f"nbest.{number}.gz" for number in (1, 2, 3)]
    sizes = [len(read_material(runs[:count], [folder / "reference"]).dev) for count in (1, 2, 3)]
    assert sizes[0] <= 1000
    assert sizes[0] < sizes[1] < sizes[2] <= 3000
    merged = read_material(runs, [folder / "reference"])
    report = tune(merged.dev, [BLEU, STRICT], merged.weights, options=SearchOptions(restarts=5))
    for place, one in enumerate(report.tuned):
        assert one.dev.scores[place] > report.before.scores[place] + 20
    # The weights found for one run are those that order its list.
    single = read_material(runs[:1], [folder / "reference"])
    assert isinstance(single.dev, NBestSurface)
    weights = vector_of(single.weights, single.dev.feature_names, "weights")
    best = single.dev.best(weights[None])[0]
    firsts = single.dev.candidates.offsets[:-1]
    scores = single.dev.candidates.features @ weights
    assert scores[best] == pytest.approx(scores[firsts], abs=1e-3)


def hifst(shared_data: Path) -> Material:
    folder = shared_data / "lattices/hifst"
    return read_material(
        [folder / f"lmert.{number}.txt.gz" for number in range(1, 21)],
        [folder / "lmert.refs"],
        options=FormatOptions(boundary=("1", "2")),
        costs=True,
    )


def test_lattices_reach_the_gold_parameters(shared_data: Path) -> None:
    folder = shared_data / "lattices/hifst"
    surface = hifst(shared_data).dev
    names = surface.feature_names
    assert names == tuple(map(str, range(1, 13)))
    start, gold = (
        vector_of(read_weights(folder / name), names, name)
        for name in ("params.0", "lmert.gold-params.1-20")
    )
    before, theirs = scores_at(surface, BLEU, np.array([start, gold]))
    assert theirs > before + 5
    found = mert(surface, BLEU, start, SearchOptions(restarts=0))
    assert found.runs[0].scores[0] == pytest.approx(before)
    assert found.score >= theirs
    assert found.score == pytest.approx(outcome(surface, [BLEU], found.weights).scores[0])
    # The hypotheses are paths of the lattices, and the best ones by these weights.
    assert isinstance(surface, GraphSurface)
    chosen = surface.texts(surface.best(found.weights[None])[0].tolist())
    for graph, text in zip(surface.graphs, chosen, strict=True):
        assert graph.best(dict(zip(names, found.weights, strict=True))).text == text


def test_z_mert_example(shared_data: Path) -> None:
    folder = shared_data / "nbest/zmert"
    material = read_material(
        [folder / "cand_database.txt"], [folder / f"ref.{number}" for number in range(4)]
    )
    assert isinstance(material.dev, NBestSurface)
    assert np.diff(material.dev.candidates.offsets).tolist() == [50] * 10
    found = mert(material.dev, BLEU, [0.1, 0.2, -0.1])  # params.txt
    # Three features: no point of a fine net over all of them is better.
    net = np.array([point for point in product(np.linspace(-1, 1, 21), repeat=3) if any(point)])
    assert found.score >= scores_at(material.dev, BLEU, net).max() > found.runs[0].scores[0]


def test_joshua_lists_by_many_metrics(shared_data: Path) -> None:
    folder = shared_data / "nbest/joshua-bn-en"
    material = read_material(
        [folder / "output.gold"], [folder / f"reference.en.{number}" for number in range(4)]
    )
    options = SearchOptions(restarts=0, patience=1)
    for spec in ("bleu-sbp[tokenizer=none]", "ter", "grr[tokenizer=none]", "chrf", "nist"):
        metric = parse_metric(spec)
        report = tune(material.dev, [metric], material.weights, options=options)
        gain = report.tuned[0].dev.scores[0] - report.before.scores[0]
        assert gain * (1 if metric.higher_is_better else -1) > 0.1, spec


def test_moses_forest(shared_data: Path) -> None:
    folder = shared_data / "forests/moses/denseonly"
    (forest,) = read_forests(folder / "data/hg.gz")
    weights = read_weights(folder / "data/dense.weights")
    surface = GraphSurface([forest], ["the EU matters , but also national matters"])
    given = vector_of(weights, surface.feature_names, "weights")
    (number,) = surface.best(given[None])[0]
    truth = (folder / "truth/results.txt").read_text(encoding="utf-8").splitlines()
    expected = next(line for line in truth if "<s>" in line).partition("=")[2]
    assert surface.texts([number])[0].split() == expected.split()[1:-1]
    found = mert(surface, BLEU, given, SearchOptions(restarts=0, patience=1))
    assert found.score > found.runs[0].scores[0]


def test_forests_of_a_real_grammar(shared_data: Path) -> None:
    forests = joshua_forests(shared_data, 10)
    assert max(forest.arity for forest in forests) == 2
    folder = shared_data / "nbest/joshua-bn-en"
    references = read_references([folder / f"reference.en.{number}" for number in range(4)])[:10]
    surface = GraphSurface(forests, references)
    start = np.ones(len(surface.feature_names))
    found = mert(surface, BLEU, start, SearchOptions(restarts=0, patience=2))
    assert found.score > found.runs[0].scores[0] + 1
    chosen = surface.texts(surface.best(found.weights[None])[0].tolist())
    weights = dict(zip(surface.feature_names, found.weights.tolist(), strict=True))
    for forest, text in zip(forests, chosen, strict=True):
        best = forest.best(weights)
        # Several derivations may score the same: then the text of one is as good as another's.
        said = next(one for one in forest.ranked(weights) if one.text == text)
        assert said.score == pytest.approx(best.score)


def pages() -> list[tuple[str, str]]:
    """(command, output) of the page's examples on this data."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n([^`]*?\$DATA[^`]*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    return [(command.replace("\\\n", " "), output) for command, output in blocks]


def expanded(word: str) -> list[str]:
    """{a,b} and {1..20} as a shell reads them."""
    match = re.search(r"\{(?:(\d+)\.\.(\d+)|([^{}]*,[^{}]*))\}", word)
    if match is None:
        return [word]
    low, high, listed = match.groups()
    parts = listed.split(",") if listed else map(str, range(int(low), int(high) + 1))
    return [f"{word[: match.start()]}{part}{word[match.end() :]}" for part in parts]


@pytest.mark.parametrize("number", range(6))
def test_the_page_shows_what_is_printed(
    shared_data: Path,
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert len(pages()) == 6
    monkeypatch.chdir(tmp_path)
    labels = ["one", "other", "other", "one"] * 25  # what the page's awk writes
    Path("genres.tsv").write_text("".join(f"{one}\td\n" for one in labels), encoding="utf-8")
    command, shown = pages()[number]
    words = shlex.split(command.replace("$DATA", str(shared_data)))
    assert words[0] == "tertium"
    printed = output(capsys, *[one for word in words[1:] for one in expanded(word)])
    rest = "segments by genre" if "--documents" in words else "weight of "
    assert printed.startswith(f"{shown}\n{rest}")


def test_the_page_says_what_the_gold_parameters_score(shared_data: Path) -> None:
    surface = hifst(shared_data).dev
    gold = read_weights(shared_data / "lattices/hifst/lmert.gold-params.1-20")
    (value,) = scores_at(
        surface, BLEU, vector_of(gold, surface.feature_names, "weights")[np.newaxis]
    )
    assert f"weights that give BLEU {value:.2f} on the same lattices" in PAGE.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("algorithm", ["mira", "perceptron", "pro"])
def test_training_improves_real_lists_and_lattices(shared_data: Path, algorithm: str) -> None:
    options = TrainingOptions(algorithm=algorithm, epochs=4)  # type: ignore[arg-type]
    folder = shared_data / "nbest/moses"
    lists = read_material([folder / f"nbest.{n}.gz" for n in (1, 2, 3)], [folder / "reference"])
    zmert = shared_data / "nbest/zmert"
    toy = read_material([zmert / "cand_database.txt"], [zmert / f"ref.{n}" for n in range(4)])
    wrong = dict.fromkeys(toy.weights, -1.0)  # its own can hardly be improved
    parameters = read_weights(shared_data / "lattices/hifst/params.0")
    for surface, start, metric in (
        (lists.dev, lists.weights, BLEU),
        (toy.dev, wrong, BLEU),
        (hifst(shared_data).dev, parameters, GRR),
    ):
        given = vector_of(start, surface.feature_names, "weights")
        found = train(surface, metric, given, options)
        assert found.score > found.epochs[0].score + 0.2
        assert found.best > 0
