"""The metric of a reference as an automaton, for programs that are not ours."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from tertium.decode.oracle.automaton import RecognitionAutomaton, automaton_dot, automaton_svg
from tertium.decode.oracle.oracles import oracle
from tertium.decode.weights import word_metric
from tertium.errors import InputError, OptionError
from tests.support.commands import error, output
from tests.support.decode_files import written
from tests.support.lattice_strategies import WORDS, random_lattice
from tests.support.places import DOCS

WRR = """\
0\t0\t<any>\t<any>\t1
0\t1\tI\tI\t-1
0\t1\t<any>\t<any>\t0
0\t1\t<eps>\t<eps>\t0
1\t1\t<any>\t<any>\t1
1\t2\tdo\tdo\t-1
1\t2\t<any>\t<any>\t0
1\t2\t<eps>\t<eps>\t0
2\t2\t<any>\t<any>\t1
2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ref").write_text("I do\na b c\n", encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_paper_s_automaton_of_wrr(capsys: pytest.CaptureFixture[str]) -> None:
    """States 0 … |r|; a match is worth 1, an insertion costs 1, all else nothing."""
    assert output(capsys, "automaton", "ref", "-m", "wrr", "--segment", "1") == WRR
    both = output(capsys, "automaton", "ref", "-m", "wrr")
    assert both.startswith(WRR + "\n0\t0\t<any>")


def test_the_paper_s_automaton_of_4_grr() -> None:
    """States (i, m); the match that follows m others is worth m + 1."""
    words = ("a", "b", "c", "d", "e")
    found = RecognitionAutomaton.of(word_metric("grr", of_words=True), " ".join(words))
    assert found.states[:4] == [(0, 0), (1, 0), (1, 1), (2, 0)]
    assert found.finals == [(5, 0), (5, 1), (5, 2), (5, 3)]
    assert found.possible == 5 + 4 + 3 + 2
    matches = {
        (move.source, move.target): move.weight for move in found.moves() if move.kind == "match"
    }
    assert matches[(0, 0), (1, 1)] == 1
    assert matches[(3, 3), (4, 3)] == 4
    others = {(move.kind, move.target[1], move.weight) for move in found.moves()}
    assert {one for one in others if one[0] != "match"} == {
        ("insertion", 0, -1.0),
        ("substitution", 0, 0.0),
        ("deletion", 0, 0.0),
    }


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "spec", ["wrr", "grr", "grr[k=2]", "grr[k=3,alpha=-0.9,beta=1]", "grr[alpha=0.5,beta=0.25]"]
)
def test_composition_outside_gives_the_oracle(
    spec: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both as text with one table, compiled, composed and searched by OpenFst."""
    library = pytest.importorskip("kaldifst", reason="the extra 'fst' is not installed")
    rng = np.random.default_rng(7)
    for _ in range(12):
        lattice = random_lattice(rng, nodes=int(rng.integers(2, 9)), arcs=16, empty=0.2)
        reference = " ".join(str(word) for word in rng.choice([*WORDS, "new"], rng.integers(1, 8)))
        Path("ref").write_text(reference + "\n", encoding="utf-8")
        silent = lattice.with_weights([0.0, 0.0])
        Path("lattice").write_text(written([silent], "openfst"), encoding="utf-8")
        words = ["automaton", "ref", "-m", spec, "--words", "lattice", "--cost-points"]
        text = output(capsys, *words, "--save-symbols", "words.txt")
        numbers = {}
        for line in Path("words.txt").read_text(encoding="utf-8").splitlines():
            word, number = line.split("\t")
            numbers[word] = int(number)
        metric = compiled(library, text, numbers)
        plain = "".join(
            f"{source}\t{target}\t{word or '<eps>'}\t{word or '<eps>'}\n"
            for source, target, word in zip(
                lattice.sources, lattice.targets, lattice.words, strict=True
            )
        )
        paths = compiled(library, f"{plain}{lattice.nodes - 1}\n", numbers)
        library.arcsort(paths, sort_type="olabel")
        library.arcsort(metric, sort_type="ilabel")
        score = -cost(library, library.shortest_path(library.compose(paths, metric)))
        assert score == pytest.approx(oracle(lattice, reference, spec).best.score, abs=1e-3)


def compiled(library: Any, text: str, numbers: dict[str, int]) -> Any:
    """With numbers for words, so that the table's own class need not be trusted."""
    lines = []
    for line in text.splitlines():
        source, *rest = line.split("\t")
        if len(rest) >= 3:
            target, first, second, *more = rest
            rest = [target, str(numbers[first]), str(numbers[second]), *more]
        lines.append("\t".join([source, *rest]))
    return library.compile("\n".join(lines) + "\n")


def cost(library: Any, path: Any) -> float:
    state, total = path.start, 0.0
    while arcs := list(library.ArcIterator(path, state)):
        total += arcs[0].weight.value
        state = arcs[0].nextstate
    return float(total + path.final(state).value)


@pytest.mark.usefixtures("folder")
def test_drawings(capsys: pytest.CaptureFixture[str]) -> None:
    automaton = RecognitionAutomaton(words=("I", "<&>", "do"), k=3, alpha=1.0, beta=0.5)
    picture = ET.fromstring(automaton_svg(automaton))  # noqa: S314 (our own)
    texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"0,0", "3,2", "I / +1", "<&> / +2", "do / +3", "⋆ / −1", "ε / −0.5"} <= set(texts)
    circles = list(picture.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == len(automaton.states) + len(automaton.finals)
    assert '"0,0" -> "1,1" [label="I / +1"' in automaton_dot(automaton)
    assert output(capsys, "automaton", "ref", "--segment", "2", "-o", "x.svg") == ""
    assert Path("x.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "digraph automaton" in output(capsys, "automaton", "ref", "--segment", "2", "-f", "dot")


@pytest.mark.parametrize("name", ["wrr", "grr"])
def test_the_drawings_of_the_page(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = DOCS / "images" / f"automaton-{name}.svg"
    (tmp_path / "ref").write_text("I always do\n", encoding="utf-8")
    spec = "wrr" if name == "wrr" else "grr[k=3]"
    words = ["automaton", str(tmp_path / "ref"), "-m", spec, "-o", str(tmp_path / "x.svg")]
    assert output(capsys, *words) == ""
    assert (tmp_path / "x.svg").read_bytes() == place.read_bytes()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-m bleu", "automaton: found metric bleu[tokenizer=none], expected grr or wrr"),
        ("-f svg", "-f svg: found 2 segments, expected --segment N"),
        ("--segment 9", "ref: found no such line, expected segment 9"),
        (
            "-f dot --segment 1 --cost-points",
            "--cost-points, --save-symbols: found -f dot, expected openfst",
        ),
        ("--words nowhere", "nowhere"),
    ],
)
def test_mistakes(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert message in error(capsys, "automaton", "ref", *words.split())


def test_words_that_are_no_labels() -> None:
    with pytest.raises(InputError, match="found the word '<eps>'"):
        RecognitionAutomaton(words=("<eps>",), k=1, alpha=1.0, beta=0.0)
    with pytest.raises(InputError, match="without a word, expected words to give points for"):
        RecognitionAutomaton(words=(), k=1, alpha=1.0, beta=0.0).to_openfst(points=True)
    with pytest.raises(OptionError, match="expected grr or wrr"):
        RecognitionAutomaton.of(word_metric("wer", of_words=True), "a")
