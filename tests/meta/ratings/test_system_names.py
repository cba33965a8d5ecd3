"""Systems that have one name among ratings and another one as files."""

from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.ratings.system_names import match_names, read_names, with_rated_names
from tests.support.ratings import write


class TestNames:
    @pytest.mark.parametrize(
        ("given", "rated", "expected"),
        [
            ("newstest2012.es-en.onlineA", ("onlineA", "online"), "onlineA"),
            ("newstest2017.KIT.4951.de-en", ("KIT", "KIT.4951"), "KIT.4951"),
            ("onlineA", ("onlineA",), "onlineA"),
            ("onlineAB", ("onlineA",), None),
            ("KIT", ("KIT.4951",), None),
        ],
    )
    def test_names_match_between_dots(
        self, given: str, rated: tuple[str, ...], expected: str | None
    ) -> None:
        assert match_names([given], rated).get(given) == expected

    def test_ambiguous_names_are_refused(self) -> None:
        with pytest.raises(InputError, match=r"'x.A' and 'y.A': both match the rated 'A'"):
            match_names(["x.A", "y.A"], ["A"])
        with pytest.raises(InputError, match="the rated A1 and B1 are both in its name"):
            match_names(["x.A1.B1"], ["A1", "B1"])

    def test_a_file_of_names_decides(self, tmp_path: Path) -> None:
        names = read_names(str(write(tmp_path, "names.tsv", "x.A\tB", "", "y\tA")))
        assert match_names(["x.A", "y", "z"], ["A", "B"], names) == {"x.A": "B", "y": "A"}
        with pytest.raises(InputError, match="'y' is to be 'A', expected a rated system: B"):
            match_names(["y"], ["B"], names)
        with pytest.raises(InputError, match=r"names.tsv:2: 'a' again, expected it once"):
            read_names(str(write(tmp_path, "names.tsv", "a\tb", "a\tc")))
        with pytest.raises(
            InputError, match=r"names.tsv:1: found 'a b', expected name, tab, rated"
        ):
            read_names(str(write(tmp_path, "names.tsv", "a b")))

    def test_scores_take_the_rated_names(self) -> None:
        scores = MetricScores(metric="bleu", systems=("t.A", "t.X"), values=np.array([1.0, 2.0]))
        rated = Judgments(name="t", criterion="c", systems=("A", "B"), values=np.array([1.0, 2.0]))
        assert with_rated_names([scores], [rated])[0].systems == ("A", "t.X")
