"""A study in plain words: no jargon, shares that add up, passages as their titles say."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import tertium
from tertium.cli.demo import SAMPLE
from tertium.meta.ratings.files import read_judgments
from tertium.study.results import Study
from tertium.study.summary import PlainSummary, numbers_of, plain_summary
from tertium.text.input_files import open_inputs
from tests.support.commands import output

JARGON = re.compile(
    r"\b(metric|bleu|chrf|ter|comet|segments?|corpus|hypothes[ie]s|references?|baseline|"
    r"significan\w*|p-value|p =|confidence|intervals?|bootstrap|resampl\w*|randomi[sz]ation|"
    r"statistic\w*|median|mean|deviation|quartiles?|n-grams?|tokens?|scores?|delta|Δ|audits?|"
    r"tiers?|ranks?|correlat\w*|detectable|power|tests?|families|verdict|evaluation)\b",
    re.IGNORECASE,
)
OWN = {"source", "reference", "outputs", "kept", "missed"}
"""What comes from the texts themselves."""


def made(names: list[str], metrics: list[str], *, rated: bool = False) -> Study:
    whole = open_inputs(
        [str(SAMPLE / "reference.1.en")],
        [str(SAMPLE / f"systems/{name}.txt") for name in names],
        source=str(SAMPLE / "source.de"),
        documents=str(SAMPLE / "documents.tsv"),
    ).load()
    ratings = read_judgments([str(SAMPLE / "ratings.tsv")], criteria=["fluency"], segments=92)
    return tertium.study(
        whole.corpus, whole.systems, metrics, trials=200, judgments=ratings if rated else ()
    )


@pytest.fixture(scope="module")
def pair() -> Study:
    return made(["birch", "alder"], ["bleu", "chrf"])


STUDIES = {
    "two": (["birch", "alder"], False),
    "turned": (["alder", "birch"], False),
    "level": (["elm", "birch"], False),
    "five": (["alder", "birch", "cedar", "dogwood", "elm"], False),
    "rated": (["alder", "birch", "cedar", "dogwood", "elm"], True),
    "rated-two": (["cedar", "elm"], True),
    "alone": (["birch"], False),
}


def sentences(value: object) -> list[str]:
    """All text that is ours, without names of systems and texts of the corpus."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for one in value for text in sentences(one)]
    if hasattr(value, "__dataclass_fields__"):
        return [
            text
            for one in fields(value)  # type: ignore[arg-type]
            if one.name not in OWN
            for text in sentences(getattr(value, one.name))
        ]
    return []


@pytest.mark.parametrize("name", STUDIES)
def test_no_word_has_to_be_looked_up(name: str) -> None:
    names, rated = STUDIES[name]
    summary = plain_summary(made(names, ["bleu", "ter"], rated=rated))
    texts = sentences(summary)
    assert len(texts) > 3
    assert [(text, found[0]) for text in texts if (found := JARGON.search(text))] == []
    assert summary.steps
    assert all(text.strip() == text and "  " not in text for text in texts)


def test_the_list_of_jargon_catches_what_experts_read() -> None:
    assert JARGON.search("birch scores higher than elm, by BLEU")
    assert JARGON.search("no significant difference")


def test_shares_are_of_all_passages(pair: Study) -> None:
    (shares,) = plain_summary(pair).shares
    assert shares.passages == 92
    assert shares.worse + shares.equal + shares.better == pytest.approx(1)
    assert shares.system == "alder"  # which is ahead, though given second
    assert shares.better > shares.worse > 0


def test_passages_say_what_their_titles_say(pair: Study) -> None:
    ahead, behind, both = plain_summary(pair).passages
    scores = pair.segments_of(pair.metrics[0])
    assert scores[1, ahead.segment] > scores[0, ahead.segment]
    assert scores[1, behind.segment] < scores[0, behind.segment]
    assert ahead.title == "alder is closer to the given translation here"
    assert behind.title == "birch is closer to the given translation here"
    assert len({ahead.segment, behind.segment, both.segment}) == 3
    assert ahead.source
    assert ahead.outputs[0] == ("alder", pair.systems[1].hypotheses[ahead.segment])


def test_the_order_of_the_command_decides_nothing() -> None:
    first, second = (
        plain_summary(made(names, ["bleu"])) for names in (["birch", "alder"], ["alder", "birch"])
    )
    assert first.say == second.say
    assert first.shares == second.shares
    assert first.passages == second.passages


def plain(references: list[str], **outputs: list[str]) -> PlainSummary:
    return plain_summary(tertium.study(outputs, references, ["chrf"], trials=50))


def test_the_same_output_is_no_choice() -> None:
    texts = ["A first passage with 12 words.", "A second passage.", "And the third one, too."]
    summary = plain(texts, old=texts, new=texts)
    assert summary.say == "new and old wrote exactly the same."
    assert summary.steps[0] == "Do not change anything because of these results."
    assert summary.shares[0].equal == 1


def test_numbers_are_counted_whatever_their_separators() -> None:
    references = ["It cost 1,000 euros in 2021.", "Nothing to count here.", "All 25 came."]
    outputs = ["It cost 1.000 euros in 2020.", "Nothing to count 7.", "All ٢٥ came."]
    (lost,) = plain(references, old=references, new=outputs).losses
    assert (lost.what, lost.of) == ("numbers", 3)
    assert dict(lost.lost) == {"old": 0, "new": 1}
    assert numbers_of("a1b") == {"1"}


def test_a_report_may_open_for_everyone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SAMPLE / "reference.1.en"), "-i", str(SAMPLE / "systems" / "elm.txt")]
    for audience in ("everyone", "experts"):
        target = tmp_path / f"{audience}.html"
        words = ["--trials", "50", "--no-audit", "--audience", audience, "-o", str(target)]
        output(capsys, "report", *files, *words)
        assert f'data-audience="{audience}"' in target.read_text(encoding="utf-8")
