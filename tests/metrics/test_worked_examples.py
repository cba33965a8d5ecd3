"""The worked examples of the papers and course notes, with numbers counted by hand.

The same examples stand as commands on the pages bleu, grr and nee of docs/metrics; those of AMBER's
paper are in tests/metrics/amber/test_amber.py and docs/metrics/amber.md.
"""

import math

import pytest

import tertium
from tests.support.places import DOCS


def score(hypothesis: str, references: str | list[str], metric: str) -> float:
    return tertium.score([hypothesis], [references], metric).value


def precisions(hypothesis: str, references: str | list[str], order: int) -> list[float]:
    """Matches over totals of every order."""
    row = tertium.score([hypothesis], [references], f"bleu[order={order}]").statistics.tolist()
    return [matches / total for matches, total in zip(row[:order], row[order:], strict=False)]


# LING83600, section 2.
ALWAYS = ["i always do", "i invariably do", "i perpetually do"]
ALL_AT_ONCE = "i always invariably perpetually do"


def test_i_always_do() -> None:
    assert precisions("i always do", ALWAYS, 2) == [1, 1]
    # Every word is in some reference; of the bigrams "i always" and "perpetually do" are.
    assert precisions(ALL_AT_ONCE, ALWAYS, 2) == [1, 2 / 4]
    assert score(ALL_AT_ONCE, ALWAYS, "bleu[order=1]") == 100
    assert score(ALL_AT_ONCE, ALWAYS, "bleu[order=2]") == pytest.approx(100 * math.sqrt(1 / 2))
    words = {word for text in ALWAYS for word in text.split()}
    assert set(ALL_AT_ONCE.split()) == words  # so recall would prefer it
    assert len(words & {"i", "always", "do"}) == 3


def test_an_exhausted_word_matches_no_more() -> None:
    """A reference word counts once (Papineni et al. 2002, quoted in LING83600, section 2)."""
    assert precisions("i i i do", ALWAYS, 1) == [2 / 4]


# Papineni et al. (HLT 2002), section 2.1: references of 12, 15 and 17 words.
LENGTHS = [" ".join(map(str, range(size))) for size in (12, 15, 17)]


@pytest.mark.parametrize(
    ("words", "reference_length", "penalty"),
    [
        (12, "closest", 1.0),
        (15, "closest", 1.0),
        (17, "closest", 1.0),
        (11, "closest", math.exp(1 - 12 / 11)),
        (13, "closest", 1.0),  # nearer to 12
        (14, "closest", math.exp(1 - 15 / 14)),
        (12, "shortest", 1.0),
        (12, "average", math.exp(1 - (12 + 15 + 17) / 3 / 12)),
    ],
)
def test_brevity_penalty(words: int, reference_length: str, penalty: float) -> None:
    said = " ".join(map(str, range(words)))
    # All n-grams match, so the score is the penalty.
    found = score(said, LENGTHS, f"bleu[reference_length={reference_length}]")
    assert found == pytest.approx(100 * penalty)


# LING83600, section 5, after Callison-Burch et al. (2006).
DOG = "the dog bit the mailman"
SNAPPED, NIPPED = "the dog snapped at the mailman", "the mailman nipped at the dog"


def test_the_mailman_swap() -> None:
    assert precisions(SNAPPED, DOG, 2) == precisions(NIPPED, DOG, 2) == [4 / 6, 2 / 5]
    assert score(SNAPPED, DOG, "bleu") == score(NIPPED, DOG, "bleu")
    # 5 + 4 + 3 + 2 k-grams; 4 words and 2 bigrams less an insertion, and 2 words less one.
    assert score(SNAPPED, DOG, "grr") == pytest.approx(100 * (4 + 2 - 1) / 14)
    assert score(NIPPED, DOG, "grr") == pytest.approx(100 * (2 - 1) / 14)
    assert score(SNAPPED, DOG, "wer") == pytest.approx(100 * 2 / 5)
    assert score(NIPPED, DOG, "wer") == pytest.approx(100 * 4 / 5)


# LING83600, section 5, after Doddington (2002); without punctuation, in lower case.
LED = (
    "orejuela appeared calm as he was led to the american plane which will take him to miami "
    "florida"
)
TAKEN = "appeared calm when he was taken to the american plane which will to miami florida"
HEAP = "to miami florida as he was led is to the was take him which will"


def test_orejuela() -> None:
    assert precisions(TAKEN, LED, 4) == [13 / 15, 9 / 14, 5 / 13, 3 / 12]
    assert precisions(HEAP, LED, 4) == [13 / 15, 8 / 14, 3 / 13, 1 / 12]
    assert score(TAKEN, LED, "bleu") > score(HEAP, LED, "bleu")
    # 18 + 17 + 16 + 15 k-grams
    assert score(TAKEN, LED, "grr") == pytest.approx(100 * 30 / 66)
    assert score(HEAP, LED, "grr") == pytest.approx(100 * 15 / 66)


def test_orejuela_with_information_weights() -> None:
    """Rare n-grams count more: "to the" is worth less than "miami florida" in a corpus."""
    metric = tertium.score([TAKEN], [LED], "nist").metric
    fitted = metric.fit([LED, "he was to be led to the plane", "it was to him", "as to the will"])
    taken, heap = (
        float(fitted.score(fitted.statistics([said], [LED]).sum(axis=0))) for said in (TAKEN, HEAP)
    )
    assert taken > heap


# Chiang et al. (2008), figure 1.
FIGURE = [
    "fei xiaotong awarded magsaysay prize",
    (
        "the center of the yuhua stone bears an image which very much resembles the territory of "
        "the people ’s republic of china ."
    ),
    "urban construction becomes new hotspot for foreign investment in qinghai",
]
BASELINE = [
    "fei xiaotong was awarded the wheat georgia xaixai prize",
    "rain huashi center is a big clear images of chinese territory .",
    "urban construction become new hotspot for foreign investment qinghai",
]
DELETE = [
    "fei xiaotong was awarded xaixai award",
    "rain is a clear picture of the people ’s republic of china .",
    "become new foreign investment hotspot",
]


def test_figure_1_of_chiang_et_al() -> None:
    scores = {
        (name, metric): tertium.score(texts, FIGURE, f"{metric}[tokenizer=none]")
        for name, texts in (("baseline", BASELINE), ("delete", DELETE))
        for metric in ("bleu", "bleu-sbp")
    }
    for metric in ("bleu", "bleu-sbp"):
        assert scores["delete", metric].value > scores["baseline", metric].value
    # Lengths 9, 12, 9 and 6, 13, 5 against 5, 23, 10: only BLEU-SBP takes min(|c|, |r|).
    for name, clipped, total in (("baseline", 5 + 12 + 9, 30), ("delete", 5 + 13 + 5, 24)):
        strict, loose = scores[name, "bleu-sbp"].value, scores[name, "bleu"].value
        penalties = math.exp(1 - 38 / clipped), math.exp(1 - 38 / total)
        assert strict / loose == pytest.approx(penalties[0] / penalties[1])


def test_figure_1_by_segments() -> None:
    """Deletion helps in (a) and (b) and costs good words in (c)."""
    baseline, delete = (
        tertium.score(texts, FIGURE, "grr[tokenizer=none]", segments=True).segments.tolist()  # type: ignore[union-attr]
        for texts in (BASELINE, DELETE)
    )
    # (a) 5 + 4 + 3 + 2 k-grams: 4 words and a bigram less 4 insertions; 3, 1 and 1.
    assert baseline[0] == pytest.approx(100 * (4 + 1 - 4) / 14)
    assert delete[0] == pytest.approx(100 * (3 + 1 - 1) / 14)
    assert delete[1] > baseline[1]
    assert delete[2] < baseline[2]


def test_a_reward_for_insertions_has_no_bound() -> None:
    """Chiang and DeNeefe (2008), section 5: α = −0.9, β = 1."""
    for stray in (1, 3, 30):
        said = f"{DOG}{' oh' * stray}"
        found = score(said, DOG, "grr[alpha=-0.9,beta=1]")
        assert found == pytest.approx(100 * (14 + 0.9 * stray) / 14)


@pytest.mark.parametrize(
    ("page", "examples"),
    [
        ("bleu.md", ["i always invariably perpetually do", NIPPED, "Orejuela", "seq -s ' ' 17",
                     "magsaysay"]),
        ("grr.md", [NIPPED, "magsaysay", "alpha=-0.9"]),
        ("amber.md", ["m7 x m8 m9 x m10 m11 m12 x m13", "Bob reading book likes"]),
    ],
)  # fmt: skip
def test_each_stands_on_its_page(page: str, examples: list[str]) -> None:
    """As a command, which tests/project/test_readme.py runs."""
    lines = (DOCS / "metrics" / page).read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line.startswith("$ tertium ")]
    for example in examples:
        assert any(example in command for command in commands), example
