"""The judgments of WMT08 and JCML, which have protocols and texts of their own."""

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.meta.ratings.files import read_ratings
from tertium.meta.ratings.rating_sets import Rankings, Ratings
from tests.support.meta.shuffled_exports import WMT08, jcml_file, rated_corpus
from tests.support.ratings import reasons, write


@pytest.mark.parametrize("base", [1, 3])
def test_jcml_is_laid_by_its_texts(tmp_path: Path, base: int) -> None:
    path = jcml_file(tmp_path, [5, 2], base)
    (one,) = read_ratings(path, texts=rated_corpus())
    assert isinstance(one, Rankings)
    assert (one.name, one.criterion, one.systems) == ("de-en", "rank", ("A", "B"))
    found = one.comparisons
    assert dict(zip(found.segment.tolist(), found.better.tolist(), strict=True)) == {2: 0, 5: 1}
    assert "2 outputs that a judge left unranked" in reasons(one)


def test_a_damaged_rank_of_jcml_is_named(tmp_path: Path) -> None:
    path = jcml_file(tmp_path, [5])
    path.write_text(path.read_text(encoding="utf-8").replace('"-1"', '"x"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"jcml:\d+: rank 'x', expected a number from 1 on"):
        read_ratings(path)


def test_wmt08s_protocols_are_criteria_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path, "judgments.csv", *WMT08)
    found = read_ratings(path, pair="de-en", testset="news", texts=rated_corpus())
    by_name = {one.criterion: one for one in found}
    assert set(by_name) == {"rank", "constituent", "constituent-accept", "adequacy", "fluency"}
    rank, constituent = by_name["rank"], by_name["constituent"]
    assert isinstance(rank, Rankings)
    assert isinstance(constituent, Rankings)
    assert rank.comparisons.segment.tolist() == [0, 7]
    assert (rank.comparisons.better.tolist()[0], rank.comparisons.tie.tolist()) == (
        1,
        [False, True],
    )
    assert (rank.located, constituent.located) == (True, False)
    accept, adequacy = by_name["constituent-accept"], by_name["adequacy"]
    assert isinstance(accept, Ratings)
    assert isinstance(adequacy, Ratings)
    assert not accept.located
    assert accept.value.tolist() == [1, 0]  # "not sure" is no rating
    assert "1 outputs without a rating" in reasons(accept)
    assert (adequacy.value.tolist(), set(adequacy.segment.tolist())) == ([4, 1], {4})


def test_test_sets_of_wmt08_are_not_mixed(tmp_path: Path) -> None:
    path = write(tmp_path, "judgments.csv", *WMT08)
    with pytest.raises(InputError, match=r"found test sets europarl, news, expected .*--testset"):
        read_ratings(path, pair="de-en", criteria=["rank"])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("WMT08 German,RANK,0,1,9,A,2,", r"task 'WMT08 German', expected such as French-English"),
        ("WMT08 German-English News,RANK,x,1,9,A,2,", "item 'x', expected a number from 0 on"),
        ("WMT08 German-English News,RANK,1,1,9,A,7,", "rank '7', expected 1 to 5"),
        ("WMT08 German-English News,LIKED,1,1,9,A,1,", "type 'LIKED', expected RANK"),
        ("WMT08 German-English News,CONSTITUENT_ACCEPT,1,1,9,A,4,", "answer '4', expected 1"),
        ("WMT08 German-English News,RANK", "2 columns, expected 11"),
    ],
)
def test_damaged_lines_of_wmt08_are_named(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, "judgments.csv", WMT08[0], line)
    with pytest.raises(InputError, match=rf"judgments\.csv:2: {message}"):
        read_ratings(path)
