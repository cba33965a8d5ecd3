"""Which format a file is in, by the look of its first lines; an output file by its name."""

import re
from itertools import islice
from pathlib import PurePath
from typing import Final

from tertium.decode.formats.confusion_networks import MESH_LINES
from tertium.decode.formats.nbest_text import shape_of
from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    is_number,
    numbered_lines,
    shortened,
)
from tertium.decode.formats.openfst import is_binary
from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile, compression_of

_SUFFIXES: Final = {
    ".jsonl": "samples",
    ".json": "samples",
    ".ndjson": "samples",
    ".nbest": "moses",
    ".plf": "plf",
    ".cn": "confusion",
    ".mesh": "mesh",
    ".fst": "openfst",
    ".att": "openfst",
    ".hg": "hypergraph",
}
_LOG_LINES: Final = 200
_FAIRSEQ: Final = re.compile(r"[SH]-\d+\t")


def guessed_format(file: TextFile) -> str:
    """The format that the first line of text shows."""
    if is_binary(file):
        return "openfst"
    lines = (text for _, text in numbered_lines(file, Damages(skip=True)) if text.strip())
    first = next(lines, None)
    if first is None:
        suffix = format_of_name(file.name)
        if suffix is None:
            raise InputError(f"{file.name}: found no text, expected an n-best list or a lattice")
        return suffix
    others = list(islice(lines, _LOG_LINES))
    if any(_FAIRSEQ.match(line) for line in [first, *others]):
        return "fairseq"  # before which it logs what it loads
    result = _of_line(first, others[:5])
    if result is None:
        raise InputError(
            f"{file.name}: line 1: found {shortened(first)}, expected a known format "
            "(plain text: --lines N, N lines a segment; others: --from, in Python format=)"
        )
    return result


def _of_line(first: str, others: list[str]) -> str | None:
    text = first.strip()
    if text.startswith("#"):
        return "hypergraph"
    if text.startswith("{"):
        return _json(text)
    if "|||" in text:
        return _n_best(text)
    if text.startswith("("):
        return "plf"
    result = _lattice_lines(text, others)
    if result is not None:
        return result
    # A damaged first line must not hide what all the others are.
    return _of_line(others[0], others[1:]) if others else None


def _lattice_lines(text: str, others: list[str]) -> str | None:
    """Arcs of OpenFst, the heading of a mesh, or words and probabilities in turn."""
    parts = cut(text)
    if parts[0].isdigit() and (len(parts) <= 2 or parts[1].isdigit()):
        return "openfst"
    if parts[0] in MESH_LINES and any("align" in line for line in (text, *others[:2])):
        return "mesh"
    pairs = len(parts) > 1 and not len(parts) % 2
    return "confusion" if pairs and all(map(_is_probability, parts[1::2])) else None


def _is_probability(text: str) -> bool:
    return is_number(text) and 0 <= float(text) <= 1


def _json(text: str) -> str:
    """Whatever else may be in them, samples have hypotheses, answers choices, forests edges."""
    kinds = {'"hypotheses"': "samples", '"choices"': "choices", '"edges"': "travatar-json"}
    return next((kind for key, kind in kinds.items() if key in text), "samples")


def _n_best(text: str) -> str:
    """Who writes fields in this order: score before features, or something before both."""
    shapes = [shape_of(part.strip(" \t")) for part in text.split("|||")[2:]]
    if shapes[:2] == ["score", "features"]:
        return "travatar"
    if shapes and shapes[0] == "other" and "features" in shapes:
        return "marian"
    return "moses"


def format_of_name(name: str) -> str | None:
    """The format that a file's name promises, if any.

    >>> format_of_name("dev.plf.gz"), format_of_name("dev.txt")
    ('plf', None)
    """
    plain = name[: len(name) - len(compression_of(name))]
    return _SUFFIXES.get(PurePath(plain).suffix.lower())


def format_for_output(name: str | None) -> str:
    """The format to write into a file of that name."""
    result = None if name is None else format_of_name(name)
    if result is None:
        known = ", ".join(f"{suffix} ({kind})" for suffix, kind in _SUFFIXES.items())
        raise OptionError(
            f"{name or 'standard output'}: found no format in the name, "
            f"expected --to FORMAT or a name that ends in {known}"
        )
    return result
