"""WRR and k-GRR of one reference as an automaton (Chiang et al. 2008, section 4.3).

State (i, m): i reference words have been passed, the last m of them matched in a row. The weight
of the best way to read a hypothesis is the numerator of its rate, so the best path of a lattice
composed with the automaton is the lattice's oracle, in whatever program composes them.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import hypot
from typing import Final, NamedTuple, TypeAlias

from tertium.decode.formats.numbered_lines import is_one, number_text, shortened
from tertium.decode.formats.table import EMPTY_WORDS, Structure
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wer import WordRecognitionRate
from tertium.plurals import counted

EMPTY_LABEL: Final = "<eps>"
ANY_LABEL: Final = "<any>"
"""What is written for ⋆, any word, where the words are not known."""

State: TypeAlias = tuple[int, int]


class Move(NamedTuple):
    """An arc. Insertions and substitutions take any word, deletions none: ``word`` is empty."""

    source: State
    target: State
    kind: str
    word: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognitionAutomaton:
    """The automaton of a reference's words.

    >>> wrr = RecognitionAutomaton(words=("a", "b"), k=1, alpha=1.0, beta=0.0)
    >>> len(wrr.states), len(list(wrr.moves())), wrr.possible
    (3, 9, 2)
    """

    words: tuple[str, ...]
    k: int
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        special = EMPTY_WORDS | {ANY_LABEL}
        for word in self.words:
            if word in special or not is_one(word):
                raise InputError(f"found the word {shortened(word)}, expected one for a label")

    @classmethod
    def of(cls, metric: Metric, reference: str) -> "RecognitionAutomaton":
        """The automaton of a metric and a reference; WRR is the rate with k = 1, α = 1, β = 0."""
        if type(metric) is GramRecognitionRate:
            k, alpha, beta = metric.k, metric.alpha, metric.beta
        elif type(metric) is WordRecognitionRate:
            k, alpha, beta = 1, 1.0, 0.0
        else:
            raise OptionError(f"automaton: found metric {metric.spec}, expected grr or wrr")
        return cls(words=tuple(metric.words(reference)), k=k, alpha=alpha, beta=beta)

    @property
    def states(self) -> list[State]:
        """The states that can be reached, the start (0, 0) first."""
        longest = self.k - 1
        return [(i, m) for i in range(len(self.words) + 1) for m in range(min(i, longest) + 1)]

    @property
    def finals(self) -> list[State]:
        """All words of the reference are passed."""
        return [state for state in self.states if state[0] == len(self.words)]

    @property
    def possible(self) -> int:
        """The 1- to k-grams of the reference: what weights are divided by."""
        return sum(max(0, len(self.words) - n) for n in range(self.k))

    def moves(self) -> Iterator[Move]:
        """All arcs, state by state."""
        for i, m in self.states:
            yield Move((i, m), (i, 0), "insertion", "", -self.alpha)
            if i == len(self.words):
                continue
            after = (i + 1, min(m + 1, self.k - 1))
            yield Move((i, m), after, "match", self.words[i], m + 1.0)
            yield Move((i, m), (i + 1, 0), "substitution", "", 0.0)
            yield Move((i, m), (i + 1, 0), "deletion", "", -self.beta)

    def to_openfst(self, vocabulary: Collection[str] | None = None, *, points: bool = False) -> str:
        """OpenFst's text: an acceptor whose costs are the negative weights.

        ⋆ is written as an arc for each word of the vocabulary, or as `ANY_LABEL`. With ``points``
        the cost of a path is minus the metric's score, else minus its numerator.
        """
        if points and not self.possible:
            raise InputError("found a reference without a word, expected words to give points for")
        scale = 100 / self.possible if points else 1.0
        numbers = {state: number for number, state in enumerate(self.states)}
        known = dict.fromkeys((*self.words, *vocabulary)) if vocabulary is not None else [ANY_LABEL]
        lines: list[str] = []
        for move in self.moves():
            labels = {"match": [move.word], "deletion": [EMPTY_LABEL]}.get(move.kind, known)
            ends = f"{numbers[move.source]}\t{numbers[move.target]}"
            cost = number_text(0.0 - scale * move.weight)
            lines += (f"{ends}\t{label}\t{label}\t{cost}\n" for label in labels)
        return "".join([*lines, *(f"{numbers[state]}\n" for state in self.finals)])

    def symbols(self, vocabulary: Collection[str] | None = None) -> str:
        """A table of all labels and their numbers, as OpenFst's programs want it beside."""
        more = (ANY_LABEL,) if vocabulary is None else vocabulary
        labels = dict.fromkeys((EMPTY_LABEL, *self.words, *more))
        return "".join(f"{label}\t{number}\n" for number, label in enumerate(labels))


# The automata of all segments of a reference, with the words that 'any word' stands for.


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
        texts = (
            automaton.to_openfst(self.vocabulary, points=points) for automaton in self.automata
        )
        return "\n".join(texts)

    def symbols(self) -> str:
        """One table of all their labels."""
        own = (word for automaton in self.automata for word in automaton.words)
        return self.automata[0].symbols(self.vocabulary or (*dict.fromkeys(own), ANY_LABEL))


def _vocabulary(
    automata: Sequence[RecognitionAutomaton], structures: Iterable[Structure] | None
) -> tuple[str, ...] | None:
    """The words of structures; hypotheses of lists are cut at blanks, as their words are."""
    if structures is None:
        return None
    vocabulary: dict[str, None] = {}
    for structure in structures:
        texts = structure.hypotheses if isinstance(structure, NBest) else ()
        words = " ".join(texts).split() if isinstance(structure, NBest) else structure.vocabulary
        vocabulary.update(dict.fromkeys(words))
    vocabulary.update(dict.fromkeys(word for automaton in automata for word in automaton.words))
    return tuple(vocabulary)


# The automaton of a reference as a drawing: positions from left to right, runs downwards.

_WIDE, _HIGH, _RADIUS, _EDGE = 190, 150, 24, 70
"""Pixels between positions, between runs, of a circle, and around it all."""
_COLOURS: Final = {
    "match": "#1f6f3f",
    "substitution": "#8a5a00",
    "insertion": "#a02c2c",
    "deletion": "#44546a",
}
_LINE: Final = 16
_LEGEND: Final = 440


def automaton_svg(automaton: RecognitionAutomaton) -> str:
    """An SVG that needs no other program; a legend says what the colours are."""
    states = automaton.states
    levels = 1 + max(m for _, m in states)
    width = 2 * _EDGE + _WIDE * len(automaton.words)
    height = 2 * _EDGE + _HIGH * (levels - 1) + 3 * _LINE
    width = max(width, _LEGEND)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    markers = "".join(
        f'<marker id="{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for kind, colour in _COLOURS.items()
    )
    font = 'font-family="sans-serif" font-size="13"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>']
    parts += [f"<defs>{markers}</defs>", f'<rect width="{width}" height="{height}" fill="white"/>']
    arcs: dict[tuple[State, State], list[Move]] = {}
    for move in automaton.moves():
        arcs.setdefault((move.source, move.target), []).append(move)
    curves = [_curve(*ends, moves) for ends, moves in arcs.items()]
    parts += (line for line, _ in curves)
    parts += (label for _, label in curves)  # above all lines
    parts += (_circle(state, automaton) for state in states)
    parts.append(_legend(height - _LINE))
    return "\n".join([*parts, "</svg>", ""])


def automaton_dot(automaton: RecognitionAutomaton) -> str:
    """The same in Graphviz' language."""
    lines = ["digraph automaton {", "  rankdir=LR;", "  node [shape=circle];"]
    names = {state: _name(state, automaton) for state in automaton.states}
    lines += [f'  "{names[state]}" [shape=doublecircle];' for state in automaton.finals]
    for move in automaton.moves():
        label = _text(move).replace("\\", "\\\\").replace('"', '\\"')
        ends = f'"{names[move.source]}" -> "{names[move.target]}"'
        lines.append(f'  {ends} [label="{label}", color="{_COLOURS[move.kind]}"];')
    return "\n".join([*lines, "}", ""])


def _text(move: Move) -> str:
    """A word, ⋆ for any, ε for none; and the weight."""
    label = {"match": move.word, "deletion": "ε"}.get(move.kind, "⋆")
    weight = f"{move.weight + 0.0:+g}" if move.weight else "0"
    return f"{label} / {weight}".replace("-", "−")


def _name(state: State, automaton: RecognitionAutomaton) -> str:
    return str(state[0]) if automaton.k == 1 else f"{state[0]},{state[1]}"


def _place(state: State) -> tuple[float, float]:
    return _EDGE + _WIDE * state[0], _EDGE + _HIGH * state[1]


def _circle(state: State, automaton: RecognitionAutomaton) -> str:
    x, y = _place(state)
    rings = [_RADIUS, _RADIUS - 4] if state in automaton.finals else [_RADIUS]
    circles = "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="white" stroke="black"/>' for radius in rings
    )
    start = f'<path d="M{x - 54} {y}H{x - _RADIUS - 4}" stroke="black" fill="none"/>'
    name = f'<text x="{x}" y="{y + 5}" text-anchor="middle">{_name(state, automaton)}</text>'
    return (start if state == (0, 0) else "") + circles + name


def _curve(source: State, target: State, moves: Iterable[Move]) -> tuple[str, str]:
    """A line from one circle to the other, and what stands on it."""
    some = list(moves)
    (x, y), (end_x, end_y) = _place(source), _place(target)
    if source == target:
        path = f"M{x - 12} {y - 21}C{x - 34} {y - 62} {x + 34} {y - 62} {x + 12} {y - 22}"
        return _stroke(path, some), _labels(x, y - 56, some)
    # Bent to one side: away from the straight way, which a neighbour may take.
    falls = source[1] - target[1]
    bend = 20.0 + 28.0 * falls if source[0] == target[0] else 14.0
    length = hypot(end_x - x, end_y - y)
    across = (y - end_y) / length, (end_x - x) / length
    middle = (x + end_x) / 2 - bend * across[0], (y + end_y) / 2 - bend * across[1]
    begin, end = _towards((x, y), middle), _towards((end_x, end_y), middle)
    path = "M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}".format(*begin, *middle, *end)
    # A label stands nearer to where its arc begins, where fewer arcs cross.
    share = 0.5 if falls == 0 else 0.36 / max(1, falls)
    at = (
        (1 - share) ** 2 * x + 2 * share * (1 - share) * middle[0] + share**2 * end_x,
        (1 - share) ** 2 * y + 2 * share * (1 - share) * middle[1] + share**2 * end_y,
    )
    return _stroke(path, some), _labels(*at, some)


def _towards(center: tuple[float, float], place: tuple[float, float]) -> tuple[float, float]:
    """The point of a circle that looks at a place."""
    x, y = place[0] - center[0], place[1] - center[1]
    share = (_RADIUS + 2) / hypot(x, y)
    return center[0] + share * x, center[1] + share * y


def _stroke(path: str, moves: list[Move]) -> str:
    kind = moves[0].kind
    ends = f'stroke="{_COLOURS[kind]}" marker-end="url(#{kind})"'
    return f'<path d="{path}" fill="none" stroke-width="1.3" {ends}/>'


def _labels(x: float, y: float, moves: list[Move]) -> str:
    top = y - _LINE * (len(moves) - 1) / 2
    return "".join(
        f'<text x="{x:.1f}" y="{top + _LINE * index + 4:.1f}" text-anchor="middle" '
        f'fill="{_COLOURS[move.kind]}" stroke="white" stroke-width="4" paint-order="stroke">'
        f"{escape(_text(move))}</text>"
        for index, move in enumerate(moves)
    )


def _legend(y: float) -> str:
    texts = []
    for index, (kind, colour) in enumerate(_COLOURS.items()):
        x = _EDGE - 46 + 105 * index
        texts.append(f'<text x="{x}" y="{y}" fill="{colour}">{kind}</text>')
    texts.append(f'<text x="{_EDGE - 46}" y="{y - _LINE - 4}">⋆ any word, ε none</text>')
    return "".join(texts)
