"""The automaton of a reference as a drawing: positions from left to right, runs downwards."""

from collections.abc import Iterable
from html import escape
from math import hypot
from typing import Final

from tertium.decode.oracle.automaton import Move, RecognitionAutomaton, State

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
        f'<text x="{x:.1f}" y="{top + _LINE * place + 4:.1f}" text-anchor="middle" '
        f'fill="{_COLOURS[move.kind]}" stroke="white" stroke-width="4" paint-order="stroke">'
        f"{escape(_text(move))}</text>"
        for place, move in enumerate(moves)
    )


def _legend(y: float) -> str:
    texts = []
    for place, (kind, colour) in enumerate(_COLOURS.items()):
        x = _EDGE - 46 + 105 * place
        texts.append(f'<text x="{x}" y="{y}" fill="{colour}">{kind}</text>')
    texts.append(f'<text x="{_EDGE - 46}" y="{y - _LINE - 4}">⋆ any word, ε none</text>')
    return "".join(texts)
