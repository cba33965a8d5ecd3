"""Entity annotations: read from and written to every format in which they are exchanged.

Inline MUC mark-up, IOB columns and JSON lines with spans are read *and* written, and what a
format cannot hold is an error, never left out. Any spaCy pipeline makes annotations too.
"""

from tertium.text.annotations.annotated_text import AnnotatedText, Entity
from tertium.text.annotations.files import (
    FORMATS,
    annotate,
    annotation_lines,
    read_annotations,
    write_annotations,
)
from tertium.text.annotations.muc import parse_muc, to_muc

__all__ = [
    "FORMATS",
    "AnnotatedText",
    "Entity",
    "annotate",
    "annotation_lines",
    "parse_muc",
    "read_annotations",
    "to_muc",
    "write_annotations",
]
