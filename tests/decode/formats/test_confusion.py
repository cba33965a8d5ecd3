"""Confusion networks of Moses and SRILM: read, written, converted, refused."""

from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.decode import Lattice
from tertium.decode.formats.detection import format_of_name, guessed_format
from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.table import format_named
from tertium.errors import InputError
from tests.support.commands import error, output
from tests.support.decode_files import file_of, paths, read_text, written

COLUMNS = "Haus 0.1 aus 0.4 EPSILON 0.5\nder 0.9 EPSILON 0.1\n\nZeitung 1\n\n"
MESH = """\
numaligns 2
posterior 1
align 0 Haus 0.1 aus 0.4 *DELETE* 0.5
align 1 der 0.9 *DELETE* 0.1
numaligns 1
posterior 1
align 0 Zeitung 1
"""


@pytest.mark.parametrize(("name", "text"), [("confusion", COLUMNS), ("mesh", MESH)])
def test_both_layouts_tell_the_same(name: str, text: str) -> None:
    assert guessed_format(file_of(text)) == name
    first, second = read_text(text, name)
    assert (first.nodes, first.arcs, first.feature_names) == (3, 5, ("score",))
    assert dict(paths(first))["aus der"] == pytest.approx(log(0.4 * 0.9))
    assert first.best().text == "der"
    assert [path.text for path in second.paths()] == ["Zeitung"]
    assert written([first, second], name) == text
    other = {"confusion": ("mesh", MESH), "mesh": ("confusion", COLUMNS)}[name]
    assert written([first, second], other[0]) == other[1]


def test_lines_of_a_mesh_that_are_about_words_are_passed_over() -> None:
    text = (
        "name utterance-7\nnumaligns 2\nposterior 1\nalign 1 b 1\nreference 1 b\n"
        "align 0 a 0.6 c 0.4\ninfo 0 a 0.1 0.2 0 0 x 1\nhyps 0 a 0\n"
    )
    assert guessed_format(file_of(text)) == "mesh"
    (found,) = read_text(text, "mesh")
    assert sorted(path.text for path in found.paths()) == ["a b", "c b"]


def test_names_tell_the_format() -> None:
    assert (format_of_name("dev.cn.gz"), format_of_name("dev.mesh")) == ("confusion", "mesh")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("confusion", "a 0.5 b\n", "line 1: found 3 parts, expected words and probabilities"),
        ("confusion", "a 0.5\nb x\n", "line 2: word 'b': found 'x', expected a finite number"),
        ("confusion", "a 1.5\n", "line 1: word 'a': found 1.5, expected a probability from 0 to 1"),
        ("confusion", "a -0.5\n", "expected a probability from 0 to 1"),
        ("mesh", "numaligns 2\nalign 0 a 1\n", "found 1 aligns, expected align 0 to 1"),
        ("mesh", "align 0 a 1\n", "found 1 aligns, expected numaligns"),
        ("mesh", "numaligns 1\nalign 0 a 1\nalign 0 b 1\n", "line 3: found align 0 twice"),
        ("mesh", "numaligns 1\nalign x a 1\n", "line 2: align: found 'x', expected a whole number"),
        ("mesh", "numaligns 1\nalign\n", "line 2: align: found '', expected a whole number"),
        ("mesh", "numaligns 1\nalign 0\n", "line 2: found 0 parts, expected words and probab"),
        ("mesh", "numaligns 1\naligned 0 a 1\n", "line 2: found 'aligned', expected numaligns"),
    ],
)
def test_damaged_networks_are_named_or_left_out_whole(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text, name)
    assert message in str(caught.value)
    good = {"confusion": "\ngood 1\n", "mesh": "numaligns 1\nalign 0 good 1\n"}[name]
    damages = Damages(skip=True)
    found = list(format_named(name).read(file_of(f"{text}\n{good}"), damages))
    assert [path.text for lattice in found for path in lattice.paths()] == ["good"]
    assert damages.count == 1


@pytest.mark.parametrize(
    ("lattice", "message"),
    [
        (
            Lattice.build([(0, 1, "a", -1.0), (1, 2, "b", -1.0), (0, 2, "c", -1.0)]),
            "an arc from node 0 to node 2",
        ),
        (Lattice.build([(0, 1, "a", 0.5)]), "the score 0.5, which is no logarithm"),
        (Lattice.build([(0, 1, "a", (-1.0, -2.0))]), "2 features on an arc"),
        (Lattice.build([(0, 1, "a b", -1.0)]), "the word 'a b'"),
    ],
)
def test_what_is_no_network_cannot_be_written(lattice: Lattice, message: str) -> None:
    for name in ("confusion", "mesh"):
        assert message in " ".join(format_named(name).obstacles(lattice))


def test_words_of_the_layout_cannot_be_words() -> None:
    (network,) = read_text("*DELETE* 1\n", "confusion")
    assert not format_named("confusion").obstacles(network)
    assert "the word '*DELETE*'" in format_named("mesh").obstacles(network)


words = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=4)
columns = st.lists(
    st.dictionaries(words, st.sampled_from([0.0, 0.001, 0.1, 0.25, 1 / 3, 1.0]), min_size=1),
    min_size=1,
    max_size=4,
)


@given(st.lists(columns, min_size=1, max_size=3), st.sampled_from(["confusion", "mesh"]))
def test_what_is_written_is_read_again(networks: list[list[dict[str, float]]], name: str) -> None:
    text = "".join(
        "".join(
            " ".join(f"{word} {value!r}" for word, value in column.items()) + "\n"
            for column in network
        )
        + "\n"
        for network in networks
    )
    found = read_text(text, "confusion")
    if any(format_named(name).obstacles(one) for one in found):
        return
    again = read_text(written(found, name), name)
    assert len(again) == len(networks)
    for one, other in zip(found, again, strict=True):
        assert one.words == other.words
        assert one.features == pytest.approx(other.features)


def test_commands_take_networks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    network, reference = tmp_path / "dev.cn", tmp_path / "ref"
    network.write_text(COLUMNS, encoding="utf-8")
    reference.write_text("aus der\nZeitung\n", encoding="utf-8")
    assert output(capsys, "convert", str(network), "--to", "mesh") == MESH
    assert output(capsys, "oracle", str(network), str(reference), "-f", "lines") == (
        "aus der\nZeitung\n"
    )
    assert "cannot hold an arc from node 0 to node 2" in error(
        capsys, "convert", str(_plf(tmp_path)), "--to", "confusion"
    )


def _plf(folder: Path) -> Path:
    path = folder / "dev.plf"
    path.write_text("((('ein',-0.2,1),('haus',-0.5,2),),(('haus',0,1),),)\n")
    return path
