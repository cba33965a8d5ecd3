"""Deletion rules in n-best lists, their weight set by minimum error rate training (Och 2003).

The lists are those of a hierarchical system for Bengali, with four references. A rule that
deletes words adds hypotheses: each one without the words that the system left in Bengali, and,
for whole sentences, nothing at all. Features: the decoder's own score, the number of words, and
the number of words deleted; the score of what is deleted is taken to be 0, as for a rule without
any other feature.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from experiments.data import Data
from tertium import parse_metric
from tertium.decode import NBest, read_nbest
from tertium.tune import Candidates, NBestSurface, Outcome, SearchOptions, tune

FOLDER: Final = "nbest/joshua-bn-en"
BLEU: Final = "bleu[tokenizer=none,reference_length=shortest]"
SBP: Final = "bleu-sbp[tokenizer=none]"
FEATURES: Final = ("model", "words", "deleted")
START: Final = (1.0, 0.0, -20.0)
"""Deletion is as good as forbidden."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trained:
    """What comes of one kind of rule, trained for one metric; scores are BLEU and BLEU-SBP."""

    dev: Outcome
    test: Outcome


def trained(data: Data, kind: str, spec: str) -> Trained:
    """Train on every other segment, and score both halves."""
    return data.kept(("nbest", kind, spec), lambda: _trained(data, kind, spec))


def _trained(data: Data, kind: str, spec: str) -> Trained:
    lists = list(read_nbest(data.folder / FOLDER / "output.gold"))
    references = _references(data, len(lists))
    surfaces = []
    for half in (0, 1):
        chosen = range(half, len(lists), 2)
        extended = [_extended(lists[k], kind, place) for place, k in enumerate(chosen)]
        candidates = Candidates.of(extended, len(extended))
        surfaces.append(NBestSurface(candidates, [references[k] for k in chosen]))
    metrics = {one: parse_metric(one) for one in (BLEU, SBP)}
    [found] = tune(
        surfaces[0],
        [metrics[spec]],
        START,
        held_out=surfaces[1],
        also=list(metrics.values()),
        options=SearchOptions(restarts=40),
    ).tuned
    order = [spec, *(one for one in metrics if one != spec)]
    return Trained(
        dev=_in_order(found.dev, order), test=_in_order(found.held_out or found.dev, order)
    )


def _in_order(outcome: Outcome, order: list[str]) -> Outcome:
    """The scores with BLEU first; the tuner puts the metric tuned for first."""
    by_spec = dict(zip(order, outcome.scores, strict=True))
    return replace(outcome, scores=(by_spec[BLEU], by_spec[SBP]))


def _references(data: Data, segments: int) -> list[tuple[str, ...]]:
    columns = []
    for number in range(4):
        path = data.folder / FOLDER / f"reference.en.{number}"
        columns.append(path.read_text(encoding="utf-8").split("\n")[:segments])
    return list(zip(*columns, strict=True))


def _extended(one: NBest, kind: str, segment: int) -> NBest:
    """The list with the hypotheses that deletion rules would add."""
    pairs = list(zip(one.hypotheses, one.model_scores().tolist(), strict=True))
    # A text that comes twice keeps its first score, which is the better one.
    rows = {text: (score, float(len(text.split())), 0.0) for text, score in reversed(pairs)}
    added: dict[str, tuple[float, float, float]] = {}
    if kind == "word":
        for text, (score, words, _) in rows.items():
            left = [word for word in text.split() if word.isascii()]
            gone = words - len(left)
            if left and gone:
                share = score * len(left) / words  # each word has an equal part in the score
                added.setdefault(" ".join(left), (share, float(len(left)), gone))
    elif kind == "sentence":
        words = float(np.mean([len(text.split()) for text in rows]))
        added[""] = (0.0, 0.0, words)
    every = rows | {text: row for text, row in added.items() if text not in rows}
    return NBest(
        segment=segment,
        hypotheses=tuple(every),
        feature_names=FEATURES,
        features=np.array(list(every.values())),
    )
