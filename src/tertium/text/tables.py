"""TSV, CSV, XLSX, JSON lines and Parquet with named columns.

`tertium.text.column_roles` has the names of columns by role: ``source``; ``reference`` and every
other one that begins so; ``hypothesis`` (a system called after the file) or ``hypothesis_NAME`` and
``hypothesis:NAME``; ``document``, ``segment``, ``id``, ``genre``, ``pair``; and the synonyms that
people write. In JSON lines and Parquet, references may be a list or an object, and hypotheses an
object ``{name: text}``. Other columns are left alone.
"""

from typing import TYPE_CHECKING

from tertium.text.column_roles import ColumnRoles, TableBuilder
from tertium.text.files import TextFile
from tertium.text.keyed_segments import Records
from tertium.text.named_rows import named_rows

if TYPE_CHECKING:
    from tertium.text.formats.quoting import Quoting


def read_table(
    file: TextFile, kind: str, columns: ColumnRoles, quoting: "Quoting" = "auto"
) -> Records:
    """All the rows of a table, checked."""
    if kind == "parquet":
        from tertium.text.parquet.columns import read_parquet

        plain = read_parquet(file, columns)
        if plain is not None:
            return plain
    header, rows = named_rows(file, kind, columns.wants, quoting)
    table = TableBuilder(file.name, columns, header or ())
    optional = _optional(header or [], columns) if kind in {"tsv", "csv", "xlsx"} else []
    for place, row in rows:
        for column in optional:
            row[column] = row[column] or None
        table.add(place, row)
    return table.records()


def _optional(header: list[str], columns: ColumnRoles) -> list[str]:
    """Columns where an empty cell is a reference that does not exist.

    With one column it is an empty reference, as an empty line of plain text is.
    """
    keys = {column: columns.key(column) for column in header}
    references = [column for column, key in keys.items() if key and key.role == "reference"]
    return references if len(references) > 1 else []
