"""Judges to look at, as users of ``tertium meta judges`` meet them."""

from pathlib import Path
from typing import Any

import pytest

from tertium.cli.demo import SAMPLE
from tests.support.commands import error, json_output, output
from tests.support.meta.campaigns import Campaign
from tests.support.meta.span_files import appraise_file
from tests.support.ratings import write


def table(folder: Path, campaign: Campaign) -> str:
    """A campaign as a table."""
    rows = [
        f"{row.system}\t{(row.segment or 0) + 1}\t{row.judge}\t{row.value:g}\t{row.kind}"
        f"\t{row.begin}\t{row.seconds}"
        for row in campaign.ratings().rows
    ]
    head = "system\tsegment\tjudge\trating\tkind\tbegin\tseconds"
    return str(write(folder, "ratings.tsv", head, *rows))


@pytest.mark.slow
def test_a_bad_judge_is_named_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(tmp_path, Campaign(seed=5, fault="no damage"))
    shown = output(capsys, "meta", "judges", "--ratings", path)
    assert "judges of ratings.tsv rating to look at" in shown
    assert "judge-8 misses" in " ".join(shown.split())
    (report,) = json_output(capsys, "meta", "judges", "--ratings", path)["ratings"]
    bad = [one for one in report["sanity"]["checks"] if one["bad"]]
    assert [(one["judge"], one["check"]) for one in bad] == [("judge-8", "no damage")]
    assert report["needed"] is None


@pytest.mark.slow
def test_needed_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["meta", "judges", "--ratings", str(SAMPLE / "ratings.tsv"), "--criterion", "adequacy"]
    shown = output(capsys, *flags, "--needed")
    assert "what their order takes" in shown
    assert "what ratings vary by" in shown
    (usual,) = json_output(capsys, *flags, "--needed")["ratings"]
    (more,) = json_output(capsys, *flags, "--needed", "0.95")["ratings"]
    assert (usual["needed"]["power"], more["needed"]["power"]) == (0.8, 0.95)
    for one, other in zip(usual["needed"]["verdicts"], more["needed"]["verdicts"], strict=True):
        assert one["needed"] < other["needed"]
    assert "expected a number between 0 and 1" in error(capsys, *flags, "--needed", "80")


def test_standings_by_documents(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["meta", "judges", "--ratings", str(SAMPLE / "ratings.tsv"), "--criterion", "adequacy"]
    documents = ["--documents", str(SAMPLE / "documents.tsv")]
    shown = output(capsys, *flags, *documents, "--standings", "--needed")
    assert "tested over 8 documents (26 segments, 4 raters); design effect" in shown
    assert "needed documents" in shown
    (report,) = json_output(capsys, *flags, *documents, "--standings", "--needed")["ratings"]
    assert [one["system"] for one in report["standings"]["systems"]][:2] == ["alder", "elm"]
    assert report["standings"]["basis"]["unit"] == report["needed"]["unit"] == "document"
    assert all(one["documents"] == 8 for one in report["needed"]["verdicts"])
    alone = output(capsys, *flags, "--standings", "--needed")
    assert "which counts them as independent: no documents are known" in alone
    assert "segments count as independent, for no documents are known (--documents)" in alone
    (plain,) = json_output(capsys, *flags)["ratings"]
    assert plain["standings"] is None


def test_ranks_are_not_simulated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.support.ratings import RANKS

    row = "Spanish,English,1,d,1,j1,1,A,2,B,3,C,1,2,3"
    path = str(write(tmp_path, "RNK_results.csv", RANKS, row))
    flags = ["meta", "judges", "--ratings", path]
    assert "not checked: disagrees" in output(capsys, *flags)
    assert "expected ratings for standings" in error(capsys, *flags, "--standings")
    assert "expected ratings to simulate more" in error(capsys, *flags, "--needed")


def test_an_export_of_appraise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ten annotators; the last never sees that a document was damaged."""
    rows: list[tuple[Any, ...]] = []
    for user in range(10):
        for item in range(1, 16):
            score = 50 + (item * 7 + user) % 30
            for kind, less in (("TGT", 0), ("BAD", 0 if user == 9 else 20)):
                document = f"doc#A{'#bad1' if kind == 'BAD' else ''}"
                number = item + (20 if kind == "BAD" else 0)
                rows.append(
                    (f"u{user}", "A", number, kind, "eng", "deu", score - less, document, True)
                )
    path = str(appraise_file(tmp_path, rows))
    (report,) = json_output(capsys, "meta", "judges", "--ratings", path)["ratings"]
    bad = {(one["judge"], one["check"]) for one in report["sanity"]["checks"] if one["bad"]}
    assert bad == {("u9", "no damage")}
