"""Score tables on terminals of any width: split into blocks, names and numbers whole."""

import re
from io import StringIO

import pytest
from rich.console import Console

from tertium import Corpus, System, evaluate
from tertium.inference import with_intervals
from tertium.report.evaluation import score_table
from tertium.results import Evaluation

NAMES = ["a", "online-B", "a system with a rather long name that goes on 2026-11-16 (tuned)"]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    references = ["the cat sat on the mat", "it slept all day", "nobody minded it"]
    outputs = [references, references[::-1], ["the cat sat", "it slept", "nobody"]]
    corpus = Corpus(references=references)
    systems = [
        System(name=name, hypotheses=text) for name, text in zip(NAMES, outputs, strict=True)
    ]
    scored = evaluate(corpus, systems, ["bleu", "chrf", "ter", "wer"], rows=True)
    return with_intervals(scored, trials=50)


def shown(evaluation: Evaluation, width: int) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    with console.capture() as capture:
        console.print(score_table(evaluation), crop=False)
    return capture.get()


@pytest.mark.parametrize("width", [200, 100, 80, 60, 40, 20])
def test_nothing_is_cut(evaluation: Evaluation, width: int) -> None:
    text = shown(evaluation, width)
    assert "…" not in text
    for system in evaluation.systems:
        for score in system.scores:
            assert re.search(rf"(?<![\d.]){score.value:.2f}(?![\d.])", text)
    if width >= 40:
        assert max(map(len, text.splitlines())) <= width
    letters = re.sub(r"\s", "", text)
    if width >= 100:
        assert all(re.sub(r"\s", "", name) in letters for name in NAMES)
    for name in NAMES[:2]:
        assert width < 40 or name in text


def test_blocks_repeat_the_names_and_keep_columns_together(evaluation: Evaluation) -> None:
    wide, narrow = shown(evaluation, 200), shown(evaluation, 60)
    assert wide.count("online-B") == 1
    blocks = narrow.strip().split("\n\n")
    assert len(blocks) == narrow.count("online-B") > 1
    heads = [title for block in blocks for title in re.findall(r"BLEU|chrF|TER|WER", block)]
    assert heads == ["BLEU", "chrF", "TER", "WER"]
