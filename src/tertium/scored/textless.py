"""A corpus and systems of which only rows are known: whoever asks for texts is told so."""

from collections.abc import Mapping, Sequence

from tertium._native import Texts
from tertium.errors import InputError
from tertium.text.corpus import Corpus, System
from tertium.text.references import References


class TextlessReferences(References):
    """So many segments with so many references each, none of which is known."""

    __slots__ = ("_count", "_segments", "place")

    def __init__(self, segments: int, count: str, place: str) -> None:
        self._segments, self._count, self.place = segments, count, place
        self._prepared = {}

    def __len__(self) -> int:
        return self._segments

    @property
    def count(self) -> str:
        """How many references a segment has, or ``var`` where that differs."""
        return self._count

    @property
    def columns(self) -> tuple[Texts, ...]:  # type: ignore[override]
        """There are none."""
        raise _no_texts(self.place)

    @property
    def reused(self) -> bool:  # type: ignore[override]
        """Nothing of them can be kept either."""
        raise _no_texts(self.place)


class TextlessSystem(System):
    """A name."""

    __slots__ = ("_segments", "place")

    _segments: int
    place: str

    def __init__(self, *, name: str, segments: int, place: str) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_segments", segments)
        object.__setattr__(self, "place", place)

    def __len__(self) -> int:
        return self._segments

    @property
    def hypotheses(self) -> Texts:
        """There are none."""
        raise _no_texts(self.place)


def textless(
    place: str,
    name: str,
    *,
    systems: Sequence[str],
    segments: int,
    references: str,
    labels: Mapping[str, Sequence[str]],
) -> tuple[Corpus, tuple[System, ...]]:
    """What is known of texts whose rows are in a file: their number, names and labels."""
    corpus = Corpus(
        references=TextlessReferences(segments, references, place),
        name=name,
        documents=labels.get("documents"),
        genres=labels.get("genres"),
        paragraphs=labels.get("paragraphs"),
        ids=labels.get("ids"),
    )
    named = [TextlessSystem(name=system, segments=segments, place=place) for system in systems]
    return corpus, tuple(named)


def _no_texts(place: str) -> InputError:
    return InputError(
        f"{place}: found statistics without texts, expected texts for this: score them again"
    )
