"""Files of utilities: written and read one segment at a time, by whoever made them."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tertium.decode import NBest, SavedMatrices, mbr
from tertium.decode.mbr.matrix_files import MATRIX_TYPES, MatrixWriter, save_matrices
from tertium.errors import InputError, OptionError
from tests.support.commands import error, output

SAMPLES = (
    '{"hypotheses": ["the cat sat", "a cat sat", "dogs"], "logprobs": [-1, -2, -3]}\n'
    '{"hypotheses": ["x y", "x z"], "logprobs": [-1, -1]}\n'
)


@pytest.fixture
def samples(tmp_path: Path) -> str:
    path = tmp_path / "samples.jsonl"
    path.write_text(SAMPLES, encoding="utf-8")
    return str(path)


def test_a_segment_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "utilities.npz"
    lists = [NBest(segment=number, hypotheses=("a b", f"c {number}")) for number in range(3)]
    with MatrixWriter(path) as writer:
        for one in lists:
            writer.add(mbr(one, "chrf", keep_matrix=True))
            assert writer.draft.exists()
            assert not path.exists()
    assert not writer.draft.exists()
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        place = archive.getinfo("1.matrix.npy").header_offset
    data[place + 80 : place + 100] = bytes(20)
    path.write_bytes(data)
    saved = SavedMatrices(path)
    assert list(saved) == [0, 1, 2]
    for number in (0, 2):
        own = mbr(lists[number], "chrf", keep_matrix=True).matrix
        assert own is not None
        assert saved[number].tolist() == own.tolist()
    with pytest.raises(InputError, match=r"utilities\.npz: .*expected utility matrices"):
        saved[1]


def test_long_texts_do_not_pad_short_ones(tmp_path: Path) -> None:
    texts = ["a" * 50_000, *(f"b{number}" for number in range(200))]
    path = tmp_path / "long.npz"
    matrix = np.zeros((201, 201))
    choice = mbr(texts, "chrf", matrix=matrix)
    object.__setattr__(choice, "matrix", matrix)
    save_matrices(path, [choice])
    with zipfile.ZipFile(path) as archive:
        assert archive.getinfo("0.candidates.npy").file_size < 60_000
    SavedMatrices(path).check(0, tuple(texts), tuple(texts))
    with pytest.raises(InputError, match="found references other than"):
        SavedMatrices(path).check(0, tuple(texts), (*texts[1:], "c"))


@pytest.mark.parametrize("kind", [*MATRIX_TYPES, "int8", "longdouble"])
def test_any_type_of_number(
    kind: str, samples: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "utilities.npz")
    if kind in MATRIX_TYPES:
        output(capsys, "mbr", samples, "--save-matrix", path, "--matrix-type", kind)
        assert np.load(path)["0.matrix"].dtype == kind
    else:
        arrays = {"0.matrix": np.eye(3, dtype=kind), "1.matrix": np.eye(2, dtype=kind)}
        np.savez(path, **arrays)  # type: ignore[arg-type]
    words = ["mbr", samples, "--load-matrix", path, "-f", "json"]
    found = json.loads(output(capsys, *words))
    own = json.loads(output(capsys, "mbr", samples, "-f", "json"))
    assert [one["text"] for one in found["segments"]] == ["the cat sat", "x y"]
    if kind in MATRIX_TYPES:
        tolerance = {"float64": 0, "float32": 1e-6, "float16": 1e-3}[kind]
        for one, other in zip(found["segments"], own["segments"], strict=True):
            assert one["expected"] == pytest.approx(other["expected"], rel=tolerance)


def test_results_are_called_what_the_file_says(
    samples: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "utilities.npz")
    words = ["mbr", samples, "--load-matrix", path, "-f", "json"]
    output(capsys, "mbr", samples, "--utility", "ter", "--save-matrix", path)
    found = json.loads(output(capsys, *words))
    assert found["utility"] == "ter"
    assert found["segments"][0]["text"] == "the cat sat"
    assert "found utility ter, expected bleu" in error(capsys, *words, "--utility", "bleu")
    matrices = {"0.matrix": np.diag([0.0, 0.0, 9.0]), "1.matrix": np.eye(2)}
    np.savez(path, utility=np.array("comet-22"), **matrices)  # type: ignore[arg-type]
    found = json.loads(output(capsys, *words))
    assert found["utility"] == "comet-22"
    assert found["segments"][0]["text"] == "dogs"
    np.savez(path, higher_is_better=np.array(False), **matrices)  # type: ignore[arg-type]
    found = json.loads(output(capsys, *words))
    assert found["utility"] == "utilities of utilities.npz"
    assert found["segments"][0]["text"] == "the cat sat"
    np.savez(path, **matrices)  # type: ignore[arg-type]
    assert json.loads(output(capsys, *words, "--utility", "wer"))["utility"] == "wer"


def test_json_has_the_expected_utility_of_each_candidate(
    samples: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = json.loads(output(capsys, "mbr", samples, "--utility", "chrf", "-f", "json"))
    for one, line in zip(found["segments"], SAMPLES.splitlines(), strict=True):
        given = json.loads(line)
        choice = mbr(given["hypotheses"], "chrf", scores=given["logprobs"])
        assert one["utilities"] == [
            {"text": text, "expected": pytest.approx(value)}
            for text, value in zip(choice.candidates, choice.expected, strict=True)
        ]
    pruned = json.loads(
        output(capsys, "mbr", samples, "--utility", "chrf", "-f", "json", "--prune")
    )
    best = [max(row["expected"] or 0 for row in one["utilities"]) for one in pruned["segments"]]
    assert best == [pytest.approx(one["expected"]) for one in found["segments"]]


def test_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    choice = mbr(["a"], "chrf", keep_matrix=True)
    with pytest.raises(OptionError, match="found type float8, expected one of float64"):
        save_matrices(path, [choice], type="float8")
    with pytest.raises(InputError, match="segment 0: found it twice"):
        save_matrices(path, [choice, choice])
    with pytest.raises(OptionError, match="expected keep_matrix=True"):
        save_matrices(path, [mbr(["a"], "chrf")])
    assert not list(tmp_path.iterdir())
    np.savez(path, other=np.zeros(2))
    with pytest.raises(InputError, match=r"found no array such as 0\.matrix"):
        SavedMatrices(path)
    for bad in (np.zeros(3), np.array([["a"]])):
        np.savez(path, **{"0.matrix": bad})  # type: ignore[arg-type]
        with pytest.raises(InputError, match="expected rows and columns of numbers"):
            SavedMatrices(path)[0]
    np.savez(path, **{"0.matrix": np.eye(1), "0.candidates": np.arange(3)})  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no JSON list"):
        SavedMatrices(path).check(0, ("a",), ("a",))
