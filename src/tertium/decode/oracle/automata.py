"""The automata of all segments of a reference, with the words that 'any word' stands for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tertium.decode.formats.table import Structure
from tertium.decode.oracle.automaton import ANY_LABEL, RecognitionAutomaton
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.metrics.contract.base import Metric
from tertium.plurals import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Automata:
    """Automata that share their labels; without a ``vocabulary`` any word is one label."""

    automata: tuple[RecognitionAutomaton, ...]
    vocabulary: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        metric: Metric,
        references: Sequence[Sequence[str]],
        *,
        segment: int | None = None,
        structures: Iterable[Structure] | None = None,
        place: str = "references",
    ) -> "Automata":
        """The automata of a metric and of references, one of each segment; ``segment`` from 1 on.

        The words of ``structures`` are those that may be inserted or substituted.
        """
        chosen = list(enumerate(references, 1))
        if segment is not None:
            chosen = chosen[segment - 1 : segment]
        if not chosen:
            expected = "a segment" if segment is None else f"segment {segment}"
            raise InputError(f"{place}: found no such line, expected {expected}")
        automata = []
        for number, texts in chosen:
            try:
                (text,) = texts
                automata.append(RecognitionAutomaton.of(metric, text))
            except InputError as error:
                raise InputError(f"{place}: segment {number}: {error}") from None
            except ValueError:
                found = f"found {counted(len(texts), 'reference')}"
                raise InputError(f"{place}: segment {number}: {found}, expected one") from None
        return cls(automata=tuple(automata), vocabulary=_vocabulary(automata, structures))

    def to_openfst(self, *, points: bool = False) -> str:
        """OpenFst's text of each, an empty line between them."""
        texts = (one.to_openfst(self.vocabulary, points=points) for one in self.automata)
        return "\n".join(texts)

    def symbols(self) -> str:
        """One table of all their labels."""
        own = (word for one in self.automata for word in one.words)
        return self.automata[0].symbols(self.vocabulary or (*dict.fromkeys(own), ANY_LABEL))


def _vocabulary(
    automata: Sequence[RecognitionAutomaton], structures: Iterable[Structure] | None
) -> tuple[str, ...] | None:
    """The words of structures; hypotheses of lists are cut at blanks, as their words are."""
    if structures is None:
        return None
    found: dict[str, None] = {}
    for one in structures:
        texts = one.hypotheses if isinstance(one, NBest) else ()
        words = " ".join(texts).split() if isinstance(one, NBest) else one.vocabulary
        found.update(dict.fromkeys(words))
    found.update(dict.fromkeys(word for one in automata for word in one.words))
    return tuple(found)
