"""Systems and ratings with planted parameters, for the tests of fitting."""

import numpy as np

from tertium._native import Texts
from tertium.meta.fit.cases import FitCase
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.contract.table import parse_metric
from tertium.text.corpus import Corpus, System
from tertium.text.references import References

WORDS = [f"w{n}" for n in range(40)]


def texts_of(seed: int, systems: int, segments: int) -> tuple[Corpus, tuple[System, ...]]:
    """Systems that differ in words lost, changed, added and put out of order."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(WORDS, 12)) for _ in range(segments)]
    made = []
    for number in range(systems):
        lost, changed, added, swapped = rng.uniform(0, [0.3, 0.3, 0.4, 0.5])
        hypotheses = []
        for reference in references:
            words = [w for w in reference.split() if rng.random() > lost]
            words = [w if rng.random() > changed else "x" for w in words]
            for place in range(len(words) - 1):
                if rng.random() < swapped:
                    words[place], words[place + 1] = words[place + 1], words[place]
            words += ["y"] * int(rng.binomial(12, added))
            hypotheses.append(" ".join(words))
        made.append(System(name=f"s{number}", hypotheses=Texts(hypotheses)))
    return Corpus(references=References.of(references), name="ref"), tuple(made)


def planted(metric: str, *, seed: int = 1, systems: int = 12, name: str = "toy") -> FitCase:
    """A case where people rate as a metric does."""
    corpus, made = texts_of(seed, systems, 40)
    chosen = parse_metric(metric).bind(corpus)
    rows = np.stack([chosen.statistics(one.hypotheses, corpus.references) for one in made])
    return FitCase(
        judgments=Judgments(
            name=name,
            criterion="planted",
            systems=tuple(one.name for one in made),
            values=chosen.score(rows.sum(axis=1)),
            segments=chosen.for_segments().score(rows),
        ),
        corpus=corpus,
        systems=made,
    )
