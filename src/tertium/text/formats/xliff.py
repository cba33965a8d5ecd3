"""XLIFF 1.2 (``<trans-unit>``) and 2.x (``<unit>`` with ``<segment>``).

A unit of 1.2 is a segment, and so is each segment of a unit of 2.x. Suggestions
(``<alt-trans>``, ``<matches>``), notes, glossaries and units with ``translate="no"`` are left
out. Segments are named by the unit's id, with the segment's after a slash where a unit has
several; by the file's ``original`` in front where the document has several files.
"""

from collections.abc import Mapping
from typing import Final

from tertium.errors import InputError
from tertium.text.files import TextFile
from tertium.text.formats.inline_codes import InlineCodes, SegmentText
from tertium.text.formats.table import ReadingOptions
from tertium.text.formats.xml_events import scan_xml
from tertium.text.keyed_segments import Records, TranslationUnit, bilingual_records

_UNITS: Final = {"trans-unit", "unit"}
_LEFT_OUT: Final = {
    "alt-trans", "bin-unit", "changeTrack", "context-group", "count-group", "glossary", "header",
    "ignorable", "matches", "metadata", "note", "notes", "originalData", "prop-group", "seg-source",
    "skeleton", "validation",
}  # fmt: skip


def read_xliff(file: TextFile, options: ReadingOptions) -> Records:
    """The sources and targets of all units."""
    collector = _XliffCollector(file.name, options.inline_codes)
    scan_xml(file, collector.start, collector.end, collector.text)
    return bilingual_records(file.name, collector.units(), "<trans-unit> or <unit>")


class _XliffCollector:
    """Segments of units, in the order of the file."""

    def __init__(self, name: str, inline_codes: InlineCodes) -> None:
        self._name = name
        self._inline_codes = inline_codes
        self._documents: list[str] = []
        self._units: list[TranslationUnit] = []
        self._unit: Mapping[str, str] | None = None
        self._segments: list[tuple[str, dict[str, str]]] = []  # of the unit: id, texts by tag
        self._text: SegmentText | None = None
        self._left_out = 0

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """A tag opens."""
        tag = tag.rpartition(":")[2]
        if self._left_out or (tag in _LEFT_OUT and self._text is None):
            self._left_out += 1
        elif self._text is not None:
            self._text.start(tag, attributes)
        elif tag == "file":
            self._documents.append(attributes.get("original") or attributes.get("id") or "")
        elif tag in _UNITS:
            if self._unit is not None:
                raise InputError(f"{self._name}:{line}: a unit inside another, expected after it")
            self._unit, self._segments = attributes, []
        elif self._unit is not None and tag == "segment":
            self._segments.append((attributes.get("id", ""), {}))
        elif self._unit is not None and tag in {"source", "target"}:
            self._segments = self._segments or [("", {})]
            if tag in self._segments[-1][1]:
                raise InputError(f"{self._name}:{line}: <{tag}> twice, expected once")
            self._text = SegmentText(self._inline_codes)

    def end(self, tag: str) -> None:
        """A tag closes."""
        tag = tag.rpartition(":")[2]
        if self._left_out:
            self._left_out -= 1
        elif self._text is not None and tag in {"source", "target"}:
            self._segments[-1][1][tag] = self._text.joined()
            self._text = None
        elif self._text is not None:
            self._text.end(tag)
        elif self._unit is not None and tag in _UNITS:
            self._end_unit(self._unit)
            self._unit = None

    def text(self, text: str) -> None:
        """Characters, which count in sources and targets only."""
        if self._text is not None and not self._left_out:
            self._text.text(text)

    def _end_unit(self, unit: Mapping[str, str]) -> None:
        if unit.get("translate") == "no":
            return
        identity = unit.get("id", "")
        for number, (label, texts) in enumerate(self._segments, 1):
            named = f"{identity}/{label or number}" if len(self._segments) > 1 else identity
            self._units.append(
                TranslationUnit(
                    key=(named,) if identity else None,
                    source=texts.get("source", ""),
                    target=texts.get("target"),
                    document=self._documents[-1] if self._documents else "",
                )
            )

    def units(self) -> list[TranslationUnit]:
        """All segments, named by their document as well where there are several."""
        if len(self._documents) < 2:
            return [unit._replace(document="") for unit in self._units]
        return [unit._replace(key=unit.key and (unit.document, *unit.key)) for unit in self._units]
