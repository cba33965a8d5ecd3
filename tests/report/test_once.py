"""A report does each piece of work once: resamples, tables of METEOR, texts cut into words."""

from pathlib import Path

import pytest

import tertium
import tertium.compare.scores
import tertium.study.study
from tertium.cli.demo import SAMPLE
from tertium.metrics.meteor.metric import Meteor
from tertium.text.corpus import Chunk
from tertium.text.input_files import open_inputs


@pytest.fixture(scope="module")
def sample() -> Chunk:
    systems = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))][:2]
    return open_inputs([str(SAMPLE / "reference.1.en")], systems).load()


def test_tables_are_opened_once_while_their_files_stay_the_same(tmp_path: Path) -> None:
    table = tmp_path / "paraphrases"
    table.write_text("0.5\na big\na large\n")
    meteor = Meteor(paraphrases=str(table))
    first = meteor.tables()
    assert meteor.tables() is first
    table.write_text("0.5\na big\na large\n0.5\nhuge\nlarge\n")
    assert meteor.tables() is not first


def test_a_single_reference_counts_in_its_picture(sample: Chunk) -> None:
    found = tertium.explain(sample.corpus, sample.systems[:1], "meteor", segments=[1])
    assert [one.counted for one in found.segments[0].pictures] == [True]


def test_meteor_knows_that_it_folds_case() -> None:
    """So that no audit scores everything again in lower case."""
    assert not Meteor().case_sensitive
    assert not Meteor(normalize="lower").case_sensitive
    assert Meteor(normalize="no").case_sensitive
