"""N-best lists in all the ways decoders write them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.decode import (
    Damages,
    FormatOptions,
    NBest,
    format_named,
)
from tertium.decode.formats.detection import guessed_format
from tertium.errors import InputError, OptionError
from tests.support.decode_files import file_of, read_text, written
from tests.support.lattice_strategies import numbers


@pytest.mark.parametrize(
    ("name", "text", "features", "score"),
    [
        # New Moses, with a dense feature of two values and a sparse one.
        (
            "moses",
            "0 ||| a b ||| LM0= -37.2 TM0= 1 2 W_a~b= 3 ||| -105.5",
            {"LM0": -37.2, "TM0_1": 1, "TM0_2": 2, "W_a~b": 3},
            -105.5,
        ),
        # Old Moses: colons, and no blank after the number.
        ("moses", "0||| a b ||| d: 0 -7.6 lm: -41 ||| -1", {"d_1": 0, "d_2": -7.6, "lm": -41}, -1),
        # Alignments at the end, of phrases and of words.
        ("moses", "0 ||| a b ||| lm= -1 ||| -2 ||| 0=0 1-2=1 ||| 0-0 1-1", {"lm": -1}, -2),
        # Joshua.
        ("moses", "0 ||| a b ||| lm_0=-27.1 tm_0=-0.000 ||| -2", {"lm_0": -27.1, "tm_0": 0}, -2),
        # Z-MERT: no names, no score.
        ("moses", "0 ||| a b ||| -126.8 -5.8", {"1": -126.8, "2": -5.8}, None),
        ("moses", "0 ||| a b |||  ||| -3e-2", {}, -0.03),
        ("moses", "0 ||| a b", {}, None),
        # Marian: word scores, an alignment, both, neither.
        (
            "marian",
            "0 ||| a b ||| WordScores= -1 -2 ||| F0= -3 F1= 4 ||| -5",
            {"F0": -3, "F1": 4},
            -5,
        ),
        ("marian", "0 ||| a b ||| 0-0 1-1 ||| F0= -3 ||| -5", {"F0": -3}, -5),
        ("marian", "0 ||| a b ||| 0-0:0.5 ||| WordScores= -1 ||| F0=-3 ||| -5", {"F0": -3}, -5),
        ("marian", "0 ||| a b ||| F0= -3 ||| -5", {"F0": -3}, -5),
        ("travatar", "0 ||| a b ||| -5 ||| lm=-3 tm=1e-3", {"lm": -3, "tm": 0.001}, -5),
    ],
)
def test_n_best_lines(name: str, text: str, features: dict[str, float], score: Any) -> None:
    for options in (None, FormatOptions()):
        (one,) = read_text(text + "\n", name, options)
        assert (one.segment, one.hypotheses) == (0, ("a b",))
        assert dict(zip(one.feature_names, one.features[0].tolist(), strict=True)) == features
        assert (None if one.scores is None else one.scores[0]) == score
    assert guessed_format(file_of(text)) == name or "F0= -3 ||| -5" in text


def test_fields_can_be_named() -> None:
    options = FormatOptions(fields=("id", "other", "text", "score"))
    (one,) = read_text("0 ||| x ||| a b ||| -5\n", "moses", options)
    assert (one.hypotheses, one.model_scores().tolist()) == (("a b",), [-5.0])
    (one,) = read_text("0 ||| a ||| 1 2 ||| 3\n", "marian", FormatOptions(fields=("id", "text")))
    assert (one.feature_names, one.scores) == ((), None)
    for fields in (("text",), ("id", "text", "text"), ("id", "text", "sum")):
        with pytest.raises(OptionError, match="fields: found"):
            format_named("moses", FormatOptions(fields=fields))


def test_segments_are_groups_of_lines_and_sparse_features_are_theirs() -> None:
    text = "0 ||| a ||| lm= 1 s_x= 2\n0 ||| b ||| lm= 3\n\n2 ||| c ||| lm= 4 s_y= 5\n"
    first, second = read_text(text, "moses")
    assert (first.segment, second.segment) == (0, 2)
    assert first.feature_names == ("lm", "s_x")
    assert first.features.tolist() == [[1, 2], [3, 0]]
    assert second.feature_names == ("lm", "s_y")


def test_samples() -> None:
    line = {
        "id": 7,
        "source": "s",
        "references": ["r", "q"],
        "hypotheses": ["a b", "c"],
        "logprobs": [-3.1, -4],
        "features": {"lm": [1, 2]},
    }
    text = json.dumps(line) + "\n\n" + '{"hypotheses": [], "references": "r"}\n'
    first, second = read_text(text, "samples")
    assert (first.segment, first.source, first.references) == (7, "s", ("r", "q"))
    assert first.model_scores().tolist() == [-3.1, -4.0]
    assert first.feature_names == ("logprobs", "lm")
    assert first.features.tolist() == [[-3.1, 1.0], [-4.0, 2.0]]
    assert (second.segment, second.hypotheses, second.references) == (1, (), ("r",))


def test_flat(tmp_path: Path) -> None:
    scores = tmp_path / "logprobs"
    scores.write_text("-1\n-2\n-3\n-4\n", encoding="utf-8")
    options = FormatOptions(size=2, logprobs=str(scores))
    first, second = read_text("a\n\nc\nd\n", "flat", options)
    assert first.hypotheses == ("a", "")
    assert second.model_scores().tolist() == [-3.0, -4.0]
    assert read_text("a\nb\n", "flat", FormatOptions(size=1))[1].segment == 1
    scores.write_text("-1\n-2\nx\n-4\n", encoding="utf-8")
    damages = Damages(skip=True)
    (one,) = format_named("flat", options).read(file_of("a\nb\nc\nd\n"), damages)
    assert one.hypotheses == ("a", "b")
    assert (damages.count, damages.first) == (
        1,
        f"{scores}: line 3: found 'x', expected a finite number",
    )
    with pytest.raises(InputError, match="more numbers than lines"):
        read_text("a\nb\n", "flat", options)
    scores.write_text("-1\n", encoding="utf-8")
    with pytest.raises(InputError, match="fewer numbers than lines"):
        read_text("a\nb\n", "flat", options)


@st.composite
def n_best_lists(draw: st.DrawFn, texts: st.SearchStrategy[str] | None = None) -> list[NBest]:
    found = []
    names = draw(st.sampled_from([(), ("lm",), ("d_1", "d_2", "lm"), ("1", "2"), ("s_x", "w")]))
    scored = draw(st.booleans())
    words = st.lists(st.sampled_from(["a", "b", "ü", "||", "#", "'"]), max_size=4)
    text = words.map(" ".join) if texts is None else texts
    for segment in draw(st.lists(st.integers(0, 9), unique=True, max_size=3).map(sorted)):
        hypotheses = draw(st.lists(text, min_size=1, max_size=4))
        rows = [[draw(numbers) for _ in names] for _ in hypotheses]
        found.append(
            NBest(
                segment=segment,
                hypotheses=tuple(hypotheses),
                feature_names=names,
                features=np.array(rows).reshape(len(rows), len(names)),
                scores=np.array([draw(numbers) for _ in hypotheses]) if scored else None,
            )
        )
    return found


@pytest.mark.parametrize("name", ["samples", "moses", "travatar"])
@given(lists=n_best_lists())
def test_n_best_lists_come_back(name: str, lists: list[NBest]) -> None:
    assert not any(format_named(name).obstacles(one) for one in lists)
    assert read_text(written(lists, name), name) == lists


@given(n_best_lists(st.text(st.characters(codec="utf-8"), max_size=8)))
def test_whatever_a_format_does_not_refuse_comes_back(lists: list[NBest]) -> None:
    for name in ("samples", "moses", "flat"):
        format_ = format_named(name)
        sayable = [one for one in lists if not format_.obstacles(one) and not format_.losses(one)]
        if name == "flat":
            sayable = [one for one in sayable[:1] if len(one)]
        options = FormatOptions(size=len(sayable[0])) if name == "flat" and sayable else None
        back = read_text(written(sayable, name), name, options) if sayable else []
        assert [one.hypotheses for one in back] == [one.hypotheses for one in sayable]
