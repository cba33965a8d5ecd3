"""What people take home: comparisons as JSON, TSV and LaTeX, and the texts."""

import json
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from sqlalchemy.orm import Session

from tertium.compare.compare import compare
from tertium.plain import json_text
from tertium.report.comparison import comparison_latex, comparison_tsv
from tertium.serve.errors import RequestError
from tertium.serve.evaluation.comparison import scored_of
from tertium.serve.evaluation.corpora import Board, corpus_of, hypotheses_of
from tertium.serve.evaluation.sets import TestSetView
from tertium.serve.evaluation.systems import OutputView
from tertium.text.formats.formulas import neutral_cell, neutral_table

KINDS: Final = {
    "json": ("json", "application/json"),
    "tsv": ("tsv", "text/tab-separated-values; charset=utf-8"),
    "latex": ("tex", "application/x-latex; charset=utf-8"),
    "jsonl": ("jsonl", "application/jsonl"),
}
_ESCAPED: Final = str.maketrans({"\t": " ", "\n": " ", "\r": " "})
File = tuple[str, str, str]
"""Name, media type and text."""


def comparison_file(board: Board, name: str, format: Literal["json", "tsv", "latex"]) -> File:  # noqa: A002
    """All outputs of a board beside the first: what ``tertium compare`` prints."""
    scored = scored_of(board)
    if len(scored.systems) < 2:
        raise RequestError(f"systems: found {len(scored.systems)}, expected two or more to compare")
    found = compare(scored, sections=("scores",))
    ending, kind = KINDS[format]
    text = {
        "json": lambda: json_text(found.to_dict()),
        "tsv": lambda: "".join(map(_neutral_line, comparison_tsv(found))),
        "latex": lambda: "".join(comparison_latex(found, decimals=2)),
    }[format]()
    return f"{name}.{ending}", kind, text


def texts_file(
    session: Session,
    test_set: TestSetView,
    outputs: Sequence[OutputView],
    format: Literal["jsonl", "tsv"],  # noqa: A002
) -> File:
    """All texts of a test set and of some outputs, a line for each segment."""
    corpus = corpus_of(session, test_set.id)
    columns: dict[str, Sequence[str | None]] = {}
    if corpus.sources is not None:
        columns["source"] = corpus.sources.to_list()
    for number, column in enumerate(corpus.references.columns, 1):
        label = "reference" if len(corpus.references.columns) == 1 else f"reference_{number}"
        columns[label] = column.to_list()
    if corpus.documents is not None:
        columns["document"] = corpus.documents
    if corpus.genres is not None:
        columns["genre"] = corpus.genres
    for one in outputs:
        columns[f"hypothesis:{one.system}"] = hypotheses_of(session, one.id)
    ending, kind = KINDS[format]
    write = _tsv if format == "tsv" else _jsonl
    return f"{test_set.slug}.{ending}", kind, "".join(write(columns))


def output_file(session: Session, output: OutputView) -> File:
    """The text of an output, a line for each segment."""
    lines = hypotheses_of(session, output.id)
    text = "".join(f"{line.translate(_ESCAPED)}\n" for line in lines)
    return f"output-{output.id}.txt", "text/plain; charset=utf-8", text


def _neutral_line(line: str) -> str:
    """A line of a comparison, in which names of systems are the only text of users."""
    return "\t".join(map(neutral_cell, line.removesuffix("\n").split("\t"))) + "\n"


def _jsonl(columns: dict[str, Sequence[str | None]]) -> Iterable[str]:
    for row in zip(*columns.values(), strict=True):
        known = {name: value for name, value in zip(columns, row, strict=True) if value is not None}
        yield json.dumps(known, ensure_ascii=False) + "\n"


def _tsv(columns: dict[str, Sequence[str | None]]) -> Iterable[str]:
    names = [name.translate(_ESCAPED) for name in columns]
    rows = zip(*columns.values(), strict=True)
    cells = [[(value or "").translate(_ESCAPED) for value in row] for row in rows]
    header, table = neutral_table(names, cells)
    for line in (header, *table):
        yield "\t".join(line) + "\n"
