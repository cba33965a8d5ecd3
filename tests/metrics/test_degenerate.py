"""Empty and emptied text: one rule for each case, one test for each metric and case."""

import numpy as np
import pytest
import sacrebleu

import tertium
from tertium import Corpus, InputError, References, System
from tertium._native import Texts
from tertium.decode.mbr.matrix import utility_matrix
from tertium.metrics.contract.degenerate import (
    EMPTIED,
    EMPTY,
    NOTHING,
    OTHER,
    TEXT,
    DegenerateCase,
    own_metrics,
    removing_specs,
    segment_score,
    segments,
)
from tertium.metrics.contract.table import METRICS, parse_metric
from tests.support.commands import output
from tests.support.places import DOCS

PAGE = DOCS / "metrics" / "degenerate.md"

# By metric: text / nothing, nothing / text, nothing / nothing, text / nothing + same text, other
# text / nothing + text, nothing / nothing + text. Four words; lengths of 4 and 0 have the mean 2.
AMBER = (0, 0, 100, 100, 0, 100)  # e^(.8/4) for one row, of which one chunk is charged: cut
ROUGE = (0, 0, 100, 200 / 3, 0, 0)  # recall 4/4, precision 4/8
METEOR = (0, 0, 100, 100, 0, 0)  # the jar, but for nothing / nothing
EXPECTED_EMPTY = {
    "amber": AMBER,
    "amber-basic": AMBER,
    "bleu": (0, 0, 100, 100, 0, 100),
    "bleu-sbp": (0, 0, 100, 100, 0, 100),
    "chrf": (0, 0, 100, 100, 8.18262, 0),  # sacreBLEU, but for nothing / nothing
    "nist": (0, 0, 0, 2, 0, 0),  # every word is one of four: log2 4 = 2 bits
    "wer": (400, 100, 0, 0, 200, 0),
    "wrr": (-300, 0, 100, 100, -100, 100),
    "per": (400, 100, 0, 0, 200, 0),
    "grr": (-300, 0, 100, 100, 0, 0),
    "ter": (100, 100, 0, 0, 200, 0),  # sacreBLEU
    "terp": (100, 100, 0, 0, 51.77055, 0),  # 4 insertions at .2589 over the mean length 2
    "nee": (100, 0, 100, 100, 0, 0),
    "gtm": (0, 0, 100, 200 / 3, 0, 0),  # hits capped at the mean length 2: 2 · 2 / (4 + 2)
    "ribes": (0, 0, 100, 100, 0, 0),
    "rouge-n": ROUGE,
    "rouge-l": ROUGE,
    "rouge-w": (0, 0, 100, 64.49, 0, 0),
    "rouge-s": ROUGE,
    "rouge-su": ROUGE,
    "meteor": METEOR,
    "meteor-0.6": METEOR,
    "lrscore": (0, 0, 100, 100, 26, 100),  # α = .26 for the order, which is right
    "maxsim": (0, 0, 100, 50, 25, 50),
    "tesla-m": (0, 0, 100, 50, 25, 50),
    "paraeval": (0, 0, 100, 100, 0, 100),
    "entailment": (0, 0, 100, 100, 0, 100),
    "dependency": (0, 0, 100, 100, 0, 100),
    "semantic-roles": (0, 0, 100, 100, 0, 100),
}

# By metric: marks / text, text / marks, marks / other marks, marks / nothing, nothing / marks,
# text / marks + same text.
SIMILARITY = (0, 0, 100, 100, 100, 100)
RATE = (100, 400, 0, 0, 0, 0)
COMPLEMENT = (0, -300, 100, 100, 100, 100)
NO_WORD = (0, 0, 0, 0, 0)  # ROUGE-1.5.5 and Meteor 1.5
EXPECTED_EMPTIED = {
    "amber[punctuation=no]": (0, 0, 100, 100, 100, 100),
    "amber-basic[punctuation=no]": (0, 0, 100, 100, 100, 100),
    "bleu[punctuation=no]": SIMILARITY,
    "bleu-sbp[punctuation=no]": SIMILARITY,
    "nist[punctuation=no]": (0, 0, 0, 0, 0, 2),
    "wer[punctuation=no]": RATE,
    "wrr[punctuation=no]": COMPLEMENT,
    "per[punctuation=no]": RATE,
    "grr[punctuation=no]": COMPLEMENT,
    "ter[punctuation=no]": (100, 100, 0, 0, 0, 0),
    "terp[punctuation=no]": (100, 100, 0, 0, 0, 0),
    "gtm[punctuation=no]": (0, 0, 100, 100, 100, 200 / 3),
    "ribes[punctuation=no]": SIMILARITY,
    "rouge-n": (*NO_WORD, 200 / 3),
    "rouge-l": (*NO_WORD, 200 / 3),
    "rouge-w": (*NO_WORD, 64.49),
    "rouge-s": (*NO_WORD, 200 / 3),
    "rouge-su": (*NO_WORD, 200 / 3),
    "meteor[keep_punctuation=no]": (*NO_WORD, 100),
    "meteor-0.6[keep_punctuation=no]": (*NO_WORD, 100),
    "maxsim": (0, 0, 100, 100, 100, 50),
    "tesla-m": (0, 0, 100, 100, 100, 50),
    "paraeval[punctuation=no]": SIMILARITY,
    "entailment": SIMILARITY,
    "dependency[punctuation=no]": SIMILARITY,
    "semantic-roles[punctuation=no]": SIMILARITY,
}
CELLS = [
    pytest.param(spec, case, score, id=f"{spec}: {case.title}")
    for expected, cases in ((EXPECTED_EMPTY, EMPTY), (EXPECTED_EMPTIED, EMPTIED))
    for spec, scores in expected.items()
    for case, score in zip(cases, scores, strict=True)
]


def metric_of(spec: str) -> tertium.Metric:
    problem = METRICS[spec.partition("[")[0]].missing()
    if problem:
        pytest.skip(problem)
    return parse_metric(spec)


def test_every_metric_has_its_cells() -> None:
    assert list(EXPECTED_EMPTY) == own_metrics()
    assert list(EXPECTED_EMPTIED) == list(removing_specs())


@pytest.mark.parametrize(("spec", "case", "expected"), CELLS)
def test_cell(spec: str, case: DegenerateCase, expected: float) -> None:
    metric = metric_of(spec)
    assert segment_score(metric, case) == pytest.approx(expected, abs=5e-3)
    # A corpus of this segment alone is no better and no worse.
    hypotheses, references = segments(metric, case)
    fitted = metric.fit(references)
    alone = fitted.statistics(hypotheses, references)[0]
    assert fitted.score(alone) == pytest.approx(expected, abs=5e-3)


@pytest.mark.parametrize("spec", own_metrics())
def test_the_order_of_references_makes_no_difference(spec: str) -> None:
    metric = metric_of(spec)
    for case in EMPTY[3:]:
        turned = DegenerateCase(
            title="", hypothesis=case.hypothesis, references=case.references[::-1]
        )
        assert segment_score(metric, turned) == pytest.approx(segment_score(metric, case))


@pytest.mark.parametrize("spec", own_metrics())
def test_nothing_against_nothing_adds_nothing(spec: str) -> None:
    metric = metric_of(spec)
    hypotheses, references = segments(metric, EMPTY[2])
    rows = metric.fit(references).statistics(hypotheses, references)
    assert EMPTY[2].hypothesis == NOTHING
    assert not rows[0].any()
    assert rows[1].any()


@pytest.mark.parametrize("case", [one for one in EMPTY if one.title != "nothing / nothing"])
@pytest.mark.parametrize("whitespace", [False, True])
@pytest.mark.parametrize("word_order", [0, 2])
def test_chrf_is_sacrebleus(case: DegenerateCase, word_order: int, whitespace: bool) -> None:
    theirs = sacrebleu.CHRF(word_order=word_order, whitespace=whitespace)
    ours = parse_metric("chrf").with_options(word_order=word_order, whitespace=whitespace)
    references = list(case.references)
    expected = theirs.sentence_score(case.hypothesis, references).score
    assert segment_score(ours, case) == pytest.approx(expected, abs=1e-9)
    corpus = theirs.corpus_score([case.hypothesis, OTHER], [[one, TEXT] for one in references])
    found = tertium.score([case.hypothesis, OTHER], [references, [TEXT] * len(references)], ours)
    assert found.value == pytest.approx(corpus.score, abs=1e-9)


@pytest.mark.parametrize("case", EMPTY)
def test_ter_is_sacrebleus(case: DegenerateCase) -> None:
    expected = sacrebleu.TER().sentence_score(case.hypothesis, list(case.references)).score
    assert segment_score(parse_metric("ter"), case) == pytest.approx(expected)


def test_meteor_gives_0_where_it_reads_no_word() -> None:
    """Meteor 1.5 with -norm -noPunct: 0 for this pair."""
    metric = parse_metric("meteor[keep_punctuation=no]")
    assert tertium.score(["Ω"], ["你好"], metric, segments=True).value == 0
    both = tertium.score(["Ω", "a b"], ["你好", "a b"], metric, segments=True)
    assert both.value == 100  # the jar adds words up, and there is none in the first segment
    assert both.segments is not None
    assert both.segments.tolist() == [0, 100]


@pytest.mark.parametrize("spec", ["bleu", "bleu-sbp", "chrf", "chrf[word_order=2]", "wer", "grr"])
def test_utilities_are_segment_scores(spec: str) -> None:
    texts = [TEXT, NOTHING, OTHER]
    metric = parse_metric(spec)
    found = utility_matrix(metric, texts, texts)
    segment = metric.for_segments()
    expected = [
        [float(segment.score(segment.statistics([one], [other]))[0]) for other in texts]
        for one in texts
    ]
    np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.parametrize("name", ["bleu", "bleu-sbp", "wrr", "grr", "gtm", "ribes", "paraeval"])
def test_text_that_the_tokenizer_empties_is_nothing(name: str) -> None:
    """13a strips what mteval marks as skipped."""
    skipped, metric = "<skipped>", parse_metric(name)
    for text in (skipped, NOTHING):
        case = DegenerateCase(title="", hypothesis=skipped, references=(text,))
        assert segment_score(metric, case) == 100
    against_text = DegenerateCase(title="", hypothesis=skipped, references=(TEXT,))
    assert segment_score(metric, against_text) == 0


def test_no_segment_at_all_is_an_error() -> None:
    message = "0 segments, expected at least one"
    with pytest.raises(InputError, match=f"references: {message}"):
        tertium.score([], [])
    empty = Corpus(references=References([Texts([])]), name="test set")
    with pytest.raises(InputError, match=message):
        tertium.evaluate(empty, [System(name="one", hypotheses=Texts([]))])


def test_the_page_holds_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for line in output(capsys, "metrics", "--degenerate").splitlines():
        if "not installed" in line:
            assert line.split(" | ")[0] in page
        else:
            assert line in page
