"""chrF and chrF++: the formula, sacreBLEU, the golden outputs and the official WMT scores."""

from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import OptionError
from tertium.metrics.ngram.chrf import Chrf
from tertium.text.references import References
from tests.oracles import chrf as oracle
from tests.support.golden import lines, read_golden

texts = st.text(
    alphabet=st.sampled_from([*"aabbcde .,'!?-", "ß", "é", "中", "文", "\u00a0", "😀"]), max_size=40
)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=5)


@given(pairs, st.integers(1, 8), st.sampled_from([0.5, 1.0, 2.0, 3.0]))
def test_equals_the_formula(segments: list[tuple[str, str]], order: int, beta: float) -> None:
    metric = Chrf(character_order=order, beta=beta)
    rows = metric.statistics([h for h, _ in segments], [r for _, r in segments])
    if rows.any():
        expected = oracle.chrf(segments, order=order, beta=beta)
        assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)


@given(
    st.lists(st.tuples(texts, st.lists(texts, min_size=2, max_size=2)), min_size=1, max_size=5),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_equals_sacrebleu(
    segments: list[tuple[str, list[str]]],
    word_order: int,
    lowercase: bool,
    whitespace: bool,
    effective: bool,
) -> None:
    peer = sacrebleu.CHRF(
        word_order=word_order,
        lowercase=lowercase,
        whitespace=whitespace,
        eps_smoothing=not effective,
    )
    metric = Chrf(
        word_order=word_order,
        lowercase=lowercase,
        whitespace=whitespace,
        effective_order=effective,
    )
    hypotheses = [hypothesis for hypothesis, _ in segments]
    references = [references for _, references in segments]
    rows = metric.statistics(hypotheses, references)
    if not rows.any():  # sacreBLEU scores nothing against nothing 0
        assert metric.score(rows.sum(axis=0)) == 100.0
        return
    columns = [list(column) for column in zip(*references, strict=True)]
    expected = peer.corpus_score(hypotheses, columns).score
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=1e-9)
    for i, row in enumerate(rows):
        if row.any():
            expected = peer.sentence_score(hypotheses[i], references[i]).score
            assert metric.score(row) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("first", "alphabet"), [("一", 2), ("一", 60), ("一", 900), ("}", 1), ("B", 60)]
)
@pytest.mark.parametrize("length", [1, 2, 31, 50, 63, 64, 65, 128, 192, 256, 384, 512, 513, 900])
@pytest.mark.parametrize("order", [1, 2, 3, 5, 6, 7, 8, 9, 12])
def test_few_or_many_characters(first: str, alphabet: int, length: int, order: int) -> None:
    """Short texts of few characters are compared in another way than others, and so is ASCII."""
    rng = np.random.default_rng(length)
    reference = "".join(map(chr, ord(first) + rng.integers(0, alphabet, length)))
    other = "".join(map(chr, ord(first) + rng.integers(0, alphabet + 1, length)))
    hypothesis = f"{reference[length // 3 :]}{other}{reference[: length // 2]}"
    metric = Chrf(character_order=order)
    row = metric.statistics([hypothesis], [reference])[0]
    expected = oracle.chrf([(hypothesis, reference)], order=order)
    assert metric.score(row) == pytest.approx(expected, abs=1e-9)


@given(st.integers(0, 2**32), st.integers(50, 900), st.integers(50, 900))
def test_long_texts_of_every_width(seed: int, hypothesis: int, reference: int) -> None:
    rng = np.random.default_rng(seed)
    pair = tuple("".join(rng.choice(list("abc "), n)) for n in (hypothesis, reference))
    metric = Chrf(word_order=2)
    row = metric.statistics([pair[0]], [pair[1]])[0]
    expected = sacrebleu.CHRF(word_order=2).sentence_score(pair[0], [pair[1]]).score
    assert metric.score(row) == pytest.approx(expected, abs=1e-9)


def test_signature_is_sacrebleus() -> None:
    signature = "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:tertium-"
    assert Chrf(word_order=2).signature().startswith(signature)


@pytest.mark.parametrize(
    "options", [{"character_order": 0}, {"word_order": -1}, {"beta": -1.0}, {"beta": np.nan}]
)
def test_bad_options(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="chrf: found"):
        Chrf(**options)  # type: ignore[arg-type]


# measure of the golden file -> options
SACREBLEU = {
    "chrF2": {},
    "chrF2++": {"word_order": 2},
    "chrF2.lc": {"lowercase": True},
    "chrF2++.lc": {"word_order": 2, "lowercase": True},
    "chrF2.eps": {"effective_order": False},
    "chrF2++.eps": {"word_order": 2, "effective_order": False},
}
POPOVIC = {
    "chrF2": {"effective_order": False},
    "chrF3": {"effective_order": False, "beta": 3.0},
    "chrF2++": {"effective_order": False, "word_order": 2},
    "chrF3++": {"effective_order": False, "word_order": 2, "beta": 3.0},
}
GOLDEN = [
    *((("sacrebleu-chrf"), measure, options, 1e-9) for measure, options in SACREBLEU.items()),
    *((("chrf-popovic"), measure, options, 5.1e-5) for measure, options in POPOVIC.items()),
]


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["heen", "heen-tok"])
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
@pytest.mark.parametrize("sets", [1, 2])
@pytest.mark.parametrize(("tool", "measure", "options", "tolerance"), GOLDEN)
def test_golden(
    shared_oracles: Path,
    folder: str,
    system: str,
    sets: int,
    tool: str,
    measure: str,
    options: dict[str, float],
    tolerance: float,
) -> None:
    root = shared_oracles / folder
    golden = read_golden(root, f"{tool}{'-1ref' if sets == 1 else ''}.{system}")
    columns = [lines(root / f"ref.{i}.txt") for i in range(sets)]
    metric = Chrf(**options)  # type: ignore[arg-type]
    references = References.of(list(zip(*columns, strict=True)))
    rows = metric.statistics(lines(root / f"hyp.{system}.txt"), references)
    expected = float(golden.corpus[measure])
    assert metric.score(rows.sum(axis=0)) == pytest.approx(expected, abs=tolerance)
    np.testing.assert_allclose(metric.score(rows), golden.column(measure), atol=tolerance)
