"""Lattices and forests as drawings, by way of Graphviz."""

import shutil
import subprocess
from html import escape
from typing import Final

from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.errors import MissingExtraError, TertiumError

LARGEST: Final = 400
"""Arcs of a drawing that can still be looked at in a notebook."""

PATIENCE: Final = 60
"""Seconds that the layout may take."""


def lattice_dot(lattice: Lattice) -> str:
    """A lattice in Graphviz' language: from left to right, words and scores on the arcs."""
    lines = ["digraph lattice {", "  rankdir=LR;", "  node [shape=circle];"]
    lines += [f"  {lattice.nodes - 1} [shape=doublecircle];"]
    scores = lattice.edge_scores()
    ends = zip(lattice.sources, lattice.targets, lattice.words, scores, strict=True)
    for source, target, word, score in ends:
        label = _quoted(f"{word or 'ε'} / {score:.4g}")
        lines.append(f"  {source} -> {target} [label={label}];")
    return "\n".join([*lines, "}", ""])


def forest_dot(forest: Forest) -> str:
    """A forest in Graphviz' language: hyperedges are boxes between a head and its tails."""
    lines = ["digraph forest {", "  rankdir=BT;", "  node [shape=circle];"]
    lines += [f"  {forest.nodes - 1} [shape=doublecircle];"]
    for edge, score in enumerate(forest.edge_scores()):
        label = _quoted(f"{forest.edge_text(edge) or 'ε'} / {score:.4g}")
        lines.append(f"  e{edge} [shape=box, label={label}];")
        lines.append(f"  e{edge} -> {forest.heads[edge]};")
        lines += [f"  {tail} -> e{edge};" for tail in forest.edge_tails(edge)]
    return "\n".join([*lines, "}", ""])


def svg_of(dot: str) -> str:
    """The drawing that the program ``dot`` makes of it."""
    program = shutil.which("dot")
    if program is None:
        raise MissingExtraError(
            "the program 'dot' is missing, expected for drawings: install Graphviz, "
            "or use to_dot() for its text"
        )
    try:
        done = subprocess.run(  # noqa: S603 (the text goes in by standard input)
            [program, "-Tsvg"],
            input=dot,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise TertiumError(f"{program}: found {error}, expected a drawing") from None
    return done.stdout


def html_of(dot: str, summary: str) -> str:
    """A drawing for a notebook; Graphviz' text where the program is absent or would take long."""
    caption = f"<p>{escape(summary)}</p>"
    if dot.count(" -> ") > LARGEST:
        return f"{caption}<p>too large to draw here; to_svg() draws it all the same</p>"
    try:
        drawing = svg_of(dot)
    except TertiumError as error:
        return f"{caption}<p>{escape(str(error))}</p><pre>{escape(dot)}</pre>"
    return caption + drawing[drawing.find("<svg") :]


def _quoted(text: str) -> str:
    r"""A string of Graphviz' language, whatever is in it.

    >>> print(_quoted('say "a"'))
    "say \"a\""
    """
    clean = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'
