"""The page says what the answer and its doubts are, and nothing of its author's folders."""

import gzip
import re
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

import tertium
from tertium import report
from tertium.cli.demo import SAMPLE
from tertium.meta.ratings.files import read_judgments
from tertium.meta.ratings.judgments import Judgments
from tertium.metrics.annotation.nee import NamedEntityEvaluator
from tertium.report.html.wording import without_folders
from tertium.study.answer import doubt_groups
from tertium.study.results import Study
from tertium.text.corpus import System
from tests.support.studies import REFERENCES, SYSTEMS, sample_study

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample() -> Study:
    return sample_study("bleu", "ter", resample="segments")


def test_a_tie_is_called_one(sample: Study) -> None:
    best = sample.systems[sample.ranking(sample.metrics[0])[0]]
    twin = System(name="twin", hypotheses=best.hypotheses)
    both = tertium.study(sample.corpus, [*sample.systems, twin], ["bleu"])
    assert "tie for the lead by BLEU" in report.page(both)


def test_every_group_of_findings_is_told(sample: Study) -> None:
    assert report.page(sample).count('class="finding ') == len(doubt_groups(sample)) > 1


def test_ratings_stand_in_the_table(sample: Study) -> None:
    judgments = Judgments(
        name="test",
        criterion="quality",
        systems=sample.names,
        values=np.array([1.5, 2.25, np.nan, -3.5, 4.0]),
    )
    page = report.page(replace(sample, judgments=(judgments,), agreement=None))
    rows = page.split('id="score-table"')[1].split("</table>")[0]
    assert "quality" in rows
    for text in ("1.50", "2.25", "−3.50", "4.00", "not rated"):
        assert f">{text}<" in rows


def test_no_folder_of_the_author_is_on_the_page(sample: Study) -> None:
    names = NamedEntityEvaluator(annotations=str(SAMPLE / "entities.jsonl"))
    told = tertium.study(
        sample.corpus,
        sample.systems,
        [names, "bleu"],
        audit=False,
        judgments=read_judgments([str(SAMPLE / "ratings.tsv")], segments=92),
        command=f"tertium report {REFERENCES[0]} -i {SYSTEMS[0]} -m bleu",
    )
    page = report.page(told)
    data = re.search(r'id="payload">([^<]*)<', page)
    assert data is not None
    assert str(SAMPLE) not in page
    assert str(SAMPLE).encode() not in gzip.decompress(b64decode(data[1]))
    assert "tertium report reference.1.en -i alder.txt -m bleu" in page


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a/b.en", "a/b.en"),
        ("/a/x/b.en", "b.en"),
        ("~/x/b.en", "b.en"),
        (r"C:\Users\x\b.en", "b.en"),
        ("--source=/a/b.de", "--source=b.de"),
        ("nee[annotations=/a/b.jsonl,unit=segment]", "nee[annotations=b.jsonl,unit=segment]"),
        ("1/2 and 3 / 4", "1/2 and 3 / 4"),
        ("https://example.org/x", "https://example.org/x"),
    ],
)
def test_folders_are_taken_off(text: str, shown: str) -> None:
    assert without_folders(text) == shown
