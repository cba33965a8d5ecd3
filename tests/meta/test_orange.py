"""ORANGE: the rule in plain Python, by hand, on real lists, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.meta.orange import orange
from tests.oracles import orange as oracle
from tests.support.commands import error, json_output, output

LISTS = [["the cat sat on mat", "cat on mat", "a dog"]]
REFERENCES = [["the cat sat on the mat", "the cat is on the mat"]]

words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=6).map(" ".join)
segments = st.lists(
    st.tuples(st.lists(words, min_size=1, max_size=5), st.lists(words, min_size=2, max_size=3)),
    min_size=1,
    max_size=4,
)


@given(segments)
def test_equals_the_rule(cases: list[tuple[list[str], list[str]]]) -> None:
    lists, references = ([case[side] for case in cases] for side in (0, 1))
    metrics = ["bleu[smoothing=lin-och,tokenizer=none]", "wer[tokenizer=none]"]
    bleu, wer = orange(lists, references, metrics, trials=10).scores

    def rounded_bleu(text: str, others: list[str]) -> float:
        return round(oracle.smoothed_bleu(text, others), 9)

    def rounded_accuracy(text: str, others: list[str]) -> float:
        return round(oracle.word_accuracy(text, others), 9)

    assert bleu.value == pytest.approx(oracle.orange(lists, references, rounded_bleu))
    assert wer.value == pytest.approx(oracle.orange(lists, references, rounded_accuracy))


def test_by_hand() -> None:
    # By the second, the first reference has 1 error, the candidates 2, 3 and 6: rank 1.
    # By the first, the second has 1 error, and so has the first candidate: rank 1.5.
    (score,) = orange(LISTS, REFERENCES, ["wer"]).scores
    assert score.ranks.tolist() == [1.25]
    assert score.value == 1.25 / 4
    assert score.first == 1


@given(segments)
def test_shares_stay_within_their_limits(cases: list[tuple[list[str], list[str]]]) -> None:
    lists, references = ([case[side] for case in cases] for side in (0, 1))
    (score,) = orange(lists, references, ["chrf"], trials=10).scores
    sizes = np.array([len(candidates) + 1 for candidates in lists])
    assert np.all(score.shares >= 1 / sizes)
    assert np.all(score.shares <= 1)
    assert score.interval.low <= score.interval.high


def test_only_the_first_candidates_count() -> None:
    longer = [[*LISTS[0], "the cat is on the mat", "the cat sat on the mat"]]
    (cut,) = orange(longer, REFERENCES, ["wer"], length=3).scores
    (whole,) = orange(longer, REFERENCES, ["wer"]).scores
    assert cut.value == 1.25 / 4
    assert whole.value > cut.value


def test_order_of_candidates_and_references_does_not_matter() -> None:
    (score,) = orange(LISTS, REFERENCES, ["chrf"]).scores
    (turned,) = orange([LISTS[0][::-1]], [REFERENCES[0][::-1]], ["chrf"]).scores
    assert turned.value == score.value


@pytest.mark.parametrize(
    ("lists", "references", "message"),
    [
        ([["a"]], [["a"]], "segment 1: found 1 reference, expected at least 2"),
        ([["a"], []], [["a", "b"]] * 2, "segment 2: found no candidate"),
        ([["a"]], [["a", "b"]] * 2, "lists: found 1, expected 2"),
        ([], [], "lists: found none"),
    ],
)
def test_what_cannot_be_ranked(
    lists: list[list[str]], references: list[list[str]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        orange(lists, references, ["bleu"])


def test_length_is_at_least_one() -> None:
    with pytest.raises(OptionError, match="--length: found 0"):
        orange(LISTS, REFERENCES, ["bleu"], length=0)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    nbest = tmp_path / "list.nbest"
    nbest.write_text("".join(f"0 ||| {text} ||| lm=0 ||| 0\n" for text in LISTS[0]))
    places = [tmp_path / f"ref.{number}" for number in range(2)]
    for place, text in zip(places, REFERENCES[0], strict=True):
        place.write_text(f"{text}\n")
    return [str(nbest), "-r", *map(str, places)]


def test_the_command_shows_ranks(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "meta", "orange", *files, "-m", "wer", "bleu")
    assert "WER      0.3125" in shown
    assert "1 segment, 2 references, 3.0 candidates in a list on average" in shown
    found = json_output(capsys, "meta", "orange", *files, "-m", "wer")
    assert found["metrics"][0]["orange"] == 0.3125
    assert found["metrics"][0]["rank"] == 1.25


def test_the_command_needs_references(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "expected at least 2 (a reference is ranked by the others)" in error(
        capsys, "meta", "orange", *files[:3]
    )


@pytest.mark.shared
def test_real_lists_equal_the_rule(shared_data: Path) -> None:
    folder = shared_data / "nbest" / "joshua-bn-en"
    lists: dict[int, list[str]] = {}
    for line in (folder / "output.gold").read_text(encoding="utf-8").splitlines():
        number, text, *_ = (part.strip() for part in line.split("|||"))
        lists.setdefault(int(number), []).append(text)
    columns = [
        (folder / f"reference.en.{number}").read_text(encoding="utf-8").splitlines()
        for number in range(4)
    ]
    references = [[column[number] for column in columns] for number in lists]
    (score,) = orange(
        list(lists.values()), references, ["bleu[smoothing=lin-och,tokenizer=none]"], trials=10
    ).scores

    def rounded(text: str, others: list[str]) -> float:
        return round(oracle.smoothed_bleu(text, others), 9)

    assert score.value == pytest.approx(oracle.orange(list(lists.values()), references, rounded))
