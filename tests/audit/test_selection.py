"""Output that was put together from the outputs of others, by a metric or without one."""

from collections.abc import Callable

import numpy as np
import pytest

import tertium
from tertium.audit.findings import Finding
from tertium.decode import NBest, mbr
from tertium.text.corpus import Corpus, System

WORDS = [
    "the", "old", "boat", "left", "a", "small", "harbour", "before", "dawn", "and", "nobody",
    "saw", "it", "go", "but", "two", "dogs", "on", "shore", "barked",
]  # fmt: skip
METRICS = ["bleu", "chrf", "ter"]
SEGMENTS = 120


def pool(segments: int = SEGMENTS) -> tuple[Corpus, list[System]]:
    """Four systems, each with its own mistakes in every segment."""
    rng = np.random.default_rng(3)
    references = [list(rng.choice(WORDS, 14)) for _ in range(segments)]

    def output(words: list[str]) -> str:
        wrong = rng.random(len(words)) < 0.35
        return " ".join(
            str(rng.choice(WORDS)) if bad else word for word, bad in zip(words, wrong, strict=True)
        )

    systems = [
        System(name=name, hypotheses=[output(words) for words in references])
        for name in ("ash", "beech", "cedar", "fir")
    ]
    return Corpus(references=[" ".join(words) for words in references]), systems


def gamed(corpus: Corpus, systems: list[System]) -> list[Finding]:
    return list(tertium.audit(corpus, systems, METRICS, only=["gaming"]))


def planted(texts: list[str]) -> System:
    return System(name="plant", hypotheses=texts)


def by_segment(systems: list[System]) -> list[list[str]]:
    columns = [[text or "" for text in one.hypotheses.to_list()] for one in systems]
    return [list(some) for some in zip(*columns, strict=True)]


@pytest.mark.parametrize("metric", METRICS)
def test_what_a_metric_chose_beside_references_is_found(metric: str) -> None:
    corpus, systems = pool()
    better = max if tertium.parse_metric(metric).higher_is_better else min
    scored = tertium.evaluate(corpus, systems, [metric], segments=True)
    scores = np.array([one.scores[0].segments for one in scored.systems])
    best = scores == getattr(np, better.__name__)(scores, axis=0)
    texts = [some[int(best[:, i].argmax())] for i, some in enumerate(by_segment(systems))]
    found = [one for one in gamed(corpus, [*systems, planted(texts)]) if one.metric == metric]
    assert [one.systems for one in found] == [("plant",)]
    assert found[0].severity == "serious"
    assert found[0].numbers["chosen_from"] == ["ash", "beech", "cedar", "fir"]
    assert found[0].numbers["against"] == "references"
    assert found[0].numbers["share"] == 1


EDITS: dict[str, Callable[[str, int], str]] = {
    "lower case": lambda text, _: text.lower(),
    "upper case": lambda text, _: text.upper(),
    "punctuation": lambda text, _: f"{text.replace(' ', ', ', 1)}!",
    "a word": lambda text, i: " ".join(
        "zebra" if place == i % 14 else word for place, word in enumerate(text.split())
    ),
    "a word less": lambda text, i: " ".join(
        word for place, word in enumerate(text.split()) if place != i % 14
    ),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("metric", METRICS)
def test_small_edits_do_not_hide_it(metric: str, edit: Callable[[str, int], str]) -> None:
    corpus, systems = pool()
    sign = 1 if tertium.parse_metric(metric).higher_is_better else -1
    scored = tertium.evaluate(corpus, systems, [metric], segments=True)
    best = (sign * np.array([one.scores[0].segments for one in scored.systems])).argmax(axis=0)
    texts = [edit(some[best[i]], i) for i, some in enumerate(by_segment(systems))]
    found = gamed(corpus, [*systems, planted(texts)])
    assert (metric, "serious") in {(one.metric, one.severity) for one in found}
    assert {one.systems for one in found} == {("plant",)}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_choice_by_chance_is_not(edit: Callable[[str, int], str]) -> None:
    corpus, systems = pool()
    rng = np.random.default_rng(5)
    texts = [edit(str(rng.choice(some)), i) for i, some in enumerate(by_segment(systems))]
    assert gamed(corpus, [*systems, planted(texts)]) == []


@pytest.mark.parametrize("metric", METRICS)
def test_minimum_bayes_risk_is_found_and_told_from_reranking(metric: str) -> None:
    corpus, systems = pool()
    lists = [
        NBest(segment=i, hypotheses=tuple(some), scores=np.zeros(4))
        for i, some in enumerate(by_segment(systems))
    ]
    plant = planted([mbr(one, metric).text for one in lists])
    found = [one for one in gamed(corpus, [*systems, plant]) if one.metric == metric]
    assert [(one.systems, one.numbers["against"]) for one in found] == [(("plant",), "others")]
    assert "minimum Bayes risk" in found[0].meaning


def test_a_choice_by_chance_is_not() -> None:
    corpus, systems = pool()
    rng = np.random.default_rng(5)
    plant = planted([str(rng.choice(some)) for some in by_segment(systems)])
    assert gamed(corpus, [*systems, plant]) == []


def test_a_copy_of_one_system_is_no_selection() -> None:
    corpus, systems = pool()
    plant = planted([text or "" for text in systems[1].hypotheses.to_list()])
    assert gamed(corpus, [*systems, plant]) == []


def test_too_few_segments_tell_nothing() -> None:
    corpus, systems = pool(segments=20)
    plant = planted([some[0] if i % 2 else some[1] for i, some in enumerate(by_segment(systems))])
    assert gamed(corpus, [*systems, plant]) == []


def test_empty_output_everywhere_is_no_selection() -> None:
    corpus, systems = pool()
    silent = [System(name=one.name, hypotheses=[""] * SEGMENTS) for one in systems]
    assert gamed(corpus, [*silent, planted([""] * SEGMENTS)]) == []
