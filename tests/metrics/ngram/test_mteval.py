"""The habits of Perl scripts that other numbers were published with: a false 0, A to Z alone."""

from math import log2
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import OptionError, References
from tertium._native import Texts
from tertium.metrics.contract.table import parse_metric
from tests.oracles import nist as oracle
from tests.support.golden import lines, read_golden
from tests.support.strategies import joined

WORDS = st.lists(st.sampled_from(["0", "a", "b", "00"]), min_size=1, max_size=6)
SEGMENTS = st.lists(
    st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=4
)


@pytest.mark.parametrize("mteval", [False, True])
@given(segments=SEGMENTS)
def test_nist_is_the_formula(
    mteval: bool, segments: list[tuple[list[str], list[list[str]]]]
) -> None:
    hypotheses, references = joined(segments)
    metric = parse_metric("nist[tokenizer=none]").with_options(mteval=mteval)
    expected = oracle.nist(segments, mteval=mteval)
    assert tertium.score(hypotheses, references, metric).value == pytest.approx(expected, abs=1e-9)
    # Others than the counted references are looked up by their words.
    fitted = metric.fit(References.of(references))
    rows = fitted.statistics(hypotheses, references)
    assert fitted.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)


def test_what_follows_a_0_stands_alone() -> None:
    references = ["0 a", "0 b", "c d"]
    # 6 words, "0" twice, "a" once; "0 a" once after two "0", or once among 6 words
    for spec, bits in (("nist", log2(2)), ("nist[mteval=yes]", log2(6))):
        row = parse_metric(spec).fit(references).statistics(["0 a"], ["0 a"])[0]
        assert row[:2] == pytest.approx([log2(3) + log2(6), bits])
    assert "|mteval:yes|" in parse_metric("nist[mteval=yes]").signature()


def test_ascii_leaves_other_letters_alone() -> None:
    texts = Texts(["ÉCOLE Straße", None, "ABC xyz", "ΣΑΣ İ"])
    assert texts.lower(ascii_only=True).to_list() == ["École straße", None, "abc xyz", "ΣΑΣ İ"]
    assert texts.lower().to_list() == ["école straße", None, "abc xyz", "ΣΑΣ İ".lower()]


@pytest.mark.parametrize(
    ("lowercase", "score", "case"), [("no", 0, "mixed"), ("ascii", 50, "ascii"), ("yes", 100, "lc")]
)
def test_lowercase(lowercase: str, score: float, case: str) -> None:
    metric = parse_metric(f"paraeval[lowercase={lowercase}]")
    assert tertium.score(["ÉCOLE ABC"], ["école abc"], metric).value == score
    signature = metric.signature()
    assert f"|case:{case}|" in signature
    assert parse_metric(f"paraeval|{signature}") == metric


def test_what_lowercase_takes() -> None:
    with pytest.raises(OptionError, match="found 'utf8', expected yes or no or ascii"):
        parse_metric("bleu[lowercase=utf8]")
    with pytest.raises(OptionError, match="found 'ascii', expected yes or no"):
        parse_metric("chrf[lowercase=ascii]")


SETS = [
    (folder, system, count)
    for folder in ("heen", "heen-tok")
    for system in ("GPT4-5shot", "ONLINE-B")
    for count in (1, 2)
]
SPECS = {
    "mteval-v13a": {
        "NIST.cased": "nist[mteval=yes]",
        "NIST.lc": "nist[mteval=yes,lowercase=ascii]",
        "NIST.lc.intl": "nist[mteval=yes,lowercase=yes,tokenizer=intl]",
        "BLEU.closest.smooth.lc": "bleu[lowercase=ascii]",
        "BLEU.closest.nosmooth.lc": "bleu[lowercase=ascii,smoothing=none]",
        "BLEU.closest.smooth.lc.intl": "bleu[lowercase=yes,tokenizer=intl]",
    },
    "mteval-v14": {
        "NIST.cased": "nist[mteval=yes]",
        "NIST.lc": "nist[mteval=yes,lowercase=ascii]",
        "BLEU.closest.smooth.lc": "bleu[lowercase=ascii]",
    },
    "multi-bleu": {"BLEU.lc": "bleu[tokenizer=none,smoothing=none,lowercase=ascii]"},
}


@pytest.mark.shared
@pytest.mark.parametrize("tool", SPECS)
@pytest.mark.parametrize(("folder", "system", "count"), SETS)
def test_golden(shared_oracles: Path, folder: str, system: str, count: int, tool: str) -> None:
    root = shared_oracles / folder
    stem = f"{tool}{'-1ref' if count == 1 else ''}.{system}"
    if not any(root.glob(f"{stem}.tsv*")):
        # Not every program was run on every set, and what it would print cannot be known.
        pytest.skip(f"no golden file {stem} in {folder}")
    golden = read_golden(root, stem)
    columns = [lines(root / f"ref.{i}.txt") for i in range(count)]
    references = References.of(list(zip(*columns, strict=True)))
    hypotheses = lines(root / f"hyp.{system}.txt")
    seen = 0
    for measure, spec in SPECS[tool].items():
        if measure not in golden.corpus:
            continue
        seen += 1
        metric = parse_metric(spec).fit(references)
        rows = metric.statistics(hypotheses, references)
        scale = 100 if measure.startswith("BLEU") and tool != "multi-bleu" else 1
        tolerance = 5e-3 if tool == "multi-bleu" else 1e-9  # of what the tool prints
        expected = scale * float(golden.corpus[measure])
        assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=tolerance)
        if measure.startswith("NIST") and measure in golden.segments:
            np.testing.assert_allclose(metric.score(rows), golden.column(measure), atol=1e-9)
    assert seen
