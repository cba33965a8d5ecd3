"""A corpus (references, sources, labels) and the systems that translated it."""

from dataclasses import dataclass
from typing import Literal

from tertium._native import Texts
from tertium.errors import InputError
from tertium.text.references import References


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What systems are scored against; ``name`` is its place in an error."""

    references: References
    name: str
    sources: Texts | None = None
    documents: tuple[str, ...] | None = None
    genres: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for kind in ("sources", "documents", "genres", "ids"):
            column: Texts | tuple[str, ...] | None = getattr(self, kind)
            if column is not None and len(column) != len(self):
                raise InputError(
                    f"{self.name}: {len(column)} {kind}, expected {len(self)} (references)"
                )

    def __len__(self) -> int:
        return len(self.references)

    def labels(self, by: Literal["genre", "document"]) -> tuple[str, ...]:
        """The genre or document of every segment, or an error that says how to give them."""
        labels = self.genres if by == "genre" else self.documents
        if labels is None:
            raise InputError(
                f"{self.name}: no {by} labels, expected a file of documents (--documents FILE), "
                f"a table with a column '{by}', or SGML/XML that names them"
            )
        return labels


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """The named hypotheses of one system, one for every segment of a corpus."""

    name: str
    hypotheses: Texts

    def __len__(self) -> int:
        return len(self.hypotheses)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Neighbouring segments of a corpus with the hypotheses of every system."""

    corpus: Corpus
    systems: tuple[System, ...]

    def __post_init__(self) -> None:
        for system in self.systems:
            if len(system) != len(self.corpus):
                raise InputError(
                    f"{system.name}: {len(system)} segments, "
                    f"expected {len(self.corpus)} (reference {self.corpus.name})"
                )

    def __len__(self) -> int:
        return len(self.corpus)
