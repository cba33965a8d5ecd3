"""Lattices in canonical form, from arcs as they come."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tertium.decode.structures.arrays import Floats, Weights
from tertium.decode.structures.canonical import Frame, Indices, lattice_order
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.decode.structures.numbering import Numbers, feature_table
from tertium.errors import InputError


def assemble_lattice(
    *,
    states: int,
    sources: Indices,
    targets: Indices,
    labels: Indices,
    features: Floats,
    start: int,
    finals: Mapping[int, Floats],
    frame: Frame,
) -> Lattice:
    """Number the states, give them one final state, sort the arcs; ``finals`` have features."""
    if not finals:
        raise InputError(f"{frame.name}: no final state, expected at least one")
    sources, targets, labels = (
        np.asarray(column, dtype=np.int64) for column in (sources, targets, labels)
    )
    leaving = np.zeros(states, dtype=bool)
    leaving[sources] = True
    final = next(iter(finals))
    if len(finals) > 1 or leaving[final] or finals[final].any():
        extra = np.array(list(finals), dtype=np.int64)
        final = states
        sources = np.concatenate((sources, extra))
        targets = np.concatenate((targets, np.full(len(extra), final)))
        labels = np.concatenate((labels, np.full(len(extra), EMPTY)))
        features = np.concatenate((features, np.array(list(finals.values()))))
        states += 1
    order = lattice_order(states, sources, targets, start, final, frame.place, trim=frame.trim)
    new_sources = order.numbers[sources[order.kept]]
    arcs = order.kept[np.argsort(new_sources, kind="stable")]
    words = Numbers()
    used = [words[label] if label >= 0 else label for label in labels[arcs].tolist()]
    return Lattice(
        **frame.fields(words.things()),
        sources=order.numbers[sources[arcs]].astype(np.int32),
        targets=order.numbers[targets[arcs]].astype(np.int32),
        labels=np.array(used, dtype=np.int32),
        features=features[arcs],
        nodes=order.states,
    )


def build_lattice(
    arcs: Iterable[Sequence[Any]],
    *,
    start: Hashable,
    finals: Mapping[Any, Any] | Iterable[Hashable] | None,
    feature_names: Sequence[str] | None,
    weights: Weights,
    name: str,
    trim: bool,
) -> Lattice:
    """See `Lattice.build`."""
    rows = [(*arc, None)[:4] for arc in arcs]
    states, words = Numbers(), Numbers()
    if start is None:
        start = rows[0][0] if rows else 0
    first = states[start]
    sources = np.array([states[row[0]] for row in rows], dtype=np.int64)
    targets = np.array([states[row[1]] for row in rows], dtype=np.int64)
    labels = np.array([words[row[2]] if row[2] else EMPTY for row in rows], dtype=np.int64)
    if finals is None:
        leaving = {row[0] for row in rows}
        finals = [state for state in states.things() if state not in leaving]
    ends = dict(finals) if isinstance(finals, Mapping) else dict.fromkeys(finals)
    for state in ends:
        if state not in states:
            raise InputError(f"{name}: final state {state!r}: no arc has it, expected one that has")
    names, features = feature_table([*(row[3] for row in rows), *ends.values()], feature_names)
    things = states.things()
    return assemble_lattice(
        states=len(states),
        sources=sources,
        targets=targets,
        labels=labels,
        features=features[: len(rows)],
        start=first,
        finals={states[state]: features[len(rows) + row] for row, state in enumerate(ends)},
        frame=Frame(
            vocabulary=words.things(),
            feature_names=names,
            weights=weights,
            name=name,
            place=lambda state: (
                f"{name}: state {things[state] if state < len(things) else 'final'}"
            ),
            trim=trim,
        ),
    )
