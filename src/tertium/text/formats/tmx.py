"""TMX: units with a text in each of some languages, which are the columns of the file.

The source is the language that the units name (``srclang``), else the header, and the target the
other one; units that name different sources are refused. Where no source is named, or there are
several targets, ``--columns source=en reference=de hypothesis=de`` chooses. A file of one language
has that text in whatever role it is given. Units are named by ``tuid``.
"""

from collections.abc import Mapping, Sequence

from tertium._native import Texts
from tertium.errors import InputError
from tertium.text.column_roles import ColumnRoles
from tertium.text.files import TextFile
from tertium.text.formats.inline_codes import InlineCodes, SegmentText
from tertium.text.formats.table import ReadingOptions
from tertium.text.formats.xml_events import scan_xml
from tertium.text.keyed_segments import Key, Records, monolingual_records, unique_keys


def read_tmx(file: TextFile, options: ReadingOptions) -> Records:
    """The texts of all units, by language."""
    collector = _TmxCollector(file.name, options.inline_codes)
    scan_xml(file, collector.start, collector.end, collector.text)
    return collector.records(options.columns)


class _TmxCollector:
    def __init__(self, name: str, inline_codes: InlineCodes) -> None:
        self._name = name
        self._inline_codes = inline_codes
        self._source = ""
        self._unit_sources: dict[str, int] = {}  # in lower case → the first line that names it
        self._languages: dict[str, str] = {}  # in lower case → as it is written
        self._keys: list[Key | None] = []
        self._units: list[dict[str, str]] = []
        self._language = ""
        self._text: SegmentText | None = None

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        """A tag opens."""
        if self._text is not None:
            self._text.start(tag, attributes)
        elif tag == "header":
            self._source = attributes.get("srclang", "")
        elif tag == "tu":
            identity = attributes.get("tuid")
            # A unit's own source overrides the header's; *all* is none in particular.
            self._unit_sources.setdefault(attributes.get("srclang", self._source).lower(), line)
            self._keys.append((identity,) if identity else None)
            self._units.append({})
            self._language = ""
        elif tag == "tuv" and self._units:
            written = attributes.get("xml:lang") or attributes.get("lang")
            if not written:
                raise InputError(
                    f"{self._name}:{line}: <tuv> without xml:lang, expected a language"
                )
            self._language = self._languages.setdefault(written.lower(), written)
            if self._language in self._units[-1]:
                raise InputError(f"{self._name}:{line}: '{written}' twice in a <tu>, expected once")
        elif tag == "seg" and self._language:
            self._text = SegmentText(self._inline_codes)

    def end(self, tag: str) -> None:
        """A tag closes."""
        if tag == "seg" and self._text is not None:
            self._units[-1][self._language] = self._text.joined()
            self._text = None
        elif tag == "tuv":
            self._language = ""
        elif self._text is not None:
            self._text.end(tag)

    def text(self, text: str) -> None:
        """Characters, which count in segments only."""
        if self._text is not None:
            self._text.text(text)

    def records(self, columns: ColumnRoles) -> Records:
        """The languages as columns."""
        if not self._units or not self._languages:
            raise InputError(f"{self._name}: no segments, expected <seg> in <tuv> in <tu>")
        languages = list(self._languages.values())
        if len(languages) == 1:
            texts = [self._of(unit, languages[0], number) for number, unit in self._numbered()]
            return monolingual_records(self._name, self._keys, texts)
        self._agree_on_source(columns)
        source, references, systems = self._roles(languages, columns)
        return Records(
            name=self._name,
            size=len(self._units),
            found=tuple(languages),
            keys=unique_keys(self._keys),
            source=self._column(source) if source else None,
            references=tuple(
                Texts([unit.get(language) or None for unit in self._units])
                for language in references
            ),
            systems=tuple(
                (language if len(systems) > 1 else None, self._column(language))
                for language in systems
            ),
            one_target=references == systems,
        )

    def _agree_on_source(self, columns: ColumnRoles) -> None:
        """Take the source that units name, unless a column is named for it."""
        if columns.renamed.get("source"):
            return
        named = [source for source in self._unit_sources if source not in {"", "*all*"}]
        if len(named) > 1:
            line = self._unit_sources[named[1]]
            raise InputError(
                f"{self._name}:{line}: srclang '{named[1]}' after '{named[0]}', expected one "
                f"source language (--columns source={named[0]} chooses)"
            )
        self._source = named[0] if named else ""

    def _roles(
        self, languages: Sequence[str], columns: ColumnRoles
    ) -> tuple[str, list[str], list[str]]:
        """The language of the source, those of references and those of hypotheses."""
        chosen = {
            role: [
                self._languages[name.lower()] for name in names if name.lower() in self._languages
            ]
            for role, names in columns.renamed.items()
        }
        sources = chosen.get("source") or [
            language for language in languages if _is_language(language, self._source)
        ]
        references = chosen.get("reference", [])
        systems = chosen.get("hypothesis", [])
        if len(sources) == 1 and not references and not systems:
            references = systems = [language for language in languages if language != sources[0]]
        if len(sources) > 1 or not (references or systems) or len({*references, *systems}) > 1:
            found = ", ".join(languages)
            raise InputError(
                f"{self._name}: languages {found}, expected a source and one target "
                f"(--columns source={languages[0]} reference={languages[1]} "
                f"hypothesis={languages[1]})"
            )
        target = references or systems
        return (sources[0] if sources else ""), references or target, systems or target

    def _column(self, language: str) -> Texts:
        return Texts([self._of(unit, language, number) for number, unit in self._numbered()])

    def _numbered(self) -> list[tuple[int, dict[str, str]]]:
        return list(enumerate(self._units, 1))

    def _of(self, unit: Mapping[str, str], language: str, number: int) -> str:
        if language not in unit:
            raise InputError(
                f"{self._name}: segment {number}: no '{language}', expected one in every <tu>"
            )
        return unit[language]


def _is_language(written: str, source: str) -> bool:
    """Whether a language is that of the header, which may leave its region out."""
    written, source = written.lower(), source.lower()
    return bool(source) and (written == source or written.split("-")[0] == source)
