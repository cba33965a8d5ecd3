"""Audit: where would output that no one wants rank among the real systems?

"It may be beneficial for human-correlation datasets to include a few straw-man systems that have
very short or very long translations" (Chiang et al. 2008, section 5).
"""

from collections import Counter
from typing import Final

import numpy as np

from tertium.audit.case import Case
from tertium.audit.findings import Finding
from tertium.audit.leads import ScoreLead, all_leads, lead_of
from tertium.audit.outputs import cutting, hypotheses_of, spaced, words_of
from tertium.inference.units import units_of
from tertium.metrics.contract.base import Rows
from tertium.text.corpus import Corpus, System

NAME: Final = "straw-men"
MOST_SEGMENTS: Final = 400
JOINED: Final = 3
"""Systems whose outputs are put one after the other."""


def straw_men(case: Case) -> list[Finding]:
    """A finding if a straw man is ahead of a real system."""
    chosen = spaced(len(case.corpus), MOST_SEGMENTS)
    corpus = case.kept_for_all("segments of straw men", lambda: case.corpus.taken(chosen))
    real = case.metric.score(case.rows[:, chosen].sum(axis=1))
    made = case.kept_for_all(
        ("straw men", cutting(case.metric), *case.ranking[:JOINED]),
        lambda: stuffed(case, chosen, corpus),
    )
    rows = {
        name: case.metric.rows_of(System(name=name, hypotheses=texts), corpus)
        for name, texts in made.items()
    }
    scores = {name: float(case.metric.score(row.sum(axis=0))) for name, row in rows.items()}
    beaten = {
        name: [
            system
            for system, value in zip(case.names, real.tolist(), strict=True)
            if case.sign * (score - value) > 0
        ]
        for name, score in scores.items()
    }
    worst = max(beaten, key=lambda name: len(beaten[name]))
    count, systems = len(beaten[worst]), len(case.systems)
    if not count:
        return []
    ahead = [name for name, some in beaten.items() if some]
    leads = _leads(case, chosen, rows[worst], beaten[worst])
    sure = sum(lead.significant for lead in leads.values())
    how = next(iter(leads.values())).method
    return [
        Finding(
            audit=NAME,
            metric=case.metric.spec,
            systems=tuple(beaten[worst]),
            severity="serious" if 2 * count >= systems > 1 else "warning",
            size=count / systems,
            numbers={
                "segments": len(chosen),
                "scores": scores,
                "ranks": {name: 1 + systems - len(beaten[name]) for name in scores},
                "beaten": beaten,
                "leads": {system: lead.to_dict() for system, lead in leads.items()},
                "real_scores": dict(zip(case.names, real.tolist(), strict=True)),
            },
            meaning=(
                f"{_described(worst)} scores {case.metric.shown(scores[worst])}, better than "
                f"{count} of {systems} systems ({', '.join(beaten[worst][:4])}"
                f"{', …' if count > 4 else ''}), {sure} of them significantly ({how})."
                + (f" So do: {', '.join(x for x in ahead if x != worst)}." if ahead[1:] else "")
            ),
            advice=(
                "Leave systems that lose to such a straw man (output that is no translation) out "
                "of the comparison, or find out what is wrong with them; if it is near the top, "
                "change the metric."
            ),
        )
    ]


def _leads(
    case: Case, chosen: list[int], straw_man: Rows, beaten: list[str]
) -> dict[str, ScoreLead]:
    """The straw man's lead over each system that it beats, on the segments chosen."""
    real = case.rows[[case.names.index(name) for name in beaten]][:, chosen]
    documents = case.units.of_segment[chosen].tolist() if case.units.unit == "document" else None
    units = units_of(len(chosen), documents)
    tested = all_leads(
        case.metric, np.concatenate([straw_man[np.newaxis], real]), units, seed=case.seed
    )
    return {
        name: lead_of(tested, (0, number), alpha=case.alpha)
        for number, name in enumerate(beaten, 1)
    }


def stuffed(case: Case, chosen: list[int], corpus: Corpus) -> dict[str, list[str]]:
    """The straw men, one output for each of the chosen segments, of which ``corpus`` consists."""
    rng = np.random.default_rng(case.seed)
    first = [text or "" for text in corpus.references.columns[0].to_list()]
    words = words_of(case.metric, first)
    lengths = [len(tokens) for tokens in words]
    counts = Counter(word for tokens in words for word in tokens)
    vocabulary = list(counts) or ["the"]
    weights = np.array([float(counts[word]) or 1.0 for word in vocabulary])
    best, *rest = case.ranking
    top = hypotheses_of(case.systems[best], chosen)
    parts = [top, *(hypotheses_of(case.systems[s], chosen) for s in rest[: JOINED - 1])]
    parts += [top] * (JOINED - len(parts))
    draws = [rng.choice(len(vocabulary), n, p=weights / weights.sum()) for n in lengths]
    noise = [" ".join(vocabulary[i] for i in drawn) for drawn in draws]
    result = {
        "empty": [""] * len(chosen),
        "one word": [max(counts, key=lambda word: counts[word], default="the")] * len(chosen),
        "noise": noise,
        "shuffled": [
            " ".join(words[i] for i in rng.permutation(len(words)))
            for words in words_of(case.metric, top)
        ],
        "concatenation": [" ".join(texts) for texts in zip(*parts, strict=True)],
    }
    if corpus.sources is not None:
        result["source"] = [text or "" for text in corpus.sources.to_list()]
    return result


def _described(name: str) -> str:
    return {
        "empty": "Output that is empty everywhere",
        "one word": "One frequent word for every segment",
        "noise": "Random words in the length of the reference",
        "shuffled": "The best system with the words of each segment shuffled",
        "concatenation": "Several systems' outputs one after the other",
        "source": "The source text itself",
    }[name]
