"""Minimum Bayes risk for one n-best list, lattice or forest, however it is to be done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import isnan
from pathlib import PurePath
from typing import Any, Final

import numpy as np

from tertium.decode.mbr.before_after import source_of
from tertium.decode.mbr.evidence import Evidence
from tertium.decode.mbr.linear_bleu import LinearBleu, linear_bleu_mbr
from tertium.decode.mbr.lists import Approximation, Choice, chosen_by_matrix, mbr
from tertium.decode.mbr.matrix_files import Matrices
from tertium.decode.mbr.spaces import LINEAR_BLEU, SpaceSearch, forest_linear_mbr, space_mbr
from tertium.decode.structures.arrays import Floats, Path, Weights
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import EMPTY, Lattice
from tertium.decode.structures.lattice_forests import forest_to_lattice, is_left_branching
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.costs import warn_of_pairs
from tertium.metrics.edit.grr import GramRecognitionRate
from tertium.metrics.edit.wer import WordRecognitionRate

# Exact minimum Bayes risk by GRR or WRR over all paths of a small lattice.
#
# The k-gram recognition rate is an automaton over the words of one reference (Chiang et al. 2008,
# section 4.2). For K pseudo references the K automata read a path side by side; a state is one
# state of each, so there are as many as the product: exact, and only for small cases.

MOST_CELLS: Final = 20_000_000
"""Numbers that are held in memory: nodes, or states of one automaton, × joint states."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProductChoice:
    """The path of a lattice with the best expected rate, exactly."""

    path: Path
    expected: float
    utility: str
    evidence: Evidence

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return self.path.text


def product_mbr(
    lattice: Lattice, evidence: Evidence, utility: Metric, *, weights: Weights = None
) -> ProductChoice:
    """The path with the largest Σ_r p(r) · rate(path, r) among all, for GRR and WRR.

    Numerators are maxima over alignments and denominators depend on r alone, so the expectation
    of a path is the best joint run of the K automata, weighted by p(r) / denominator(r).
    """
    k, alpha, beta = _rates(utility)
    if lattice.arcs == 0:
        raise InputError(f"{lattice.name}: found no arcs, expected some")
    automata = [
        _Automaton.of(utility.words(text), k, alpha, beta, share)  # type: ignore[attr-defined]
        for text, share in zip(evidence.texts, evidence.probabilities.tolist(), strict=True)
    ]
    shape = tuple(automaton.states for automaton in automata)
    # A step looks at every pair of a joint state and a state of one automaton.
    cells = max(lattice.nodes, *shape) * int(np.prod([float(size) for size in shape]))
    if cells > MOST_CELLS:
        raise OptionError(
            f"{lattice.name}: found {cells:,} cells for {len(evidence)} pseudo references, "
            f"expected at most {MOST_CELLS:,}; sampled evidence has no such limit"
        )
    tables = _forward(lattice, automata, shape)
    ends = reduce(np.add.outer, [automaton.ends for automaton in automata])
    last = tables[-1] + ends
    arcs = _backward(lattice, automata, tables, np.unravel_index(int(last.argmax()), shape))
    return ProductChoice(
        path=lattice.path(arcs, weights),
        expected=100 * float(last.max()),
        utility=utility.spec,
        evidence=evidence,
    )


def _rates(utility: Metric) -> tuple[int, float, float]:
    """k, α and β; WRR is the rate with k = 1, α = 1, β = 0."""
    if type(utility) is GramRecognitionRate:
        return utility.k, utility.alpha, utility.beta
    if type(utility) is WordRecognitionRate:
        return 1, 1.0, 0.0
    raise OptionError(f"product: found utility {utility.spec}, expected grr or wrr")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Automaton:
    """States (position, matches in a row) of one reference, as max-plus matrices."""

    starts: Floats
    """By state: what words deleted before the first one cost."""
    ends: Floats
    """By state: what words deleted after the last one cost."""
    words: dict[str, Floats]
    """By word of the reference: from state, to state."""
    other: Floats
    """The same for any other word."""

    @property
    def states(self) -> int:
        return len(self.ends)

    def step(self, word: str) -> Floats:
        return self.words.get(word, self.other)

    @classmethod
    def of(cls, words: list[str], k: int, alpha: float, beta: float, share: float) -> "_Automaton":
        """Weights are in units of the expectation: probability over denominator."""
        length = len(words)
        if length == 0:
            raise InputError("pseudo references: found one without a word, expected words")
        unit = share / sum(length - n for n in range(min(k, length)))
        states = [(i, m) for i in range(length + 1) for m in range(min(i, k - 1) + 1)]
        places = {state: index for index, state in enumerate(states)}
        none = np.full((len(states), len(states)), -np.inf)

        def deletions(position: int) -> Floats:
            """Being at a position, and at any later one after deletions."""
            row = np.full(len(states), -np.inf)
            for later in range(position, length + 1):
                row[places[later, 0]] = -beta * (later - position)
            return row

        def matrix(word: str | None) -> Floats:
            table = none.copy()
            for index, (i, m) in enumerate(states):
                row = table[index]
                np.maximum(row, deletions(i) - alpha, out=row)  # inserted
                if i < length:
                    np.maximum(row, deletions(i + 1), out=row)  # substituted
                    if words[i] == word:
                        gain = min(m + 1, k)
                        target = places[i + 1, min(m + 1, k - 1)]
                        row[target] = max(row[target], gain)
                        np.maximum(row, deletions(i + 1) + gain, out=row)
            return table * unit

        return cls(
            starts=deletions(0) * unit,
            ends=np.array([-beta * (length - i) for i, _ in states]) * unit,
            words={word: matrix(word) for word in set(words)},
            other=matrix(None),
        )


def _forward(lattice: Lattice, automata: list[_Automaton], shape: tuple[int, ...]) -> list[Floats]:
    """For each node the best weight of every joint state."""
    tables = [np.full(shape, -np.inf) for _ in range(lattice.nodes)]
    tables[0] = reduce(np.add.outer, [automaton.starts for automaton in automata])
    arcs = zip(lattice.sources, lattice.targets, lattice.labels.tolist(), strict=True)
    for source, target, label in arcs:
        reached = tables[source]
        if label != EMPTY:
            for axis, automaton in enumerate(automata):
                moved = np.moveaxis(reached, axis, -1)
                best = (moved[..., :, None] + automaton.step(lattice.vocabulary[label])).max(
                    axis=-2
                )
                reached = np.moveaxis(best, -1, axis)
        np.maximum(tables[target], reached, out=tables[target])
    return tables


def _backward(
    lattice: Lattice,
    automata: list[_Automaton],
    tables: list[Floats],
    state: tuple[np.intp, ...],
) -> list[int]:
    """The arcs of a path that ends in a joint state with its weight."""
    into: list[list[int]] = [[] for _ in range(lattice.nodes)]
    for arc, target in enumerate(lattice.targets.tolist()):
        into[target].append(arc)
    node, arcs = lattice.nodes - 1, []
    while node != 0:
        best, chosen, before = -np.inf, -1, state
        for arc in into[node]:
            table, label = tables[lattice.sources[arc]], int(lattice.labels[arc])
            if label == EMPTY:
                value, index = float(table[state]), state
            else:
                word = lattice.vocabulary[label]
                steps = [
                    automaton.step(word)[:, s] for automaton, s in zip(automata, state, strict=True)
                ]
                total = table + reduce(np.add.outer, steps)
                index = np.unravel_index(int(total.argmax()), total.shape)
                value = float(total[index])
            if value > best:
                best, chosen, before = value, arc, index
        arcs.append(chosen)
        node, state = int(lattice.sources[chosen]), before
    return arcs[::-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class MbrSetting:
    """How the choice is made. Without a utility it is linear BLEU, for lattices and forests."""

    utility: Metric | None
    scale: float = 1.0
    prune: bool = False
    approximate: Approximation | None = None
    search: SpaceSearch = field(default_factory=SpaceSearch)
    all_paths: int | None = None
    """Search all paths of a lattice exactly, against so many of its best paths (GRR, WRR)."""
    formula: LinearBleu = field(default_factory=LinearBleu)
    margin: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MbrDecision:
    """What was chosen for one segment; ``first`` is what the model thinks most probable.

    ``pairs`` were scored of ``all_pairs`` that there are (0 where pairs are not what is compared).
    ``approximation`` says what was left out; it is empty if the choice is exact. ``utilities``
    are the candidates with their expected scores (None for one that pruning gave up), where they
    were asked for and can be listed. ``label`` is what the file calls the segment, if that is no
    number.
    """

    segment: int
    text: str
    expected: float
    first: str
    candidates: int
    evidence: int
    pairs: int = 0
    all_pairs: int = 0
    approximation: str = ""
    utilities: tuple[tuple[str, float | None], ...] = field(default=(), repr=False)
    label: str = ""

    @classmethod
    def of(cls, choice: Choice, first: str, *, detailed: bool = True) -> "MbrDecision":
        """A choice without its evidence; ``detailed`` keeps what all candidates would gain."""
        utilities: tuple[tuple[str, float | None], ...] = ()
        if detailed:  # else what was not needed for the choice is never computed
            expected = (None if isnan(value) else value for value in choice.expected.tolist())
            utilities = tuple(zip(choice.candidates, expected, strict=True))
        return cls(
            segment=choice.segment,
            text=choice.text,
            expected=choice.score,
            first=first,
            candidates=len(choice.candidates),
            evidence=len(choice.evidence),
            pairs=choice.pairs,
            all_pairs=0 if choice.approximation else len(choice.candidates) * len(choice.evidence),
            approximation=choice.approximation,
            utilities=utilities,
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **{name: getattr(self, name) for name in MbrDecision.__slots__},
            "utilities": [{"text": text, "expected": value} for text, value in self.utilities],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Decider:
    """A setting and what else decisions need; ``keep`` gets every choice with its matrix.

    With ``saved`` utilities the setting's own is what the user thinks they are, or None. Only
    ``detailed`` decisions keep the expected utility of every candidate.
    """

    setting: MbrSetting
    weights: Weights = None
    saved: Matrices | None = None
    keep: Callable[[Choice], None] | None = None
    detailed: bool = True
    sources: Sequence[str] | None = None
    """The source of each segment, for a utility that reads it."""

    @property
    def utility(self) -> str:
        """What is maximised, as results call it: what a file of utilities says, if there is one."""
        own = self.setting.utility
        if self.saved is None:
            return LINEAR_BLEU if own is None else own.spec
        return self.saved.utility or (
            own.spec if own is not None else f"utilities of {PurePath(self.saved.name).name}"
        )

    @property
    def _prune(self) -> bool | None:
        """Whether to give candidates up; details of all of them are computed in one go."""
        return self.setting.prune or (False if self.detailed else None)

    def decide(
        self, structure: NBest | Lattice | Forest, place: int, candidates: NBest | None = None
    ) -> MbrDecision:
        """The decision for one structure; ``place`` numbers what has no number of its own."""
        if isinstance(structure, NBest):
            return self._from_list(structure, candidates)
        setting = self.setting
        if candidates is not None or self.saved is not None or self.keep or setting.prune:
            raise OptionError(
                "mbr: found lattices or forests, expected n-best lists for separate candidates, "
                "saved matrices and pruning"
            )
        if setting.approximate is not None:
            found = f"found {setting.approximate} with lattices or forests"
            raise OptionError(f"mbr: {found}, expected n-best lists")
        if setting.utility is None:
            return self._linear(structure, place)
        if setting.all_paths is not None:
            return self._over_all_paths(structure, place, setting.utility, setting.all_paths)
        choice = space_mbr(
            structure,
            setting.utility.of_source(source_of(structure, place, self.sources)),
            setting.search,
            weights=self.weights,
            segment=place,
            prune=self._prune,
        )
        return MbrDecision.of(choice, structure.best(self.weights).text, detailed=self.detailed)

    def _from_list(self, nbest: NBest, candidates: NBest | None) -> MbrDecision:
        setting = self.setting
        if candidates is not None and candidates.segment != nbest.segment:
            found = f"found segment {candidates.segment}"
            raise InputError(f"candidates: {found}, expected {nbest.segment} (evidence)")
        scores = nbest.scores if self.weights is None else nbest.model_scores(self.weights)
        location = f"segment {nbest.segment}"
        evidence = Evidence.of(nbest.hypotheses, scores, scale=setting.scale, place=location)
        texts = nbest.hypotheses if candidates is None else candidates.hypotheses
        if self.saved is not None:
            choice = self._from_file(
                self.saved, nbest.segment, tuple(dict.fromkeys(texts)), evidence
            )
        else:
            utility = self._utility_of(nbest)
            warn_of_pairs(utility, texts, evidence.texts, location)
            choice = mbr(
                NBest(segment=nbest.segment, hypotheses=texts),
                utility,
                evidence=evidence,
                prune=self._prune,
                approximate=setting.approximate,
                keep_matrix=self.keep is not None,
            )
        if self.keep is not None:
            self.keep(choice)
        decision = MbrDecision.of(choice, choice.most_probable, detailed=self.detailed)
        return replace(decision, label=nbest.label)

    def _utility_of(self, nbest: NBest) -> Metric:
        if self.setting.utility is None:
            raise OptionError("mbr: found linear-bleu with n-best lists, expected a metric")
        return self.setting.utility.of_source(source_of(nbest, nbest.segment, self.sources))

    def _from_file(
        self, saved: Matrices, segment: int, candidates: tuple[str, ...], evidence: Evidence
    ) -> Choice:
        own, higher = self.setting.utility, saved.higher_is_better
        if higher is None:
            higher = own is None or own.higher_is_better
        return chosen_by_matrix(
            saved.of(segment, candidates, evidence.texts),
            candidates,
            evidence,
            segment=segment,
            utility=self.utility,
            higher_is_better=higher,
        )

    def _linear(self, structure: Lattice | Forest, index: int) -> MbrDecision:
        setting, first = self.setting, structure.best(self.weights).text
        if isinstance(structure, Forest) and is_left_branching(structure):
            structure = forest_to_lattice(structure)  # exact then
        if isinstance(structure, Forest):
            if setting.margin is not None:
                raise OptionError("margin: found a forest, expected lattices")
            choice = forest_linear_mbr(
                structure, setting.formula, setting.search, weights=self.weights, segment=index
            )
            return MbrDecision.of(choice, first, detailed=self.detailed)
        result = linear_bleu_mbr(
            structure,
            setting.formula,
            scale=setting.scale,
            margin=setting.margin,
            weights=self.weights,
        )
        paths = structure.count_paths()
        return MbrDecision(
            segment=index,
            text=result.text,
            expected=result.gain,
            first=first,
            candidates=paths,
            evidence=paths,
        )

    def _over_all_paths(
        self, structure: Lattice | Forest, index: int, utility: Metric, size: int
    ) -> MbrDecision:
        if isinstance(structure, Forest):
            raise OptionError("mbr: found a forest, expected lattices to search all paths of")
        best = structure.n_best(size, self.weights)
        evidence = Evidence.of(best.hypotheses, best.scores, scale=self.setting.scale)
        exact = product_mbr(structure, evidence, utility, weights=self.weights)
        return MbrDecision(
            segment=index,
            text=exact.text,
            expected=exact.expected,
            first=best.hypotheses[0],
            candidates=structure.count_paths(),
            evidence=len(evidence),
            approximation=f"candidates: all paths; evidence: {size} best paths",
        )
