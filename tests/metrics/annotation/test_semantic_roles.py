"""Semantic roles: by hand, the formula, every layout of columns, what is malformed, labelers."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.metrics.annotation.semantic_roles import (
    LABELERS,
    Proposition,
    RoleWord,
    SemanticRoles,
    read_propositions,
)
from tertium.metrics.contract.table import parse_metric
from tests.oracles import semantic_roles as oracle
from tests.support.commands import output


def rows(*lines: str) -> str:
    return "\n".join("\t".join(line.split()) for line in lines)


# CoNLL-U, predicate, one column for each predicate
CAT = rows(
    "1 The the DET _ _ 2 det _ _ _ _",
    "2 cat cat NOUN _ _ 3 nsubj _ _ _ A0",
    "3 ate eat VERB _ _ 0 root _ _ eat.01 _",
    "4 the the DET _ _ 5 det _ _ _ _",
    "5 fish fish NOUN _ _ 3 obj _ _ _ A1",
    "6 today today NOUN _ _ 3 obl _ _ _ AM-TMP",
)
# 'The fish was eaten by the cat': the same roles, one word more in A0
PASSIVE = rows(
    "1 The the DET _ _ 2 det _ _ _ _",
    "2 fish fish NOUN _ _ 4 nsubj:pass _ _ _ A1",
    "3 was be AUX _ _ 4 aux _ _ _ _",
    "4 eaten eat VERB _ _ 0 root _ _ eat.01 _",
    "5 by by ADP _ _ 7 case _ _ _ _",
    "6 the the DET _ _ 7 det _ _ _ _",
    "7 cat cat NOUN _ _ 4 obl _ _ _ A0",
)
# 'The cat ate the fish today' in CoNLL-2009
CAT_2009 = rows(
    "1 The the the DT DT _ _ 2 2 NMOD NMOD _ _ _",
    "2 cat cat cat NN NN _ _ 3 3 SBJ SBJ _ _ A0",
    "3 ate eat eat VBD VBD _ _ 0 0 ROOT ROOT Y eat.01 _",
    "4 the the the DT DT _ _ 5 5 NMOD NMOD _ _ _",
    "5 fish fish fish NN NN _ _ 3 3 OBJ OBJ _ _ A1",
    "6 today today today NN NN _ _ 3 3 TMP TMP _ _ AM-TMP",
)
CAT_BRACKETS = rows(
    "1 The the DET _ _ 2 det _ _ _ (A0*",
    "2 cat cat NOUN _ _ 3 nsubj _ _ _ *)",
    "3 ate eat VERB _ _ 0 root _ _ eat (V*)",
    "4 the the DET _ _ 5 det _ _ _ (A1*",
    "5 fish fish NOUN _ _ 3 obj _ _ _ *)",
    "6 today today NOUN _ _ 3 obl _ _ _ (AM-TMP*)",
)
CAT_UNIVERSAL = rows(
    "1 The the DET _ _ 2 det _ _ _ _ _",
    "2 cat cat NOUN _ _ 3 nsubj _ _ _ _ _",
    "3 ate eat VERB _ _ 0 root _ _ eat.01 ARG0:2|ARG1:5|ARGM-TMP:6 A0:1-2|A1:4-5|AM-TMP:6-6",
    "4 the the DET _ _ 5 det _ _ _ _ _",
    "5 fish fish NOUN _ _ 3 obj _ _ _ _ _",
    "6 today today NOUN _ _ 3 obl _ _ _ _ _",
)
ROLES = [("A0", ["The", "cat"]), ("A1", ["the", "fish"]), ("AM-TMP", ["today"])]


@pytest.mark.parametrize("segment", [CAT, CAT_2009, CAT_BRACKETS, CAT_UNIVERSAL])
def test_layouts_tell_the_same(segment: str) -> None:
    (found,) = read_propositions(segment)
    assert found.predicate == RoleWord("ate", "eat")
    assert [(label, [word.form for word in words]) for label, words in found.roles] == ROLES


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # words in A0: The cat / by the cat → cat of 4; A1: the fish / The fish → 1 of 3; TMP 0 of 1
        ("", 100 * 2 / 8),
        ("lowercase=yes", 100 * 4 / 6),
        ("match=filler", 0),
        ("match=filler,lowercase=yes", 100 * 1 / 4),  # the fish, of 2 + 1 + 1
        ("match=role", 100 * 2 / 3),
        ("match=role,verbs=yes", 100 * 2 / 3),
        # without labels: the the cat fish of those and by, today
        ("labelled=no,lowercase=yes", 100 * 4 / 6),
        ("fillers=head", 100 * 2 / 3),
        ("fillers=head,words=lemma", 100 * 2 / 3),
    ],
)
def test_variants_by_hand(options: str, expected: float) -> None:
    metric = parse_metric(f"semantic-roles[{options}]" if options else "semantic-roles")
    assert metric.score(metric.statistics([PASSIVE], [CAT])[0]) == pytest.approx(expected)


def test_verbs_must_be_the_same() -> None:
    other = CAT.replace("ate\teat", "saw\tsee")
    for spec, expected in (("semantic-roles", 100), ("semantic-roles[verbs=yes]", 0)):
        metric = parse_metric(spec)
        assert metric.score(metric.statistics([other], [CAT])[0]) == expected


def test_predicate_is_no_part_of_its_filler() -> None:
    # 'fish that swims': fish is A0 of swims, which stands below it
    segment = rows(
        "1 fish fish NOUN _ _ 0 root _ _ _ A0",
        "2 that that PRON _ _ 3 nsubj _ _ _ R-A0",
        "3 swims swim VERB _ _ 1 acl _ _ swim.01 _",
    )
    (found,) = read_propositions(segment)
    assert [(label, [w.form for w in words]) for label, words in found.roles] == [
        ("A0", ["fish"]),
        ("R-A0", ["that"]),
    ]


def test_best_reference_counts_and_silence_adds_nothing() -> None:
    metric = SemanticRoles()
    table = metric.statistics([CAT, "", CAT], [[PASSIVE, CAT], ["# no roles"], [""]])
    np.testing.assert_allclose(table, [[5, 5, 1, 1], [0, 0, 0, 0], [0, 5, 0, 1]])
    assert metric.score(table.sum(axis=0)) == 50
    counts = metric.with_options(corpus="counts")
    assert counts.score(table.sum(axis=0)) == 50


frames = st.lists(
    st.tuples(
        st.sampled_from(["eat", "see"]),
        st.lists(
            st.tuples(
                st.sampled_from(["A0", "A1", "AM"]),
                st.lists(st.sampled_from("abc"), min_size=1, max_size=3),
            ),
            max_size=3,
        ),
    ),
    max_size=3,
)


def written(case: list[oracle.Frame]) -> list[Proposition]:
    return [
        Proposition(
            RoleWord(predicate, predicate),
            tuple((label, tuple(RoleWord(word, word) for word in words)) for label, words in roles),
        )
        for predicate, roles in case
    ]


@given(
    segments=st.lists(st.tuples(frames, frames), min_size=1, max_size=4),
    match=st.sampled_from(["words", "filler", "role"]),
    labelled=st.booleans(),
    verbs=st.booleans(),
)
def test_equals_the_formula(
    segments: list[tuple[list[oracle.Frame], list[oracle.Frame]]],
    match: str,
    labelled: bool,
    verbs: bool,
) -> None:
    metric = SemanticRoles().with_options(match=match, labelled=labelled, verbs=verbs)
    table = np.array(
        [metric.row(metric.items(written(h)), [metric.items(written(r))]) for h, r in segments]
    )
    expected = oracle.score(segments, match=match, labelled=labelled, verbs=verbs)
    assert metric.score(table.sum(axis=0)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        ("1\ta\ta", "line 1: found 3 columns, expected at least 11"),
        (rows("1 a a X _ _ 0 root _ _ a.01"), "found predicate 1 and 0 columns of roles"),
        (rows("2 a a X _ _ 0 root _ _ _ _"), "found word number '2', expected 1"),
        (rows("1 a a X _ _ x root _ _ _ _"), "found head 'x', expected the number of a word"),
        (rows("1 a a X _ _ 7 root _ _ _ _"), "found head 7, expected a word of 1 to 1, or 0"),
        (rows("1 a a X _ _ 0 root _ _ a (A0*"), "found no end of role A0"),
        (rows("1 a a X _ _ 0 root _ _ a *)"), "outside of a role"),
        (rows("1 a a X _ _ 0 root _ _ a A0:9"), "found role 'A0:9', expected words of 1 to 1"),
        (
            rows("1 a a X _ _ 0 root _ _ _ _", "2 b b X _ _ 1 dep _ _ _ _ _"),
            "line 2: found 13 columns, expected 12 as in the line before",
        ),
    ],
)
def test_malformed_roles_are_errors_with_segment_and_line(segment: str, message: str) -> None:
    with pytest.raises(InputError, match="hypotheses: segment 1") as caught:
        SemanticRoles().statistics([segment], [CAT])
    assert message in str(caught.value)


def test_files_are_read_as_parses_are(
    tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("roles")
    (folder / "ref.conllu").write_text(f"{CAT}\n\n{CAT}\n", encoding="utf-8")
    (folder / "sys.conllu").write_text(f"{PASSIVE}\n\n{CAT_2009}\n", encoding="utf-8")
    shown = output(
        capsys,
        *("score", str(folder / "ref.conllu"), "-i", str(folder / "sys.conllu")),
        *("-m", "semantic-roles", "semantic-roles[match=role]", "-b", "-w", "2"),
    )
    assert shown == f"{(25 + 100) / 2:.2f}\t{(200 / 3 + 100) / 2:.2f}\n"


def label_first_word(texts: Sequence[str]) -> list[list[Proposition]]:
    """The first word is who does it, the second what is done."""
    return [
        [Proposition(RoleWord(words[1], words[1]), (("A0", (RoleWord(words[0], words[0]),)),))]
        for words in map(str.split, texts)
    ]


def test_a_labeler_of_another_package_reads_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LABELERS.own, "first", f"{__name__}:label_first_word")
    metric = parse_metric("semantic-roles[labeler=first,verbs=yes]")
    assert metric.score(metric.statistics(["Ann sings"], ["Ann sings well"])[0]) == 100
    assert metric.score(metric.statistics(["Ann sings"], ["Bob sings"])[0]) == 0
