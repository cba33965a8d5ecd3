"""Many Python threads at once: native work lets go of the interpreter's lock, so they truly meet.

With an interpreter that has no such lock everything meets; `make wheel` runs this file there, too.
"""

import random
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import product
from threading import Barrier, Event
from typing import TypeVar

import numpy as np
import pytest

import tertium
from tertium import _native
from tertium.cli.demo import SAMPLE
from tertium.decode.mbr.lists import mbr
from tertium.evaluation import evaluate
from tertium.inference.confidence import with_randomization
from tertium.text.input_files import open_inputs

pytestmark = pytest.mark.slow

T = TypeVar("T")
THREADS = 12
ROUNDS = 3
METRICS = (
    "bleu", "bleu-sbp", "nist", "chrf", "chrf[word_order=2]", "ter", "wer", "per", "grr[k=3]",
    "gtm", "ribes", "rouge-l", "rouge-s", "amber", "bleu[tokenizer=intl]", "bleu[tokenizer=zh]",
)  # fmt: skip
WHOLE = open_inputs(
    [str(SAMPLE / f"reference.{n}.en") for n in (1, 2)],
    [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))],
).load()


@pytest.fixture(autouse=True)
def _quick_changes() -> Iterator[None]:
    """Let threads take turns every few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], T]) -> list[T]:
    """The results of threads that all start at the same moment."""
    ready = Barrier(THREADS)

    def run(number: int) -> T:
        ready.wait(60)
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def scored(system: int, metric: str) -> list[float]:
    found = evaluate(WHOLE.corpus, [WHOLE.systems[system]], [metric], segments=True)
    (score,) = found.systems[0].scores
    assert score.segments is not None
    return [score.value, *score.statistics.tolist(), *score.segments.tolist()]


def test_threads_that_share_references_get_the_scores_of_one() -> None:
    work = list(product(range(len(WHOLE.systems)), METRICS))
    expected = {one: scored(*one) for one in work}

    def run(number: int) -> None:
        order = work.copy()
        random.Random(number).shuffle(order)
        for one in order * ROUNDS:
            assert scored(*one) == expected[one]

    at_once(run)


def fresh_score(texts: list[str]) -> Callable[[int], float]:
    """Scores the texts against references that nobody has used so far."""
    corpus = tertium.Corpus(references=[[one, "a test"] for one in texts])
    system = tertium.System(name="mine", hypotheses=texts)
    return lambda _: evaluate(corpus, [system], ["bleu"]).systems[0].scores[0].value


def test_references_are_prepared_once_by_whoever_comes_first() -> None:
    """Preparing them is what threads would trip over."""
    texts = [one * 3 for one in ("a small test .", "one more of them", "", "was für ein Satz")] * 50
    expected = fresh_score(texts)(0)
    for _ in range(10 * ROUNDS):
        assert at_once(fresh_score(texts)) == [expected] * THREADS


def test_tests_and_choices_are_those_of_one_thread() -> None:
    evaluation = evaluate(WHOLE.corpus, WHOLE.systems, ["bleu", "chrf"], rows=True)
    lists = [[one.hypotheses[k] or "" for one in WHOLE.systems] for k in range(20)]

    def run(_: int) -> tuple[object, ...]:
        tested = with_randomization(evaluation, trials=200, seed=3)
        scores = [one for system in tested.systems[1:] for one in system.scores]
        p_values = tuple(one.test.p_value for one in scores if one.test)
        return (*p_values, *(mbr(one, name).winner for one in lists for name in ("chrf", "ter")))

    expected = run(0)
    assert len(expected) == 8 + 40
    assert at_once(run) == [expected] * THREADS


@contextmanager
def changing(texts: list[str]) -> Iterator[None]:
    """Another thread that makes the list longer and shorter all the while."""
    done = Event()

    def change() -> None:
        while not done.is_set():
            texts.append("x" * random.Random(len(texts)).randrange(100))
            if len(texts) > 400:
                del texts[200:]

    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(change)
        try:
            yield
        finally:
            done.set()
        work.result(60)


def test_a_list_that_is_changed_meanwhile_is_read_as_it_once_was() -> None:
    """No mixture and no crash: the first half, which nobody touches, is there each time."""
    fixed = [f"Nummer {n} – ü" for n in range(200)]
    texts = fixed.copy()
    with changing(texts):
        for _ in range(200):
            found = _native.Texts(texts)
            assert [found[n] for n in range(0, 200, 20)] == fixed[::20]
            columns, bare = _native.reference_columns(texts)
            assert (columns[0][7], bare) == (fixed[7], -1)


def test_rows_are_the_same_whoever_computes_them() -> None:
    metric = tertium.parse_metric("ter")
    expected = metric.statistics(WHOLE.systems[0].hypotheses, WHOLE.corpus.references)

    def run(_: int) -> bool:
        found = metric.statistics(WHOLE.systems[0].hypotheses, WHOLE.corpus.references)
        return np.array_equal(found, expected)

    assert all(at_once(run))
