"""From files to what is tuned on: lists, lattices, forests and Moses' statistics."""

from pathlib import Path

import numpy as np
import pytest

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.table import FormatOptions
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.ngram.bleu import Bleu
from tertium.text.tokenizers import Tokenizer
from tertium.tune import GraphSurface, NBestSurface, read_material, read_references, read_statistics
from tertium.tune.material import model_weights
from tests.support.decoding.tuning import FEATURES, SCORES, written

BLEU = Bleu(tokenizer=Tokenizer.parse("none"))
FIRST = """\
0 ||| a b ||| lm= -2 tm= 1 0 ||| -1
0 ||| a ||| lm= -1 tm= 0 1 ||| -1.5
1 ||| c ||| lm= -3 tm= 1 1 ||| -3.5
2 ||| d ||| lm= -1 tm= 0 0 ||| -1
"""
SECOND = """\
0 ||| a b ||| lm= -2 tm= 1 0 ||| 5
0 ||| b ||| lm= 0 tm= 1 0 ||| 1
1 ||| c c ||| lm= -2 tm= 0 2 ||| 8
2 ||| e ||| lm= -1 tm= 1 2 ||| 7
"""
LATTICES = """\
0 1 a a 1:0.5 2:1
0 1 b b 1:1.5
1

0 1 c c 2:1
1
"""


def test_lists_of_several_runs(tmp_path: Path) -> None:
    paths = written(tmp_path, first=FIRST, second=SECOND, one="a b\nc\nd\n", two="a\nc c\ne\n")
    material = read_material([paths["first"], paths["second"]], [paths["one"], paths["two"]])
    assert isinstance(material.dev, NBestSurface)
    assert material.held_out is None
    assert material.dev.feature_names == ("lm", "tm_1", "tm_2")
    assert material.dev.candidates.texts == ("a b", "a", "b", "c", "c c", "d", "e")
    assert material.dev.references == [["a b", "a"], ["c", "c c"], ["d", "e"]]
    # 5, 1, 8, 7 = features · (-2, 1, 2) in the last file; the first had (1, 1, -0.5)
    assert material.weights == pytest.approx({"lm": -2, "tm_1": 1, "tm_2": 2})


def test_every_second_segment_can_be_held_out(tmp_path: Path) -> None:
    paths = written(tmp_path, first=FIRST, one="a b\nc\nd\n")
    material = read_material([paths["first"]], [paths["one"]], hold_out=2)
    assert isinstance(material.dev, NBestSurface)
    assert isinstance(material.held_out, NBestSurface)
    assert material.dev.candidates.texts == ("a b", "a", "d")
    assert material.held_out.candidates.texts == ("c",)
    assert (material.dev.references, material.held_out.references) == ([["a b"], ["d"]], [["c"]])
    with pytest.raises(OptionError, match="hold out: found every 4th of 3 segments"):
        read_material([paths["first"]], [paths["one"]], hold_out=4)


def test_references_inside_the_lists(tmp_path: Path) -> None:
    line = '{"id": 0, "references": ["a b"], "hypotheses": ["a", "b"], "features": %s}\n'
    paths = written(tmp_path, lists=line % '{"x": [1, 2]}', none=FIRST)
    material = read_material([paths["lists"]])
    assert material.dev.references == [["a b"]]
    assert material.weights == {"x": 1.0}
    with pytest.raises(InputError, match="none: segment 0: found no reference, expected a file of"):
        read_material([paths["none"]])


def test_lattices(tmp_path: Path) -> None:
    paths = written(tmp_path, graphs=LATTICES, refs="a\nc\n")
    material = read_material([paths["graphs"]], [paths["refs"]])
    assert isinstance(material.dev, GraphSurface)
    assert material.weights == {"1": -1.0, "2": -1.0}
    costs = read_material([paths["graphs"]], [paths["refs"]], costs=True)
    assert costs.weights == {"1": 1.0, "2": 1.0}
    # a costs 0.5 · w₁ + w₂, b costs 1.5 · w₁
    for weights, cheapest in (([1.0, 2.0], "b"), ([2.0, 1.0], "a")):
        for surface, sign in ((material.dev, -1), (costs.dev, 1)):
            numbers = surface.best(sign * np.array([weights]))[0]
            assert surface.texts(numbers.tolist()) == [cheapest, "c"]
    with pytest.raises(OptionError, match="references: found none, expected a file of references"):
        read_material([paths["graphs"]])


def test_boundaries_are_left_out(tmp_path: Path) -> None:
    paths = written(tmp_path, graph="0 1 1 1\n1 2 7 7\n2 3 2 2\n3\n", refs="7\n")
    options = FormatOptions(boundary=("1", "2"))
    with pytest.raises(InputError, match="features: found none"):
        read_material([paths["graph"]], [paths["refs"]], options=options)
    paths = written(tmp_path, graph="0 1 1 1 0.5\n1 2 7 7 1\n2 3 2 2 1\n3\n", refs="7\n")
    surface = read_material([paths["graph"]], [paths["refs"]], options=options).dev
    assert surface.texts(surface.best(np.array([[-1.0]]))[0].tolist()) == ["7"]


@pytest.mark.parametrize(
    ("files", "refs", "message"),
    [
        ({"a": FIRST}, "a\nb\n", r"a: found segment 2, expected segments 0 to 1 \(references\)"),
        (
            {"a": FIRST},
            "a\n" * 4,
            r"a: found no hypothesis for segment 3, expected segments 0 to 3",
        ),
        ({"a": LATTICES}, "a\n", r"a: 2 graphs in all, expected 1 \(references\)"),
        ({"a": FIRST, "b": LATTICES}, "a\n", "b: found n-best lists beside lattices"),
        ({"a": FIRST.replace("-3.5", "nan")}, "a\n", "a: line 3: found 'nan', expected a finite"),
        ({"a": FIRST.replace("tm= 1 1", "tm= 1")}, "a\n", r"a: line 3: found features lm \(1\)"),
        ({"a": FIRST}, "", "refs: 0 segments, expected at least one"),
    ],
)
def test_what_does_not_fit_is_an_error_with_its_place(
    tmp_path: Path, files: dict[str, str], refs: str, message: str
) -> None:
    paths = written(tmp_path, **files)
    references = written(tmp_path, refs=refs)["refs"]
    with pytest.raises(InputError, match=message):
        read_material(list(paths.values()), [references])


def test_damaged_lines_can_be_skipped(tmp_path: Path) -> None:
    paths = written(tmp_path, a=FIRST + "2 ||| x ||| lm= what\n", refs="a\nb\nc\n")
    damages = Damages(skip=True)
    surface = read_material([paths["a"]], [paths["refs"]], damages=damages).dev
    assert (len(surface), damages.count) == (4, 1)


def test_what_was_damaged_as_a_whole_is_left_out(tmp_path: Path) -> None:
    """The others keep their references and their part: every second segment is still held out."""
    lists = FIRST.replace("1 ||| c ||| lm= -3", "1 ||| c ||| lm= x")
    lists += "3 ||| f ||| lm= 0 tm= 1 1 ||| 0.5\n"
    paths = written(tmp_path, lists=lists, refs="a\nb\nc\nf\n")
    damages = Damages(skip=True)
    material = read_material([paths["lists"]], [paths["refs"]], hold_out=2, damages=damages)
    assert (material.dev_segments, material.held_out_segments) == ((0, 2), (3,))
    assert material.dev.references == [["a"], ["c"]]
    assert (material.segments, damages.count) == (4, 1)
    # Damages may be those of several reads: the numbers of lattices are counted anew.
    some = written(tmp_path, some=LATTICES.replace("0 1 b b 1:1.5", "0 x") + "\n" + LATTICES)[
        "some"
    ]
    material = read_material([some], [paths["refs"]], damages=damages)
    assert material.dev_segments == (1, 2, 3)
    assert material.dev.references == [["b"], ["c"], ["f"]]
    assert damages.count == 2
    with pytest.raises(InputError, match="lists: line 3"):
        read_material([paths["lists"]], [paths["refs"]])
    fewer = written(tmp_path, fewer="a\nb\nc\n")["fewer"]
    with pytest.raises(InputError, match=r"some: 4 graphs in all, expected 3 \(references\)"):
        read_material([some], [fewer], damages=damages)
    with pytest.raises(InputError, match=r"found nothing.*\(the first of 1 damaged: .*line 1"):
        read_material(
            [written(tmp_path, bad="0 x\n")["bad"]], [fewer], format="openfst", damages=damages
        )


def test_references_inside_lists_of_which_some_are_damaged(tmp_path: Path) -> None:
    line = '{"id": %d, "references": ["a"], "hypotheses": ["a", "b"], "features": {"x": [1, 2]}}\n'
    paths = written(tmp_path, lists=line % 0 + '{"id": 1, "hyp\n' + line % 2)
    material = read_material([paths["lists"]], damages=Damages(skip=True))
    assert (material.dev_segments, material.segments) == ((0, 2), 3)
    with pytest.raises(InputError, match="lists: line 2"):
        read_material([paths["lists"]])


def test_reference_files_of_different_lengths(tmp_path: Path) -> None:
    paths = written(tmp_path, one="a\nb\n", two="a\n")
    with pytest.raises(InputError, match=r"two: 1 segment, expected 2 \(.*one\)"):
        read_references([paths["one"], paths["two"]])


def test_model_weights_are_found_only_where_there_are_any() -> None:
    rng = np.random.default_rng(3)
    features = np.round(rng.normal(size=(20, 3)), 3)
    features[:, 2] = 0  # never varies: its weight cannot be known
    scores = np.round(features @ [0.5, -2.0, 7.0], 3)
    one = NBest(
        segment=0,
        hypotheses=tuple(map(str, range(20))),
        feature_names=("a", "b", "c"),
        features=features,
        scores=scores,
    )
    found = model_weights([one])
    assert list(found.values()) == pytest.approx([0.5, -2, 0], abs=0.01)
    strange = NBest(
        segment=0,
        hypotheses=one.hypotheses,
        feature_names=one.feature_names,
        features=features,
        scores=rng.normal(size=20),
    )
    assert model_weights([strange]) == {"a": 1.0, "b": 1.0, "c": 1.0}


def test_statistics_of_moses(tmp_path: Path) -> None:
    paths = written(tmp_path, f=FEATURES, s=SCORES)
    surface = read_statistics(paths["f"], paths["s"])
    assert surface.feature_names == ("lm", "tm")
    assert surface.candidates.offsets.tolist() == [0, 2, 3]
    assert surface.rows(BLEU).tolist() == [
        [4, 3, 2, 1, 5, 4, 3, 2, 5, 6],
        [5, 3, 2, 1, 7, 6, 5, 4, 7, 6],
        [3, 2, 1, 0, 3, 2, 1, 0, 3, 4],
    ]
    strict = parse_metric("bleu-sbp[order=2]")
    assert surface.rows(strict)[1].tolist() == [5, 3, 7, 6, 7, 6, 6]
    with pytest.raises(OptionError, match="metric 'ter': found statistics of BLEU up to 4-grams"):
        surface.bound(parse_metric("ter"))
    with pytest.raises(OptionError, match="metric 'ter'"):
        surface.rows(parse_metric("ter"))
    with pytest.raises(OptionError, match="up to 4-grams"):
        surface.bound(parse_metric("bleu[order=5]"))
    with pytest.raises(OptionError, match="statistics files: found no texts"):
        surface.texts([0])


@pytest.mark.parametrize(
    ("features", "scores", "message"),
    [
        ("", "", "s: found 0 segments, expected 1"),
        (FEATURES, SCORES.partition("SCORES_TXT_BEGIN_0 1")[0], "s: found 1 segment, expected 2"),
        (
            FEATURES,
            SCORES.replace("3 3 2 2 1 1 0 0 4", "3 3 2 2"),
            "s:5: found 1 row of 4 numbers",
        ),
        (FEATURES, SCORES.replace("BLEU", "TER"), "for TER, expected 2 rows of 9 for BLEU"),
        (FEATURES, SCORES + SCORES, "s:8: found 2 rows of 9 numbers for BLEU, expected 0 rows"),
        (FEATURES.replace("0.5 0.5", "0.5 nan"), SCORES, "f:6: found '0.5 nan', expected finite"),
        (FEATURES.replace("-2 1", "-2"), SCORES, "f:3: found '-2', expected finite numbers, 2"),
        (FEATURES.replace("1 1 2 lm tm", "1 1 1 lm"), SCORES, "f:5: found 1 feature in 2 columns"),
        (FEATURES.replace("0 0 2 2", "0 0 3 2"), SCORES, "f:1: found 2 rows, expected as many as"),
        (
            FEATURES.partition("FEATURES_TXT_END")[0],
            SCORES,
            "f:1: found no end, expected a line FEATURES_TXT_END_0",
        ),
    ],
)
def test_damaged_statistics(tmp_path: Path, features: str, scores: str, message: str) -> None:
    paths = written(tmp_path, f=features, s=scores)
    with pytest.raises(InputError, match=message):
        read_statistics(paths["f"], paths["s"])
