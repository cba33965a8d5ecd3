"""From files to what is tuned on: the segments to tune on, those held out, weights to begin at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Final, TypeAlias

import numpy as np

from tertium.decode.formats.input import read
from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.table import FormatOptions, Structure
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines
from tertium.tune.graphs import GraphSurface
from tertium.tune.merged_lists import Candidates, NBestSurface, feature_table
from tertium.tune.surfaces import Surface
from tertium.tune.weight_vectors import union_of

Path: TypeAlias = str | PathLike[str] | TextFile

_EXACT: Final = 1e-3
"""Model scores that features explain as well as this are features · weights, rounded."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """Hypotheses to tune on, some held out, and the weights that the model has now."""

    dev: Surface
    held_out: Surface | None
    weights: Mapping[str, float]
    dev_segments: tuple[int, ...] = ()
    held_out_segments: tuple[int, ...] = ()
    """Which segments of the references they are."""


def read_references(paths: Sequence[str | PathLike[str]]) -> list[list[str]]:
    """The references of each segment, one from each file."""
    columns = [[line for _, line in numbered_lines(TextFile.find(path))] for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if len(column) != len(columns[0]) or not column:
            raise InputError(
                f"{path}: {len(column)} segments, expected {len(columns[0]) or 'some'} ({paths[0]})"
            )
    return [list(texts) for texts in zip(*columns, strict=True)]


def read_material(
    files: Sequence[Path],
    references: Sequence[str | PathLike[str]] = (),
    *,
    hold_out: int | None = None,
    costs: bool = False,
    format: str | None = None,  # noqa: A002 - the word that users know
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Material:
    """Read n-best lists, of one run or several, or a lattice or forest for each segment.

    Without ``references`` those inside the lists are taken. Every ``hold_out``-th segment is held
    out. The weights are those of the lattices or forests; for n-best lists those that give the
    model scores in the last file, or 1 where it has none. With ``costs`` features are costs, and
    weights are meant for them: a model prefers what has the lowest sum.
    """
    damages = damages or Damages()
    runs = [list(read(path, format=format, options=options, damages=damages)) for path in files]
    if costs:
        runs = [[_turned(one) for one in run] for run in runs]
    structures = [one for run in runs for one in run]
    lists = [one for one in structures if isinstance(one, NBest)]
    graphs = [one for one in structures if isinstance(one, Lattice | Forest)]
    if not structures or (lists and graphs):
        found = "n-best lists beside lattices or forests" if structures else "nothing"
        raise InputError(f"{_name(files[-1])}: found {found}, expected one or the other")
    texts = read_references(references) if references else _own_references(lists, files)
    held = [
        number for number in range(len(texts)) if hold_out and number % hold_out == hold_out - 1
    ]
    kept = [number for number in range(len(texts)) if number not in set(held)]
    if hold_out is not None and not (held and kept):
        raise OptionError(
            f"hold out: found every {hold_out}th of {len(texts)} segments, "
            "expected some to hold out and some to tune on"
        )
    if graphs:
        if len(graphs) != len(texts):
            raise InputError(
                f"{_name(files[-1])}: {len(graphs)} graphs in all, "
                f"expected {len(texts)} (references)"
            )
        surfaces: list[Surface] = [
            GraphSurface([graphs[number] for number in some], [texts[number] for number in some])
            for some in (kept, held)
            if some
        ]
        weights = {
            name: float(weight)
            for graph in reversed(graphs)
            for name, weight in zip(graph.feature_names, graph.weights, strict=True)
        }
    else:
        _check_segments(lists, len(texts), files)
        surfaces = [_nbest_surface(lists, texts, some) for some in (kept, held) if some]
        weights = model_weights(_lists(runs[-1]))
    return Material(
        dev=surfaces[0],
        held_out=surfaces[1] if held else None,
        weights=weights,
        dev_segments=tuple(kept),
        held_out_segments=tuple(held),
    )


def model_weights(lists: Sequence[NBest]) -> dict[str, float]:
    """The weights that give the model scores of some lists, by least squares.

    Decoders do not write their weights beside the features, but score = features · weights holds
    for every hypothesis. Where it does not, or no list has scores, all weights are 1.
    """
    names = union_of(one.feature_names for one in lists)
    scored = [one for one in lists if one.scores is not None]
    if scored and names:
        features = np.concatenate([feature_table(one, names) for one in scored])
        scores = np.concatenate([one.scores for one in scored if one.scores is not None])
        found = np.linalg.lstsq(features, scores, rcond=None)[0]
        errors = np.abs(features @ found - scores)
        if errors.max() <= _EXACT * max(1.0, np.abs(scores).max()):
            # What a feature that never varies gets is rounding.
            found = np.where(np.abs(found) > 1e-12 * np.abs(found).max(), found, 0.0)
            return dict(zip(names, found.tolist(), strict=True))
    return dict.fromkeys(names, 1.0)


def _turned(one: Structure) -> Structure:
    """Costs as what they cost less than nothing: then higher is better, as everywhere."""
    if isinstance(one, NBest):
        return replace(one, features=-one.features)
    return replace(one, features=-one.features, weights=-one.weights)


def _lists(run: Iterable[Structure]) -> list[NBest]:
    return [one for one in run if isinstance(one, NBest)]


def _own_references(lists: Sequence[NBest], files: Sequence[Path]) -> list[list[str]]:
    if not lists:
        raise OptionError("references: found none, expected a file of references")
    size = 1 + max(one.segment for one in lists)
    texts: list[list[str]] = [[] for _ in range(size)]
    for one in lists:
        texts[one.segment] = texts[one.segment] or list(one.references)
    for number, some in enumerate(texts):
        if not some:
            raise InputError(
                f"{_name(files[0])}: segment {number}: found no reference, "
                "expected a file of references"
            )
    return texts


def _check_segments(lists: Sequence[NBest], segments: int, files: Sequence[Path]) -> None:
    missing = set(range(segments)) - {one.segment for one in lists if len(one)}
    beyond = {one.segment for one in lists if one.segment >= segments}
    if missing or beyond:
        found = f"segment {min(beyond)}" if beyond else f"no hypothesis for segment {min(missing)}"
        raise InputError(
            f"{_name(files[-1])}: found {found}, expected segments 0 to {segments - 1} (references)"
        )


def _nbest_surface(
    lists: Sequence[NBest], texts: Sequence[list[str]], numbers: Sequence[int]
) -> NBestSurface:
    places = {number: place for place, number in enumerate(numbers)}
    chosen = [replace(one, segment=places[one.segment]) for one in lists if one.segment in places]
    return NBestSurface(Candidates.of(chosen, len(numbers)), [texts[n] for n in numbers])


def _name(path: Path) -> str:
    return path.name if isinstance(path, TextFile) else str(path)
