"""Quotes of TSV: those that Excel and pandas put around cells, and those that are text."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.text.input_files import open_inputs
from tests.support.commands import error, json_output
from tests.support.effort import examples
from tests.support.reading import hypotheses, references, written

pandas = pytest.importorskip("pandas")

TEXTS = ['She said "yes".', '"No," he said.', "A tab\there.", "Two\nlines.", "", '"', '""', "plain"]


def read(path: Path, quoting: str = "auto") -> tuple[list[str | None], list[str | None]]:
    chunk = open_inputs([path], quoting=quoting).load()
    return references(chunk)[0], hypotheses(chunk)[0]


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
def test_tsv_of_pandas_is_unquoted(tmp_path: Path, quoting: int, *, index: bool) -> None:
    frame = pandas.DataFrame({"reference": TEXTS, "hypothesis": TEXTS[::-1], "number": 1.5})
    frame.to_csv(tmp_path / "a.tsv", sep="\t", quoting=quoting, index=index)
    assert read(tmp_path / "a.tsv") == (TEXTS, TEXTS[::-1])


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_tsv_of_excel_is_unquoted(tmp_path: Path, ending: str) -> None:
    """Excel encloses cells with commas, too, and writes UTF-16 with a mark as 'Unicode text'."""
    texts = ["One, two.", "Three.", "Four, five.", "Six, seven.", 'The "eighth".']
    for some in (texts, texts[:4]):
        rows = [["reference", "hypothesis"], *([text, text] for text in some)]
        cells = [
            [f'"{cell.replace(chr(34), chr(34) * 2)}"' if {*cell} & {",", '"'} else cell
             for cell in row]
            for row in rows
        ]  # fmt: skip
        text = "".join("\t".join(row) + ending for row in cells)
        path = written(tmp_path / "a.txt", text.encode("utf-16"))
        assert read(path) == (some, some)


def test_quotes_of_wmt_are_text(tmp_path: Path) -> None:
    texts = ['"Yes," she said.', 'He said "no".', '"A whole quotation."', '"Open', 'close"', '""']
    lines = ["reference\thypothesis", *(f"{text}\t{text}" for text in texts)]
    assert read(written(tmp_path / "a.tsv", "\n".join(lines))) == (texts, texts)
    one = ["reference\thypothesis", '"Enclosed."\tbare', '"Hi, you."\tbare']
    assert read(written(tmp_path / "a.tsv", "\n".join(one)))[0] == ['"Enclosed."', '"Hi, you."']


def test_a_mixture_names_the_line_and_the_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = 'reference\thypothesis\n"a ""b"" c"\tx\nplain\t"Yes," she said.\n'
    path = written(tmp_path / "mixed.tsv", text)
    with pytest.raises(InputError) as refused:
        read(path)
    assert str(refused.value) == (
        f"{path}:3: a cell that begins with a quote which does not enclose it, while the quotes in "
        "line 2 are doubled, expected one or the other (--quoting yes takes quotes off, --quoting "
        "no leaves them)"
    )
    assert read(path, "no") == (['"a ""b"" c"', "plain"], ["x", '"Yes," she said.'])
    assert read(path, "yes") == (['a "b" c', "plain"], ["x", '"Yes," she said.'])
    assert "--quoting no leaves them" in error(capsys, "score", str(path))
    assert json_output(capsys, "score", str(path), "--quoting", "no")


def test_quoting_is_yes_no_or_auto(tmp_path: Path) -> None:
    path = written(tmp_path / "a.tsv", 'reference\thypothesis\n"a"\tb\n')
    assert read(path) == (['"a"'], ["b"])
    assert read(path, "yes") == (["a"], ["b"])
    with pytest.raises(Exception, match="quoting: found 'maybe', expected auto, yes or no"):
        read(path, "maybe")


def test_a_quotation_over_several_segments_is_no_cell(tmp_path: Path) -> None:
    lines = ["reference\thypothesis", '"He came.\ta', 'He saw."\tb', '"Then he\tc', 'went."\td']
    read_back = read(written(tmp_path / "a.tsv", "\n".join(lines)))
    assert read_back[0] == ['"He came.', 'He saw."', '"Then he', 'went."']


cells = st.text(
    st.one_of(st.sampled_from('"\t\n\r,;ab '), st.characters(exclude_categories=["Cs"])), max_size=8
)


@settings(max_examples=examples(150), deadline=None)
@given(data=st.data())
def test_what_is_written_with_all_cells_quoted_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.tuples(cells, cells), min_size=1, max_size=6))
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("reference", "hypothesis"), *rows])
    path = tmp_path_factory.getbasetemp() / "all.tsv"
    path.write_bytes(out.getvalue().encode())
    assert read(path) == tuple(list(column) for column in zip(*rows, strict=True))
