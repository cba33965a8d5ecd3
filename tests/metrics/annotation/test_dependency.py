"""Dependency overlap: triples by hand, the formula, malformed CoNLL-U, and the whole way."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError
from tertium.metrics.annotation.dependency import DependencyOverlap
from tertium.metrics.contract.table import parse_metric
from tests.oracles import dependency as oracle
from tests.support.commands import output
from tests.support.parses import conllu

JOHN_RESIGNED = conllu(
    [("john", 2, "nsubj"), ("resign", 0, "root"), ("yesterday", 2, "advmod"), (".", 2, "punct")]
)
YESTERDAY_JOHN_RESIGNED = conllu(
    [("yesterday", 3, "advmod"), ("john", 3, "nsubj"), ("resign", 0, "root")]
)
JOHN_WAS_FIRED = conllu(
    [("john", 3, "nsubj:pass"), ("be", 3, "aux:pass"), ("fire", 0, "root"), (".", 3, "punct")]
)
FIRED_JOHN = conllu([("they", 2, "nsubj"), ("fire", 0, "root"), ("john", 2, "obj")])


@pytest.mark.parametrize(
    ("hypothesis", "references", "spec", "expected"),
    [
        # order does not matter: 3 of the 3 and 4 triples agree, F = 2·3/7
        (YESTERDAY_JOHN_RESIGNED, [JOHN_RESIGNED], "dependency", 600 / 7),
        (YESTERDAY_JOHN_RESIGNED, [JOHN_RESIGNED], "dependency[measure=precision]", 100),
        (YESTERDAY_JOHN_RESIGNED, [JOHN_RESIGNED], "dependency[measure=recall]", 75),
        (YESTERDAY_JOHN_RESIGNED, [JOHN_RESIGNED], "dependency[punctuation=no]", 100),
        # the root agrees, (fire, …, john) does without its label: F = 2·1/7, 2·2/7
        (FIRED_JOHN, [JOHN_WAS_FIRED], "dependency", 200 / 7),
        (FIRED_JOHN, [JOHN_WAS_FIRED], "dependency[labelled=no]", 400 / 7),
        # the better reference counts
        (FIRED_JOHN, [JOHN_WAS_FIRED, FIRED_JOHN], "dependency", 100),
        (FIRED_JOHN, [None, FIRED_JOHN], "dependency", 100),
        # nsubj:pass is nsubj without its subtype
        (
            conllu([("john", 2, "nsubj"), ("fire", 0, "root")]),
            [conllu([("john", 2, "nsubj:pass"), ("fire", 0, "root")])],
            "dependency",
            50,
        ),
        (
            conllu([("john", 2, "nsubj"), ("fire", 0, "root")]),
            [conllu([("john", 2, "nsubj:pass"), ("fire", 0, "root")])],
            "dependency[subtypes=no]",
            100,
        ),
        # the same triple twice counts twice at most where both have it twice
        (
            conllu([("ha", 0, "root")], [("ha", 0, "root")]),
            [conllu([("ha", 0, "root")])],
            "dependency",
            200 / 3,
        ),
        # forms instead of lemmas; case
        ("1\tA\tx\t_\t_\t_\t0\troot\t_\t_", ["1\ta\tx\t_\t_\t_\t0\troot\t_\t_"], "dependency", 100),
        (
            "1\tA\t_\t_\t_\t_\t0\troot\t_\t_",
            ["1\ta\t_\t_\t_\t_\t0\troot\t_\t_"],
            "dependency[words=form]",
            0,
        ),
        (
            "1\tA\t_\t_\t_\t_\t0\troot\t_\t_",
            ["1\ta\t_\t_\t_\t_\t0\troot\t_\t_"],
            "dependency[words=form,lowercase=yes]",
            100,
        ),
        # comments, multiword tokens and empty nodes are no words
        (
            "# text = du\n1-2\tdu" + "\t_" * 8 + "\n1\tde\tde\t_\t_\t_\t0\troot\t_\t_\n"
            "1.1\t_" + "\t_" * 8 + "\n2\tle\tle\t_\t_\t_\t1\tdet\t_\t_\n",
            [conllu([("de", 0, "root"), ("le", 1, "det")])],
            "dependency",
            100,
        ),
        # an underscore is a word like any other
        ("1\t_\t_\t_\t_\t_\t0\troot\t_\t_", ["1\t_\t_\t_\t_\t_\t0\troot\t_\t_"], "dependency", 100),
        # empty input
        ("", [JOHN_RESIGNED], "dependency", 0),
        ("# nothing was said", [JOHN_RESIGNED], "dependency[measure=precision]", 0),
        (JOHN_RESIGNED, [""], "dependency[measure=recall]", 0),
        ("", ["# sent_id = 1\n"], "dependency", 100),
    ],
)
def test_segments(hypothesis: str, references: list[str], spec: str, expected: float) -> None:
    metric = parse_metric(spec)
    rows = metric.statistics([hypothesis], [references])
    assert metric.score(rows[0]) == pytest.approx(expected)


def test_both_empty_adds_nothing() -> None:
    rows = DependencyOverlap().statistics([JOHN_RESIGNED, ""], [JOHN_RESIGNED, "# empty"])
    np.testing.assert_array_equal(rows, [[4, 4, 4], [0, 0, 0]])


@st.composite
def trees(draw: st.DrawFn) -> list[oracle.Word]:
    size = draw(st.integers(1, 6))
    names, relations = st.sampled_from("abc"), st.sampled_from(["nsubj", "obj", "punct"])
    heads = [
        draw(st.sampled_from([head for head in range(size + 1) if head != n]))
        for n in range(1, size + 1)
    ]
    return [(draw(names), head, draw(relations)) for head in heads]


parses = st.lists(trees(), max_size=3)
corpora = st.lists(st.tuples(parses, parses), min_size=1, max_size=6)


@given(corpora)
def test_equals_the_formula(
    segments: list[tuple[list[list[oracle.Word]], list[list[oracle.Word]]]],
) -> None:
    metric = DependencyOverlap()
    rows = metric.statistics([conllu(*h) for h, _ in segments], [conllu(*r) for _, r in segments])
    counts = []
    for i, (hypothesis, reference) in enumerate(segments):
        ours, theirs = oracle.triples(hypothesis), oracle.triples(reference)
        counts.append((oracle.matches(ours, theirs), len(ours), len(theirs)))
        assert metric.score(rows[i]) == pytest.approx(oracle.f_score(*counts[-1]))
    np.testing.assert_array_equal(rows, counts)
    matched, ours_total, theirs_total = map(sum, zip(*counts, strict=True))
    expected = oracle.f_score(matched, ours_total, theirs_total)
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected)
    stacked = np.stack([rows, 2 * rows])
    np.testing.assert_array_equal(metric.score(stacked)[0], metric.score(rows))


@given(parses, st.booleans(), st.booleans())
def test_identical_text_is_best(
    sentences: list[list[oracle.Word]], labelled: bool, punctuation: bool
) -> None:
    metric = DependencyOverlap(labelled=labelled, punctuation=punctuation)
    assert metric.score(metric.statistics([conllu(*sentences)], [conllu(*sentences)])[0]) == 100


FIRST = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_"
SECOND = "2\tb\tb\tX\t_\t_\t1\tobj\t_\t_"


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        (
            "just words",
            "line 1: found 1 column, expected the 10 of CoNLL-U, separated by tabs",
        ),
        (f"{FIRST}\n{SECOND}\textra", "line 2: found 11 columns"),
        (f"# one\n{SECOND}", "line 2: found word number '2', expected 1"),
        (f"{FIRST}\n{FIRST}", "line 2: found word number '1', expected 2"),
        (f"{FIRST}\n\n{SECOND}", "line 3: found word number '2', expected 1"),
        (FIRST.replace("\t0\t", "\t_\t"), "line 1: found head '_', expected the number of a word"),
        (FIRST.replace("\t0\t", "\t-1\t"), "line 1: found head '-1'"),
        (
            FIRST.replace("\t0\t", "\t2\t"),
            "line 1: found head 2 of word 1, expected another word of 1 to 1, or 0",
        ),
        (FIRST.replace("\t0\t", "\t1\t"), "line 1: found head 1 of word 1"),
        (
            FIRST.replace("\ta\ta\t", "\ta\t_\t"),
            "line 1: found no lemma of 'a', expected one for every word, or words=form",
        ),
        (
            f"{FIRST}\n{SECOND.replace('obj', '_')}",
            "line 2: found no relation of 'b', expected one for every word",
        ),
    ],
)
def test_malformed_segments(segment: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        tertium.score([FIRST, segment], [FIRST, FIRST], "dependency")
    assert str(error.value).startswith(f"hypotheses: segment 2, {message}")
    with pytest.raises(InputError) as error:
        tertium.score([FIRST, FIRST], [[FIRST], [FIRST, segment]], "dependency")
    assert str(error.value).startswith(f"reference set 2: segment 2, {message}")


@given(st.text(alphabet="\t\n\r1203-._#ab", max_size=40))
def test_any_segment_is_read_or_refused(segment: str) -> None:
    error = ""
    try:
        assert tertium.score([segment], [segment], "dependency").value == 100
    except InputError as found:
        error = str(found)
    assert not error or "reference set 1: segment 1, line " in error


def test_options_parse_back() -> None:
    metric = parse_metric("dependency[labelled=no,words=form,subtypes=no,measure=recall]")
    assert parse_metric(metric.spec) == metric
    assert parse_metric(f"dependency|{metric.signature()}") == metric


def test_the_whole_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference, system = tmp_path / "reference.conllu", tmp_path / "parsed.conllu"
    reference.write_text(f"# segment = 1\n{JOHN_RESIGNED}\n\n# segment = 2\n{FIRED_JOHN}\n")
    system.write_text(f"{YESTERDAY_JOHN_RESIGNED}\n\n\n{FIRED_JOHN}\n")
    words = ["score", str(reference), "-i", str(system), "-m", "dependency", "-f", "text"]
    shown = output(capsys, *words)
    # 3 of 3 and 4 triples, then 3 of 3 and 3: F = 2·6/13
    assert "= 92.3 (P = 100.0 R = 85.7 matches = 6 hyp_triples = 6 ref_triples = 7)" in shown


# ---- several parses, synonyms and halves (He et al. 2010) -----------------------------------


def other_parse(number: int, *sentences: list[oracle.Word]) -> str:
    return f"# parse = {number}\n{conllu(*sentences)}"


SAW_MAN_WITH = [("see", 0, "root"), ("man", 1, "obj"), ("telescope", 2, "nmod")]
SAW_WITH = [("see", 0, "root"), ("man", 1, "obj"), ("telescope", 1, "obl")]
HA = [("ha", 0, "root")]


@pytest.mark.parametrize(
    ("hypothesis", "reference", "expected"),
    [
        # one parse each: two of three triples
        (conllu(SAW_MAN_WITH), conllu(SAW_WITH), 200 / 3),
        # the second parse of either side agrees
        (f"{conllu(SAW_MAN_WITH)}\n\n{other_parse(2, SAW_WITH)}", conllu(SAW_WITH), 100),
        (conllu(SAW_WITH), f"{conllu(SAW_MAN_WITH)}\n\n{other_parse(2, SAW_WITH)}", 100),
        # two sentences: the second parse of the segment has the only parse of the second sentence
        (
            f"{conllu(SAW_MAN_WITH)}\n\n{other_parse(2, SAW_WITH)}\n\n{conllu(HA)}",
            conllu(SAW_WITH, HA),
            100,
        ),
    ],
)
def test_the_parses_that_agree_best_count(hypothesis: str, reference: str, expected: float) -> None:
    assert tertium.score([hypothesis], [reference], "dependency").value == pytest.approx(expected)


def test_parses_that_are_not_counted_are_refused() -> None:
    segment = f"{conllu(SAW_WITH)}\n\n{other_parse(3, SAW_WITH)}"
    with pytest.raises(InputError, match="line 6: found parse 3, expected 2 or 1"):
        tertium.score([segment], [conllu(SAW_WITH)], "dependency")


def test_other_parses_of_a_file_belong_to_their_segment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference, system = tmp_path / "ref.conllu", tmp_path / "sys.conllu"
    reference.write_text(f"{conllu(SAW_WITH)}\n\n{conllu(SAW_WITH)}\n")
    alternatives = f"{conllu(SAW_MAN_WITH)}\n\n{other_parse(2, SAW_WITH)}"
    system.write_text(f"{alternatives}\n\n{conllu(SAW_WITH)}\n")
    words = ("score", str(reference), "-i", str(system), "-m", "dependency", "-b", "-sl")
    assert output(capsys, *words) == "100.0\n100.0\n"


@given(corpora)
def test_halves_equal_the_formula(
    segments: list[tuple[list[list[oracle.Word]], list[list[oracle.Word]]]],
) -> None:
    metric = DependencyOverlap(partial=True)
    rows = metric.statistics([conllu(*h) for h, _ in segments], [conllu(*r) for _, r in segments])
    whole = DependencyOverlap().statistics(
        [conllu(*h) for h, _ in segments], [conllu(*r) for _, r in segments]
    )
    expected = [
        oracle.partial_matches(oracle.triples(hypothesis), oracle.triples(reference))
        for hypothesis, reference in segments
    ]
    np.testing.assert_allclose(rows[:, 0], expected)
    assert np.all(rows[:, 0] >= whole[:, 0])


def test_synonyms_stand_for_words_that_the_hypothesis_lacks(tmp_path: Path) -> None:
    table = tmp_path / "synonyms"
    table.write_text("buy\n1 2\npurchase\n2\nsell\n3\n")
    buys = conllu([("john", 2, "nsubj"), ("buy", 0, "root")])
    purchases = conllu([("john", 2, "nsubj"), ("purchase", 0, "root")])
    sells = conllu([("john", 2, "nsubj"), ("sell", 0, "root")])
    # both triples have the verb: as root, and as head of the subject
    for spec, hypothesis, expected in (
        ("dependency", purchases, 0),
        (f"dependency[synonyms={table}]", purchases, 100),
        (f"dependency[synonyms={table}]", sells, 0),
        # root without its word, subject without its head: half of two
        ("dependency[partial=yes]", sells, 50),
    ):
        assert tertium.score([hypothesis], [buys], spec).value == expected
    pinned = parse_metric(f"dependency[synonyms={table}]").signature()
    assert f"|synonyms:{table}@" in pinned
    assert "synonyms" not in parse_metric("dependency").signature()
