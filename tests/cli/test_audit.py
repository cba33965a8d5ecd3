"""``tertium audit`` as users meet it."""

import json
from pathlib import Path

import pytest

import tertium
from tertium.audit import AUDITS, audit
from tertium.cli import audit as command
from tertium.cli.demo import SAMPLE
from tertium.report.console import view_text
from tertium.report.findings import SHOWN, findings_view
from tertium.text.corpus import Corpus, System
from tertium.text.references import References, column_of
from tests.support.commands import error, output

REFERENCES = [str(SAMPLE / f"reference.{number}.en") for number in (1, 2)]
SYSTEMS = [str(path) for path in sorted(SAMPLE.glob("systems/*.txt"))]
DOCUMENTS = ["--documents", str(SAMPLE / "documents.tsv")]
ALL = ["audit", *REFERENCES, "-i", *SYSTEMS, *DOCUMENTS]


def test_the_help_names_every_audit() -> None:
    for name in AUDITS:
        assert f"\n  {name} " in command.EXPLANATION


def test_text_tells_what_is_planted(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-m", "bleu", "bleu-sbp", "--only", "reversal", "licence", "--slices", "genre"]
    shown = output(capsys, *ALL, *words)
    bleu, strict = shown.split("bleu-sbp  ")
    lead = "no significant lead: p = 0.4062, randomization of 8 documents"
    assert "elm is ahead of birch in every genre (news 48.31 to 47.53, web 54.98 to 53.41)" in bleu
    assert f"birch scores better on the whole, 52.38 to 51.50 ({lead})" in bleu
    assert "birch scores better than elm only because" in bleu
    assert f"52.38 to 51.50 ({lead}), without that 49.82 to 51.14 (no significant" in bleu
    assert "p of a lead: two-sided, not corrected for the number of pairs" in shown
    assert "→ Report the scores by genre" in bleu
    assert strict.startswith("nothing found")
    assert "5 systems, 92 segments; significance level 0.05, seed 12345" in strict


def test_json_is_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(output(capsys, *ALL, "-m", "bleu", "wer", "--seed", "3", "-f", "json"))
    from tertium.text.input_files import open_inputs

    whole = open_inputs(REFERENCES, SYSTEMS, documents=DOCUMENTS[1]).load()
    report = tertium.audit(whole.corpus, whole.systems, ["bleu", "wer"], seed=3)
    assert shown == json.loads(json.dumps(report.to_dict()))
    assert shown["version"] == tertium.__version__
    for finding in shown["findings"]:
        assert set(finding) == {
            "audit",
            "metric",
            "systems",
            "severity",
            "size",
            "numbers",
            "meaning",
            "advice",
        }


def test_audits_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    shown = json.loads(output(capsys, *ALL, "--skip", "fragile", "straw-men", "-f", "json"))
    assert shown["audits"] == [name for name in AUDITS if name not in {"fragile", "straw-men"}]


def test_it_is_written_to_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "audit.json"
    words = [*ALL, "--only", "licence", "-f", "json"]
    assert output(capsys, *words, "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8") == output(capsys, *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "deletions"], "unknown audit 'deletions'; did you mean 'deletion'?"),
        (["--alpha", "0.95"], "--alpha: found '0.95', expected a significance level such as 0.05"),
        (["-m", "bleu", "bleu"], "metric 'bleu': found twice, expected once"),
        (["-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
    ],
)
def test_errors(capsys: pytest.CaptureFixture[str], words: list[str], message: str) -> None:
    assert message in error(capsys, *ALL, *words)


def test_slices_that_are_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["audit", *REFERENCES, "-i", *SYSTEMS, "--slices", "genre"]
    assert "no genre labels" in error(capsys, *words)


def test_many_findings_of_a_kind_are_counted() -> None:
    """More systems that babble than are told of in full."""
    references = [" ".join(f"w{i}n{k}" for k in range(8)) for i in range(30)]
    worse = ["x y z " * 5] * 30
    systems = [System(name=f"s{k}", hypotheses=column_of(worse, "s")) for k in range(SHOWN + 2)]
    corpus = Corpus(references=References.of(references), name="reference")
    report = audit(corpus, systems, ["wer"], only=["deletion"])
    assert len(report) == SHOWN + 2
    shown = view_text(findings_view(report))
    assert shown.count("no better than an empty line") == SHOWN
    assert "… and 2 more like this (-f json lists them all)" in shown
    assert shown.startswith(f"wer  {SHOWN + 2} notes\n")
