"""Damaged output: a loser stays one, as it is; a winner is not trusted; all tell it alike."""

import json
from functools import cache
from html import unescape
from pathlib import Path

import pytest

import tertium
from tertium.decide.verdict import Answer
from tertium.report.html.page import page
from tertium.study.answer import answer, doubt_groups
from tertium.study.results import Study
from tests.support import commands
from tests.support.audit.planted_faults import FAULTS, Texts, honest
from tests.support.corpora import corpus_of, named_systems

pytestmark = pytest.mark.slow

CUT = "has no output for the last 20 segments"
LEAKED = "output is the reference in 2"


def _weakened(text: str) -> str:
    """Every third word is gone wrong."""
    return " ".join("zq" if i % 3 == 1 else word for i, word in enumerate(text.split(" ")))


@cache
def made(strong: str = "", weak: str = "") -> Texts:
    """Two systems, the first much better; into both a fault may be planted."""
    texts = honest()
    systems = {"alef": texts.systems["ash"], "bet": [*map(_weakened, texts.systems["fir"])]}
    texts = texts._replace(systems={**systems, "gimel": texts.systems["larch"]})
    for name, fault in (("alef", strong), ("bet", weak)):
        texts = FAULTS[fault].plant(texts, name) if fault else texts
    return texts


def studied(texts: Texts, *names: str, metrics: tuple[str, ...] = ("bleu", "chrf")) -> Study:
    systems = named_systems(**{name: texts.systems[name] for name in names})
    return tertium.study(corpus_of(texts.references), systems, list(metrics), trials=500)


@pytest.mark.parametrize(
    ("strong", "weak", "names", "answered", "sentence"),
    [
        ("", "", "alef bet", "scores lower", "bet scores lower than alef, by BLEU and chrF."),
        ("", "", "bet alef", "scores higher", "alef scores higher than bet, by BLEU and chrF."),
        # Whoever loses has lost as it is, which says nothing of its model …
        (
            "",
            "missing end",
            "alef bet",
            "scores lower",
            (
                f"bet scores lower than alef as submitted, by BLEU and chrF; but bet {CUT}, so "
                "this does not show that bet's model is worse."
            ),
        ),
        (
            "",
            "missing end",
            "bet alef",
            "scores higher",
            (
                f"alef scores higher than bet as submitted, by BLEU and chrF; but bet {CUT}, so "
                "this does not show that alef's model is better."
            ),
        ),
        # … whoever wins with damaged output owes it to a metric that does not mind damage.
        (
            "missing end",
            "",
            "alef bet",
            "do not trust",
            f"do not trust that bet scores lower than alef by BLEU and chrF: alef {CUT}.",
        ),
        (
            "missing end",
            "",
            "bet alef",
            "do not trust",
            f"do not trust that alef scores higher than bet by BLEU and chrF: alef {CUT}.",
        ),
        (
            "missing end",
            "missing end",
            "bet alef",
            "do not trust",
            f"do not trust that alef scores higher than bet by BLEU and chrF: alef {CUT}.",
        ),
    ],
)
def test_two_systems(strong: str, weak: str, names: str, answered: Answer, sentence: str) -> None:
    study = studied(made(strong, weak), *names.split())
    assert study.decision is not None
    (verdict,) = study.decision.verdicts
    assert (verdict.answer, verdict.sentence) == (answered, sentence)
    # The page opens with the same words, and says them once.
    assert answer(study).headline == sentence
    shown = unescape(page(study)).lower()
    assert shown.count(verdict.claim.lower()) == 1
    assert shown.count(verdict.grounds.lower()) == 1
    sure, told = (
        answered in {"scores higher", "scores lower"},
        " as submitted" * bool(verdict.damages),
    )
    for lead in answer(study).leads:
        assert lead.sure == sure
        assert lead.verdict == (f"a clear lead{told}" if sure else f"do not trust it: alef {CUT}")


@pytest.mark.parametrize(
    ("strong", "weak", "end"),
    [
        ("", "", ", clearly."),
        # The one that is damaged is not the next best, so that nothing at the top is about it.
        ("", "missing end", ", clearly."),
        ("missing end", "", f", but do not trust it: alef {CUT}."),
    ],
)
def test_headline_of_three_systems(strong: str, weak: str, end: str) -> None:
    texts = made(strong, weak)
    gimel = [*map(_weakened, texts.systems["gimel"])]
    texts = texts._replace(systems={**texts.systems, "gimel": gimel[:-3] + texts.references[-3:]})
    study = studied(texts, "gimel", "alef", "bet")
    assert answer(study).headline == f"alef leads by BLEU and chrF{end}"
    assert study.decision is not None
    assert (study.decision["alef"].answer == "do not trust") == bool(strong)


def test_a_damaged_runner_up_is_told_at_the_top() -> None:
    texts = made("", "missing end")
    junk = [*map(_weakened, map(_weakened, [one[::-1] for one in texts.systems["gimel"]]))]
    study = studied(
        texts._replace(systems={**texts.systems, "gimel": junk}), "gimel", "alef", "bet"
    )
    assert answer(study).headline == (
        f"alef leads by BLEU and chrF, clearly as submitted; but bet {CUT}, so this does not show "
        "that alef's model is better."
    )


def test_who_knew_the_reference_and_lost_has_lost() -> None:
    study = studied(made("", "references"), "alef", "bet", "gimel")
    assert study.decision is not None
    verdict = study.decision["bet"]
    assert verdict.answer == "scores lower"
    assert verdict.damages == ()
    assert verdict.sentence.startswith("bet scores lower than alef, by chrF; ")
    assert "; and that although bet's " in verdict.sentence
    assert LEAKED in verdict.sentence


def test_who_knew_the_reference_and_won_is_not_trusted() -> None:
    study = studied(made("references"), "bet", "alef", "gimel")
    assert study.decision is not None
    assert study.decision["alef"].answer == "do not trust"
    assert LEAKED in study.decision["alef"].sentence
    assert answer(study).headline.startswith("alef leads by BLEU and chrF, but do not trust it: ")
    assert study.decision["gimel"].answer == "scores higher"


def test_a_finding_that_changes_the_answer_is_never_folded_away() -> None:
    """Of two systems the audit only warns that one is the reference, which decides all the same."""
    study = studied(made("references"), "bet", "alef")
    assert study.decision is not None
    assert study.decision["alef"].answer == "do not trust"
    (leak,) = {one.finding.meaning for one in study.decision["alef"].doubts}
    decisive = [one for group in doubt_groups(study) for one in group.shown if one.decisive]
    assert leak in [one.finding.meaning for one in decisive]
    assert doubt_groups(study)[0].first.decisive
    shown, _, folded = page(study).partition('id="other-findings"')
    told = leak.partition("'")[2][:40]
    assert told in shown
    assert told not in folded
    # The headline is the verdict, and says why.
    assert answer(study).headline == study.decision.sentences[0]
    assert LEAKED in answer(study).headline


@pytest.mark.parametrize(
    ("strong", "weak", "names", "require", "status"),
    [
        ("", "", "bet alef", "higher", 0),
        ("", "", "bet alef", "not-lower", 0),
        ("", "", "alef bet", "not-lower", 1),
        # A lead over a damaged baseline lets no build pass as higher; a damaged build is lower.
        ("", "missing end", "bet alef", "higher", 1),
        ("", "missing end", "bet alef", "not-lower", 0),
        ("", "missing end", "alef bet", "not-lower", 1),
        ("missing end", "", "bet alef", "higher", 1),
        ("missing end", "", "alef bet", "not-lower", 1),
    ],
)
def test_exit_codes_and_json_say_the_same(
    strong: str,
    weak: str,
    names: str,
    require: str,
    status: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    texts = made(strong, weak)
    for name, lines in {**texts.systems, "ref": texts.references}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    files = [str(tmp_path / name) for name in names.split()]
    flags = ["--trials", "500", "--require", require, "-f", "json"]
    ran = commands.ran(capsys, "decide", str(tmp_path / "ref"), "-i", *files, *flags)
    found = json.loads(ran.out)
    system = found["systems"][1]
    assert ran.status == status
    assert found["requirement"]["holds"] == (status == 0)
    assert bool(system["as_submitted"]) == (" as submitted" in system["sentence"]) == bool(weak)
    if (weak, require, status) == ("missing end", "higher", 1):
        (obstacle,) = found["requirement"]["obstacles"]
        assert obstacle == f"alef: scores higher as submitted, bet {CUT}"
