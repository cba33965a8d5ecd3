"""From one format to another, where the other can say the same."""

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from tertium.decode.formats.segments import Numbered
from tertium.decode.formats.table import Format, Structure
from tertium.decode.structures.arrays import Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.lattice_forests import forest_to_lattice, lattice_to_forest
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.text.output_files import drafted

# Structures into files: complete or not at all, compressed if the name says so.


def write_pieces(pieces: Iterable[str], path: str | os.PathLike[str]) -> None:
    """Write text, one piece at a time; the file has all of it or stays what it was."""
    with drafted(path, compressed=True) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="\n")
        try:
            text.writelines(pieces)
        finally:
            text.detach()  # flushes, and leaves the stream to who opened it


def convert(
    structures: Iterable[Structure | Numbered],
    target: Format,
    *,
    best: int | None = None,
    weights: Weights = None,
    combine: bool = False,
    lossy: bool = False,
) -> Iterator[str]:
    """The text of structures in another format, in pieces.

    A lattice is also a forest, and a forest without branches a lattice. Of either, n-best lists
    take the ``best`` so many paths, numbered as they are or as they come. ``weights`` replace
    those of the structures; ``combine`` puts features · weights in the place of all features.
    What the format cannot say is an error, unless ``lossy`` allows to leave it out.
    """
    return target.write(_adapted(structures, target, best, weights, combine=combine, lossy=lossy))


def _adapted(
    structures: Iterable[Structure | Numbered],
    target: Format,
    best: int | None,
    weights: Weights,
    *,
    combine: bool,
    lossy: bool,
) -> Iterator[Structure]:
    last = -1
    for index, given in enumerate(structures):
        number, structure = given if isinstance(given, tuple) else (index, given)
        converted = _weighted(structure, weights, combine=combine)
        converted = _of_kind(converted, target, best, number)
        lost: list[str] = []
        if isinstance(converted, NBest):
            if converted.segment <= last:
                raise InputError(
                    f"found segment {converted.segment} after {last}, expected rising ones"
                )
            last = converted.segment
        else:
            converted, lost = _with_sign(converted, target)
        _check(converted, target, [*lost, *target.losses(converted)], lossy=lossy)
        yield converted


def _weighted(structure: Structure, weights: Weights, *, combine: bool) -> Structure:
    if isinstance(structure, NBest):
        if combine:
            scores = structure.model_scores(weights)
            return replace(
                structure, feature_names=(), features=np.zeros((len(structure), 0)), scores=scores
            )
        return (
            structure
            if weights is None
            else replace(structure, scores=structure.model_scores(weights))
        )
    if weights is not None:
        structure = structure.with_weights(weights)
    if not combine:
        return structure
    scores = structure.features @ structure.weights
    return replace(
        structure, feature_names=("score",), features=scores.reshape(-1, 1), weights=np.ones(1)
    )


def _of_kind(structure: Structure, target: Format, best: int | None, segment: int) -> Structure:
    if isinstance(structure, NBest) and best is not None:
        raise OptionError("--best: found n-best lists, expected lattices or forests for it")
    if target.holds is NBest and not isinstance(structure, NBest):
        if best is None:
            raise OptionError(
                f"{structure.name}: found paths, expected to be told how many of the best "
                f"format {target.name} is to have (--best)"
            )
        return structure.n_best(best, segment=segment)
    if best is not None:
        raise OptionError(f"--best: found format {target.name}, expected one of n-best lists")
    if target.holds is Lattice and isinstance(structure, Forest):
        return forest_to_lattice(structure)
    if target.holds is Forest and isinstance(structure, Lattice):
        return lattice_to_forest(structure)
    if not isinstance(structure, target.holds):
        raise InputError(f"found n-best lists, expected lattices or forests for {target.name}")
    return structure


def _with_sign(structure: Lattice | Forest, target: Format) -> tuple[Lattice | Forest, list[str]]:
    """Scores as costs, or costs as scores, if that is how the format is read."""
    sign = target.sign
    if (structure.weights == sign).all():
        return structure, []
    if (structure.weights == -sign).all():
        names = structure.feature_names
        if names in {("cost",), ("score",)}:
            names = ("cost",) if sign < 0 else ("score",)
        return replace(
            structure, feature_names=names, features=-structure.features, weights=-structure.weights
        ), []
    return structure, ["the weights of features (combine them, or keep them in a file)"]


def _check(structure: Structure, target: Format, lost: list[str], *, lossy: bool) -> None:
    location = f"segment {structure.segment}" if isinstance(structure, NBest) else structure.name
    for obstacle in target.obstacles(structure):
        raise InputError(f"{location}: format {target.name} cannot hold {obstacle}")
    if lost and not lossy:
        raise InputError(
            f"{location}: format {target.name} would lose {'; '.join(lost)} (allow it with --lossy)"
        )
