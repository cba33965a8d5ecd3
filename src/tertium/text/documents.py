"""Files that give the document, the paragraph and the genre of every segment."""

import sys

from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.lines import numbered_lines

_HEADINGS = {
    "document": "document",
    "paragraph": "paragraph",
    "genre": "genre",
    "domain": "genre",
}
_WITHOUT_HEADER = ["genre", "document"]


def read_documents(file: TextFile) -> Records:
    """Tab-separated labels, a line for every segment.

    The first line may name the columns (``document``, ``paragraph``, ``genre`` or ``domain``);
    without such a line there are two, genre and document, as in the ``.docs`` files of WMT.
    """
    lines = numbered_lines(file)
    number, line = next(lines, (0, ""))
    header = [_HEADINGS.get(cell, "") for cell in line.split("\t")]
    labels: dict[str, list[str]] = {heading: [] for heading in header if heading}
    width = len(header)
    if not labels:
        header, labels, width = _WITHOUT_HEADER, {"genre": [], "document": []}, 2
        lines = numbered_lines(file)
    elif len(labels) < sum(map(bool, header)):
        raise InputError(f"{file.name}:1: a column twice, expected each label once")
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) != width:
            raise InputError(
                f"{file.name}:{number}: {counted(len(cells), 'column')}, expected {width} "
                f"({' and '.join(labels)}, separated by tabs)"
            )
        for heading, cell in zip(header, cells, strict=True):
            if heading:
                labels[heading].append(sys.intern(cell))
    return Records(
        name=file.name,
        size=max(map(len, labels.values())),
        found=tuple(labels),
        documents=tuple(labels["document"]) if "document" in labels else None,
        genres=tuple(labels["genre"]) if "genre" in labels else None,
        paragraphs=tuple(labels["paragraph"]) if "paragraph" in labels else None,
    )


def labels_of(file: TextFile, by: str) -> tuple[str, ...]:
    """The genre or the document of every segment."""
    records = read_documents(file)
    labels = records.genres if by == "genre" else records.documents
    if labels is None:
        raise InputError(f"{file.name}: found no column {by}, expected one")
    return labels
