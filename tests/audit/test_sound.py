"""Audits find nothing where nothing is, and never accuse a mean of segments.

Metrics that are means of segment scores under fixed weights (GRR, WRR, WER) cannot contradict
themselves, reverse, or grant a licence (Chiang et al. 2008, section 4.3).
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.metrics.contract.table import parse_metric
from tertium.text.corpus import System
from tests.support.audit.cases import MEANS_OF_SEGMENTS, junk, reference, text
from tests.support.corpora import corpus_of, named_systems
from tests.support.effort import examples
from tests.support.strategies import words

pytestmark = pytest.mark.slow


@given(
    segments=st.integers(20, 40),
    length=st.integers(20, 30),
    errors=st.lists(st.integers(0, 3), min_size=1, max_size=3, unique=True),
)
@settings(max_examples=10, deadline=None)
def test_sound_corpora_give_no_finding(segments: int, length: int, errors: list[int]) -> None:
    """All outputs as long as their references, and one system better than the next everywhere."""
    references = [reference(i, length) for i in range(segments)]
    systems = named_systems(
        **{
            f"wrong{wrong}": [text(one[: length - wrong], junk(wrong)) for one in references]
            for wrong in errors
        }
    )
    corpus = corpus_of(
        [text(one) for one in references],
        genres=[("news", "web")[i % 2] for i in range(segments)],
        documents=[f"d{i % 4}" for i in range(segments)],
    )
    # Not chrF, which rightly is told that it likes shuffled words better than two wrong ones.
    metrics = ["bleu", "bleu-sbp", "ter", *MEANS_OF_SEGMENTS]
    # Nor what rightly is found: output that is the reference but for a word or two is a copy, and
    # BLEU does pay for the deletion of a wrong word.
    assert (
        tertium.audit(corpus, systems, metrics, skip=["copies", "damage", "words"]).findings == ()
    )


texts = st.lists(words, min_size=1, max_size=12).map(" ".join)


@pytest.mark.slow
@given(data=st.data(), segments=st.integers(2, 16), count=st.integers(2, 4))
@settings(max_examples=examples(60), deadline=None)
def test_means_of_segments_are_never_accused(
    data: st.DataObject, segments: int, count: int
) -> None:
    several = st.lists(
        st.lists(texts, min_size=1, max_size=2), min_size=segments, max_size=segments
    )
    outputs = st.lists(texts | st.just(""), min_size=segments, max_size=segments)
    labels = st.lists(st.sampled_from(["x", "y", "z"]), min_size=segments, max_size=segments)
    references = data.draw(several)
    corpus = corpus_of(references, genres=data.draw(labels))
    systems = named_systems(**{f"s{i}": data.draw(outputs) for i in range(count)})
    report = tertium.audit(
        corpus,
        systems,
        MEANS_OF_SEGMENTS,
        only=["sign-test", "reversal", "licence", "context", "deletion"],
        alpha=0.5,
    )
    for one in report:
        assert one.audit in {"sign-test", "deletion"}
        assert not one.numbers.get("mutual")
        if one.audit == "deletion":
            system = next(each for each in systems if each.name == one.systems[0])
            assert_no_better_than_silence(one.metric, system, references, one.numbers["free"])


def assert_no_better_than_silence(
    spec: str, system: System, references: list[list[str]], numbers: list[int]
) -> None:
    metric = parse_metric(spec)
    sign = 1 if metric.higher_is_better else -1
    for number in numbers:
        output = system.hypotheses[number - 1] or ""
        target = [references[number - 1]]
        own, empty = (metric.score(metric.statistics([one], target))[0] for one in (output, ""))
        assert sign * own <= sign * empty + 1e-9
