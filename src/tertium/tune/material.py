"""From files to what is tuned on: the segments to tune on, those held out, weights to begin at."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from os import PathLike
from typing import Final

import numpy as np

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.segments import AnyFile, Numbered, numbered
from tertium.decode.formats.table import FormatOptions, Structure
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.text.files import TextFile
from tertium.text.input_files import read_references, read_sources
from tertium.tune.surfaces import Candidates, GraphSurface, NBestSurface, Surface, feature_table
from tertium.tune.weight_vectors import union_of

_EXACT: Final = 1e-3
"""Model scores that features explain as well as this are features · weights, rounded."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """Hypotheses to tune on, some held out, and the weights that the model has now."""

    dev: Surface
    held_out: Surface | None
    weights: Mapping[str, float]
    dev_segments: tuple[int, ...]
    held_out_segments: tuple[int, ...]
    """Which segments of the references they are."""
    segments: int
    """How many the references have; those in neither part were damaged."""


def read_material(
    files: Sequence[AnyFile],
    references: Sequence[str | PathLike[str]] = (),
    *,
    source: str | PathLike[str] | None = None,
    hold_out: int | None = None,
    costs: bool = False,
    format: str | None = None,  # noqa: A002 - the word that users know
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Material:
    """Read n-best lists, of one run or several, or a lattice or forest for each segment.

    Without ``references``, files of any format, those inside the lists are taken; so are sources,
    for metrics that read them, unless there is a file of them. Every
    ``hold_out``-th segment is held out; one that is missing because it was damaged, and
    ``damages`` let it be skipped, is in neither part. The weights are those of the lattices or
    forests; for n-best lists those that give the model scores in the last file, or 1 where it
    has none. With ``costs`` features are costs, and weights are meant for them: a model prefers
    what has the lowest sum.
    """
    own = Damages(skip=damages is not None and damages.skip)
    runs: list[list[Numbered]] = []
    for path in files:
        before = sum(map(len, runs))
        found = numbered([path], format=format, options=options, damages=own, before=before)
        runs.append(
            [(number, _turned(structure) if costs else structure) for number, structure in found]
        )
    lists = [nbest for run in runs for nbest in _lists(run)]
    graphs = {
        number: graph
        for run in runs
        for number, graph in run
        if isinstance(graph, Lattice | Forest)
    }
    if bool(lists) == bool(graphs):
        what = "n-best lists beside lattices or forests" if lists else "nothing"
        raise InputError(f"{_name(files[-1])}: found {what}, expected one or the other{own.reason}")
    texts = _texts(references, lists, files, own)
    present = set(graphs) or {nbest.segment for nbest in lists if len(nbest)}
    _check_segments(present, len(texts), files, own, graphs=bool(graphs))
    numbers = [number for number in range(len(texts)) if number in present]
    held = [number for number in numbers if hold_out and number % hold_out == hold_out - 1]
    kept = [number for number in numbers if number not in set(held)]
    if hold_out is not None and not (held and kept):
        raise OptionError(
            f"hold out: found every {hold_out}th of {len(texts)} segments, "
            "expected some to hold out and some to tune on"
        )
    sources = _sources(source, lists, len(texts))
    if graphs:
        surfaces: list[Surface] = [
            GraphSurface(
                [graphs[number] for number in some],
                [texts[number] for number in some],
                None if sources is None else [sources[number] for number in some],
            )
            for some in (kept, held)
            if some
        ]
        weights = {
            name: float(weight)
            for graph in reversed(graphs.values())
            for name, weight in zip(graph.feature_names, graph.weights, strict=True)
        }
    else:
        surfaces = [_nbest_surface(lists, texts, sources, some) for some in (kept, held) if some]
        weights = model_weights(_lists(runs[-1]))
    if damages is not None:
        damages.include(own)
    return Material(
        dev=surfaces[0],
        held_out=surfaces[1] if held else None,
        weights=weights,
        dev_segments=tuple(kept),
        held_out_segments=tuple(held),
        segments=len(texts),
    )


def model_weights(lists: Sequence[NBest]) -> dict[str, float]:
    """The weights that give the model scores of some lists, by least squares.

    Decoders do not write their weights beside the features, but score = features · weights holds
    for every hypothesis. Where it does not, or no list has scores, all weights are 1.
    """
    names = union_of(nbest.feature_names for nbest in lists)
    scored = [nbest for nbest in lists if nbest.scores is not None]
    if scored and names:
        features = np.concatenate([feature_table(nbest, names) for nbest in scored])
        scores = np.concatenate([nbest.scores for nbest in scored if nbest.scores is not None])
        found = np.linalg.lstsq(features, scores, rcond=None)[0]
        errors = np.abs(features @ found - scores)
        if errors.max() <= _EXACT * max(1.0, np.abs(scores).max()):
            # What a feature that never varies gets is rounding.
            found = np.where(np.abs(found) > 1e-12 * np.abs(found).max(), found, 0.0)
            return dict(zip(names, found.tolist(), strict=True))
    return dict.fromkeys(names, 1.0)


def _turned(structure: Structure) -> Structure:
    """Costs as what they cost less than nothing: then higher is better, as everywhere."""
    if isinstance(structure, NBest):
        return replace(structure, features=-structure.features)
    return replace(structure, features=-structure.features, weights=-structure.weights)


def _lists(run: Iterable[Numbered]) -> list[NBest]:
    return [structure for _, structure in run if isinstance(structure, NBest)]


def _texts(
    references: Sequence[str | PathLike[str]],
    lists: Sequence[NBest],
    files: Sequence[AnyFile],
    damages: Damages,
) -> list[list[str]]:
    """The references of every segment, of files or of the lists."""
    if references:
        return [list(some) for some in read_references(references)]
    if not lists:
        raise OptionError("references: found none, expected a file of references")
    size = 1 + max([*(nbest.segment for nbest in lists), *damages.segments])
    texts: list[list[str]] = [[] for _ in range(size)]
    for nbest in lists:
        texts[nbest.segment] = texts[nbest.segment] or list(nbest.references)
    for number, some in enumerate(texts):
        if not some and not (damages.count and all(nbest.segment != number for nbest in lists)):
            raise InputError(
                f"{_name(files[0])}: segment {number}: found no reference, "
                "expected a file of references"
            )
    return texts


def _check_segments(
    present: AbstractSet[int],
    segments: int,
    files: Sequence[AnyFile],
    damages: Damages,
    *,
    graphs: bool,
) -> None:
    """Every segment of the references, and no other, is there, or was skipped."""
    location = _name(files[-1])
    if graphs and len(present) + damages.count != segments:
        # They have no numbers: if some were not written, nobody can tell which.
        raise InputError(
            f"{location}: {len(present) + damages.count} graphs in all, "
            f"expected {segments} (references)"
        )
    missing = set(range(segments)) - present
    beyond = present - set(range(segments))
    if beyond or (missing and not damages.count):
        found = f"segment {min(beyond)}" if beyond else f"no hypothesis for segment {min(missing)}"
        raise InputError(
            f"{location}: found {found}, expected segments 0 to {segments - 1} (references)"
        )


def _sources(
    source: str | PathLike[str] | None, lists: Sequence[NBest], segments: int
) -> list[str] | None:
    """The source of every segment, of a file or of the lists; nothing if some have none."""
    if source is not None:
        return read_sources(source, segments)
    known = {nbest.segment: nbest.source for nbest in lists if nbest.source is not None}
    if not known or any(nbest.source is None for nbest in lists):
        return None
    return [known.get(number, "") for number in range(segments)]


def _nbest_surface(
    lists: Sequence[NBest],
    texts: Sequence[list[str]],
    sources: Sequence[str] | None,
    numbers: Sequence[int],
) -> NBestSurface:
    places = {number: index for index, number in enumerate(numbers)}
    chosen = [
        replace(nbest, segment=places[nbest.segment]) for nbest in lists if nbest.segment in places
    ]
    own = None if sources is None else [sources[number] for number in numbers]
    return NBestSurface(Candidates.of(chosen, len(numbers)), [texts[n] for n in numbers], own)


def _name(path: AnyFile) -> str:
    return path.name if isinstance(path, TextFile) else str(path)
