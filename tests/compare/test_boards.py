"""Boards of several systems: their order, ranges of ranks, and one p-value wherever it is shown."""

import time
from pathlib import Path

import pytest

import tertium
from tertium import Corpus, System
from tertium.compare import compare
from tertium.inference import with_randomization
from tertium.scored import Scored, scored
from tertium.serve.evaluation.leaderboard import study_of
from tertium.study.study import brief_study
from tests.support.places import SAMPLE

NAMES = ("alder", "birch", "cedar", "dogwood", "elm")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def sample() -> Scored:
    references = zip(*(_lines(SAMPLE / f"reference.{k}.en") for k in (1, 2)), strict=True)
    documents = [line.split("\t")[0] for line in _lines(SAMPLE / "documents.tsv")[1:]]
    corpus = Corpus(references=[list(one) for one in references], documents=documents)
    systems = [System(name=one, hypotheses=_lines(SAMPLE / f"systems/{one}.txt")) for one in NAMES]
    return scored(corpus, systems, ["bleu", "chrf"])


def test_the_board_of_the_sample_has_an_order(sample: Scored) -> None:
    """Eight documents and 20 tests, of which Holm over exact swaps finds nothing significant."""
    board = study_of(sample)
    column = dict(zip(NAMES, (board.compared(place)[0] for place in range(5)), strict=True))
    found = {name: (one.cluster, one.ranks) for name, one in column.items() if one is not None}
    assert found == {
        "alder": (1, (1, 1)),
        "birch": (2, (2, 3)),
        "elm": (2, (2, 3)),
        "dogwood": (3, (4, 4)),
        "cedar": (4, (5, 5)),
    }
    by_holm = compare(sample, sections=["scores"], correction="holm").scores
    assert by_holm is not None
    assert {one.cluster for row in by_holm.slices[0].scores for one in row} == {None}
    assert any("8 documents cannot find anything significant" in one for one in by_holm.findings)


def test_a_pair_has_the_same_p_values_in_every_command(sample: Scored) -> None:
    table = compare(sample, sections=["scores"]).scores
    assert table is not None
    decision = tertium.decide(sample, audit=False)
    board = brief_study(sample, verdicts=False)
    evaluation = with_randomization(sample)
    for place in range(1, len(NAMES)):
        for number, metric in enumerate(sample.metrics):
            (test,) = table.slices[0].scores[place][number].tests
            expected = (test.p_value, test.adjusted)
            evidence = decision.verdicts[place - 1].metrics[number]
            assert (evidence.p_value, evidence.adjusted) == expected
            pairs = board.pairs[metric.spec]
            assert (pairs.p_values[0, place], pairs.adjusted[0, place]) == expected
            scored_test = evaluation.systems[place].scores[number].test
            assert scored_test is not None
            assert (scored_test.p_value, scored_test.adjusted_p_value) == expected


def test_the_raw_p_value_of_a_pair_does_not_depend_on_the_others(sample: Scored) -> None:
    two = scored(sample.corpus, [sample.systems[1], sample.systems[4]], ["bleu"])
    alone = compare(two, sections=["scores"]).scores
    assert alone is not None
    pairs = brief_study(sample, verdicts=False).pairs["bleu"]
    assert alone.slices[0].scores[1][0].tests[0].p_value == pairs.p_values[1, 4]


@pytest.mark.shared
def test_a_board_of_26_systems_is_not_one_cluster(shared_data: Path) -> None:
    folder = shared_data / "wmt24"
    documents = [line.split("\t")[1] for line in _lines(folder / "documents/en-cs.docs")]
    corpus = Corpus(
        references=_lines(folder / "references/en-cs.refA.txt"),
        documents=documents,
    )
    systems = [
        System(name=path.stem, hypotheses=_lines(path))
        for path in sorted((folder / "system-outputs/en-cs").iterdir())
    ]
    board = scored(corpus, systems, ["bleu", "chrf"])
    start = time.process_time()
    table = compare(board, sections=["scores"]).scores
    assert time.process_time() - start < 10
    assert table is not None
    for number in range(2):
        column = [row[number] for row in table.slices[0].scores]
        assert len({one.cluster for one in column}) >= 4
        ranks = [one.ranks for one in column]
        widths = sorted(last - first + 1 for first, last in filter(None, ranks))
        assert len(widths) == 26
        assert widths[13] <= 10
        order = sorted(column, key=lambda one: -one.value)
        for place, one in enumerate(order, 1):
            assert one.ranks is not None
            assert one.ranks[0] <= place <= one.ranks[1]
