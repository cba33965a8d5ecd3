"""CoNLL-U files cut into segments."""

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.text.input_files import open_inputs
from tests.support.reading import hypotheses, joined, references, written

A, B, C = ("1\t" + letter * 2 + "\t_" * 8 for letter in "abc")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("\n\n", []),
        (A, [A]),
        (f"{A}\n", [A]),
        (f"{A}\n\n{B}\n\n", [A, B]),
        (f"\n{A}\n\n\n \n{B}", [A, B]),
        (f"\ufeff# x = 1\r\n{A}\r\n\r\n{B}\r\n", [f"# x = 1\n{A}", B]),
        # a block of comments is an empty segment
        (f"{A}\n\n# nothing\n\n{B}\n", [A, "# nothing", B]),
        # several sentences in a segment
        (
            f"# segment = 1\n{A}\n\n{B}\n\n# segment = 2\n{C}\n",
            [f"# segment = 1\n{A}\n\n{B}", f"# segment = 2\n{C}"],
        ),
        (
            f"# x\n#segment=1\n{A}\n\n# segment = 1\n{B}\n\n# segment = 2 \n",
            [f"# x\n#segment=1\n{A}\n\n# segment = 1\n{B}", "# segment = 2 "],
        ),
    ],
)
def test_segments(tmp_path: Path, content: str, expected: list[str]) -> None:
    plain = written(tmp_path / "a.conllu", content)
    packed = written(tmp_path / "b.conllu.gz", gzip.compress(content.encode()))
    inputs = open_inputs([plain, packed], [packed], source=plain)
    chunk = inputs.load()
    assert references(chunk) == [expected, expected]
    assert hypotheses(chunk) == [expected]
    assert chunk.corpus.sources is not None
    assert chunk.corpus.sources.to_list() == expected
    assert inputs.system_names == ("b",)


@settings(deadline=None)  # files
@given(st.lists(st.lists(st.sampled_from([A, B, C]), max_size=3), min_size=1, max_size=6))
def test_numbered_segments_come_back_in_pieces(
    tmp_path_factory: pytest.TempPathFactory, segments: list[list[str]]
) -> None:
    texts = [
        "\n\n".join([f"# segment = {number}", *sentences])
        for number, sentences in enumerate(segments, 1)
    ]
    path = written(tmp_path_factory.mktemp("conllu") / "a.conllu", "\n\n".join(texts))
    inputs = open_inputs([path], [path])
    for size in (1, 2, 100):
        assert joined(inputs, size)["references"] == [texts]


def test_standard_input_and_the_format_by_name(tmp_path: Path) -> None:
    path = written(tmp_path / "parsed", f"{A}\n\n{B}\n")
    stdin = io.BytesIO(f"{B}\n\n{C}\n".encode())
    chunk = open_inputs([path], ["-"], format="conllu", stdin=stdin).load()
    assert (references(chunk), hypotheses(chunk)) == ([[A, B]], [[B, C]])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"# segment = 2\n{A}\n", ":1: found segment '2', expected 1"),
        (
            f"# segment = 1\n{A}\n\n# x\n# segment = 3\n{B}\n",
            ":4: found segment '3', expected 1 or 2",
        ),
        (f"# segment = 1\n\n# segment =\n{A}\n", ":3: found segment '', expected 1 or 2"),
        (
            f"{A}\n\n# segment = 2\n{B}\n",
            ":3: found '# segment = 2' after sentences without, expected it from the first on",
        ),
    ],
)
def test_wrong_numbers(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "a.conllu", content)
    with pytest.raises(InputError) as error:
        open_inputs([path], [path])
    assert str(error.value) == f"{path}{message}"


def test_different_numbers_of_segments(tmp_path: Path) -> None:
    one = written(tmp_path / "one.conllu", A)
    two = written(tmp_path / "two.conllu", f"{A}\n\n{B}")
    with pytest.raises(InputError, match=r"one\.conllu: 1 segment, expected 2 \(reference"):
        open_inputs([two], [one]).load()


def test_tabs_do_not_part_references(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conllu", A)
    with pytest.raises(OptionError, match="num_refs: 2 with 1 reference files"):
        open_inputs([path], [path], num_refs=2)
