"""TER against golden outputs of tercom, sacreBLEU and MultEval."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.metrics.edit.ter import TranslationEditRate
from tests.support.golden import lines, read_golden

VARIANTS: dict[str, dict[str, Any]] = {
    "TER": {},
    "TER.cased": {"case_sensitive": True},
    "TER.norm": {"normalized": True},
    "TER.nopunct": {"punctuation": False},
    "TER.norm.cased": {"normalized": True, "case_sensitive": True},
    "TER.norm.nopunct": {"normalized": True, "punctuation": False},
}
golden_files = pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
golden_sets = pytest.mark.parametrize("name", ["heen", "heen-tok"])
golden_counts = pytest.mark.parametrize("count", [1, 2])


def golden_texts(folder: Path, system: str, count: int) -> tuple[list[str], list[list[str]]]:
    columns = [lines(folder / f"ref.{i}.txt") for i in range(count)]
    return lines(folder / f"hyp.{system}.txt"), [list(row) for row in zip(*columns, strict=True)]


@pytest.mark.shared
@golden_files
@golden_sets
@golden_counts
@pytest.mark.parametrize("measure", list(VARIANTS)[:4])
def test_golden_sacrebleu(
    shared_oracles: Path, name: str, system: str, count: int, measure: str
) -> None:
    folder = shared_oracles / name
    golden = read_golden(folder, f"sacrebleu-ter{'-1ref' if count == 1 else ''}.{system}")
    metric = TranslationEditRate(**VARIANTS[measure])
    rows = metric.statistics(*golden_texts(folder, system, count))
    assert rows[:, 0].tolist() == golden.column(f"{measure}.edits")
    assert rows[:, 1].tolist() == golden.column(f"{measure}.ref_len")
    np.testing.assert_allclose(metric.score(rows), golden.column(measure), rtol=1e-12)
    assert metric.score(rows.sum(axis=0)) == pytest.approx(float(golden.corpus[measure]))


@pytest.mark.shared
@golden_files
@golden_sets
@golden_counts
@pytest.mark.parametrize("measure", VARIANTS)
def test_golden_tercom(
    shared_oracles: Path, name: str, system: str, count: int, measure: str
) -> None:
    """Every segment, down to the kinds of its edits."""
    folder = shared_oracles / name
    golden = read_golden(folder, f"tercom-0.8.0{'-1ref' if count == 1 else ''}.{system}")
    metric = TranslationEditRate(**VARIANTS[measure], behaviour="tercom")
    rows = metric.statistics(*golden_texts(folder, system, count))
    for column, kind in enumerate(["edits", "ref_len", "ins", "del", "sub", "shift"]):
        assert rows[:, column].tolist() == golden.column(f"{measure}.{kind}"), kind


# How many segments of the golden sets differ between both programs, by measure: the difference
# that a reader of a signature has to know of. Without punctuation it is tercom's empty words,
# with normalisation that sacreBLEU cuts references twice.
DIFFERENT = {
    "TER": 0,
    "TER.cased": 0,
    "TER.norm": 2,
    "TER.nopunct": 164,
    "TER.norm.cased": 2,
    "TER.norm.nopunct": 274,
}


@pytest.mark.shared
@pytest.mark.parametrize("measure", VARIANTS)
def test_programs_differ_where_they_are_known_to(shared_oracles: Path, measure: str) -> None:
    different = []
    for name in ("heen", "heen-tok"):
        for system in ("GPT4-5shot", "ONLINE-B"):
            for count in (1, 2):
                texts = golden_texts(shared_oracles / name, system, count)
                one, other = (
                    TranslationEditRate(**VARIANTS[measure], behaviour=behaviour).statistics(*texts)
                    for behaviour in ("sacrebleu", "tercom")
                )
                places = np.flatnonzero((one[:, :2] != other[:, :2]).any(axis=1))
                different += [f"{name} {system} {count}: {place}" for place in places]
    assert len(different) == DIFFERENT[measure], different


def trans_segments(path: Path) -> dict[str, list[str]]:
    """Segments of tercom's own format: text, then an identifier in parentheses."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="latin-1").split("\n"):
        if match := re.fullmatch(r"\s*(.*?)\s*\(([^()]+)\)\s*", line):
            found.setdefault(match[2], []).append(match[1])
    return found


@pytest.mark.shared
@pytest.mark.parametrize(("behaviour", "edits"), [("tercom", 1787), ("sacrebleu", 1786)])
def test_sample_of_tercom(shared_data: Path, behaviour: Any, edits: int) -> None:
    folder = shared_data / "ter" / "tercom" / "sample-data"
    hypotheses = trans_segments(folder / "hyp.txt")
    references = trans_segments(folder / "ref.txt")
    rows = TranslationEditRate(behaviour=behaviour).statistics(
        [texts[0] for texts in hypotheses.values()], [references[key] for key in hypotheses]
    )
    assert rows[:, :2].sum(axis=0).tolist() == [edits, 3180.75]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("behaviour", "close"), [("tercom", {"abs": 1e-12}), ("sacrebleu", {"abs": 5e-5})]
)
def test_multeval(shared_data: Path, behaviour: Any, close: dict[str, Any]) -> None:
    folder = shared_data / "multeval"
    expected = float((folder / "hyps.baseline.opt0.ter.gold").read_text(encoding="utf-8"))
    metric = TranslationEditRate(behaviour=behaviour)
    rows = metric.statistics(
        lines(folder / "example" / "hyps.lc.tok.en.baseline.opt0"),
        lines(folder / "example" / "refs.test2010.lc.tok.en.0"),
    )
    assert metric.score(rows.sum(axis=0)) / 100 == pytest.approx(expected, **close)
