"""A file that was opened, whatever its format: the columns that it gives for each role."""

from typing import TYPE_CHECKING, NamedTuple

from tertium._native import Texts
from tertium.errors import InputError
from tertium.text.feeds import Feed, HeldFeed, LineFeed
from tertium.text.file_names import system_name
from tertium.text.files import TextFile

if TYPE_CHECKING:
    from tertium.text.keyed_segments import Records
    from tertium.text.many.file_set import FileSet
    from tertium.text.parquet.feeds import StoredTable


class GivenFile(NamedTuple):
    """A file of plain text, or of a format that was read into records.

    ``blocks`` are the segments of a file that, like plain text, has one column for any role. The
    texts of a ``stored`` table are still in its file; ``many`` files are read as one. A system
    without a name is ``called`` after the file, if nothing else is told.
    """

    file: TextFile
    records: "Records | None" = None
    blocks: Texts | None = None
    stored: "StoredTable | None" = None
    called: str | None = None
    many: "FileSet | None" = None

    @property
    def has_lines(self) -> bool:
        """Whether a segment is a line, which tabs may divide."""
        return self.records is None and self.blocks is None and self.many is None

    @property
    def has_systems(self) -> bool:
        """Whether a file of references has hypotheses beside them."""
        if self.stored is not None:
            return self.stored.feed("hypothesis") is not None
        records = self.records
        return bool(records and records.systems and not (records.any_role or records.one_target))

    @property
    def has_articles(self) -> bool:
        return self.records is not None and self.records.articles

    def reference_feed(self, num_refs: int) -> Feed:
        if self.records is None:
            return self._only_feed(num_refs)
        if stored := self._stored_feed("reference"):
            return stored
        if not self.records.references:
            raise _lacking(self.records, "a column 'reference', <refset> or <ref>")
        return HeldFeed(name=self.file.name, columns=self.records.references)

    def source_feed(self) -> Feed:
        if self.records is None:
            return self._only_feed()
        if stored := self._stored_feed("source"):
            return stored
        if self.records.source is None:
            raise _lacking(self.records, "a column 'source', <srcset> or <src>")
        return HeldFeed(name=self.file.name, columns=(self.records.source,))

    def system_feeds(self) -> list[tuple[str, Feed]]:
        """Every system of the file with its name."""
        own = self.many.system if self.many else system_name(self.file.name)
        file_name = self.called or own
        if self.records is None:
            return [(file_name, self._only_feed())]
        if self.stored is not None and self.has_systems:
            return [(name or file_name, feed) for name, feed in self.stored.systems()]
        if not self.records.systems:
            raise _lacking(self.records, "a column 'hypothesis', <tstset> or <hyp>")
        return [
            (name or file_name, HeldFeed(name=self.file.name, columns=(texts,)))
            for name, texts in self.records.systems
        ]

    def told_source(self) -> Feed | None:
        """The sources that a file of references has beside them, if any."""
        told = self.records is not None and self.records.source is not None
        beside = told and not (self.records and self.records.any_role)
        return self.source_feed() if beside else self._stored_feed("source")

    def _stored_feed(self, role: str) -> Feed | None:
        return None if self.stored is None else self.stored.feed(role)

    def _only_feed(self, width: int = 1) -> Feed:
        if self.many is not None:
            from tertium.text.many.feed import FilesFeed

            return FilesFeed(name=self.file.name, files=self.many.files)
        if self.blocks is None:
            return LineFeed(file=self.file, width=width)
        return HeldFeed(name=self.file.name, columns=(self.blocks,))


def _lacking(records: "Records", expected: str) -> InputError:
    found = ", ".join(" ".join(column.split()) for column in records.found)
    cure = " (--columns ROLE=COLUMN)" if records.is_table else ""
    return InputError(f"{records.name}: found {found}, expected {expected}{cure}")
