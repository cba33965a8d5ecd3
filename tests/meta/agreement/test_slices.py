"""Domains and kinds of systems: the same numbers as of files that have nothing else."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.agreement.overview import RatedSet
from tertium.meta.agreement.slices import segment_slices, system_slices
from tertium.meta.ratings.judgments import MetricScores
from tertium.scored.scored import scored
from tests.support.commands import error, json_output
from tests.support.meta.rated_sets import SYSTEMS, rated

DOMAINS = ["news", "web", "web"] * 20
MEASURES = ["pearson", "soft-accuracy", "acc-eq-item", "segment-pearson-none"]


def test_a_domain_is_what_a_file_of_its_segments_would_be() -> None:
    whole = rated("xx-yy", seed=1)
    news, web = segment_slices(whole, DOMAINS)
    assert (news.judgments.name, web.judgments.name) == ("xx-yy news", "xx-yy web")
    chosen = [place for place, domain in enumerate(DOMAINS) if domain == "web"]
    people = whole.judgments
    assert people.segments is not None
    assert people.documents is not None
    alone = replace(
        people,
        values=people.segments[:, chosen].mean(axis=1),
        segments=people.segments[:, chosen],
        documents=tuple(people.documents[place] for place in chosen),
    )
    for found, scores in zip(web.scores, whole.scores, strict=True):
        assert scores.segments is not None
        segments = scores.segments[:, chosen]
        own = replace(scores, values=segments.mean(axis=1), segments=segments)
        expected = agree(alone, own, measures=MEASURES, resample="documents", trials=50)
        made = agree(web.judgments, found, measures=MEASURES, resample="documents", trials=50)
        assert [one.to_dict() for one in made.measured] == [
            one.to_dict() for one in expected.measured
        ]


def test_scores_of_a_domain_that_were_published_are_taken() -> None:
    whole = rated("xx-yy", seed=1)
    known = MetricScores(metric=whole.scores[0].metric, systems=SYSTEMS[:5], values=np.arange(5.0))
    (web,) = [
        one
        for one in segment_slices(whole, DOMAINS, published={"web": [known]})
        if one.judgments.name.endswith("web")
    ]
    assert web.scores[0].values.tolist()[:5] == [0, 1, 2, 3, 4]
    assert np.isnan(web.scores[0].values[5])
    segments = web.scores[1].segments
    assert segments is not None
    assert web.scores[1].values == pytest.approx(segments.mean(axis=1))


def test_metrics_that_were_run_score_the_domain_as_a_corpus() -> None:
    words = ["the cat sat", "a dog ran home", "nobody saw it"] * 20
    outputs = {name: [*words[place:], *words[:place]] for place, name in enumerate(SYSTEMS)}
    texts = scored(words, outputs, ["bleu[effective_order=yes]"])
    whole = RatedSet.of(rated("xx-yy", seed=1).judgments, texts)
    news, _ = segment_slices(whole, DOMAINS)
    chosen = [place for place, domain in enumerate(DOMAINS) if domain == "news"]
    expected = scored(
        [words[place] for place in chosen],
        {name: [lines[place] for place in chosen] for name, lines in outputs.items()},
        ["bleu[effective_order=yes]"],
    )
    values = expected.scores_of(expected.metrics[0])
    assert news.scores[0].values == pytest.approx(values)


def test_kinds_of_systems() -> None:
    whole = rated("xx-yy", seed=1)
    kinds = dict(zip("abcde", ("online", "llm", "online", "llm", "online"), strict=True))
    online, llm = system_slices(whole, kinds)
    assert online.judgments.systems == ("a", "c", "e")
    assert llm.judgments.systems == ("b", "d")
    assert online.judgments.name == "xx-yy online"
    assert [str(one) for one in online.judgments.exclusions] == [
        "1 system without a kind (such as f)"
    ]
    found = agree(online.judgments, online.scores[0], measures=["pearson"])
    assert found.systems == ("a", "c", "e")


def test_labels_are_as_many_as_segments() -> None:
    with pytest.raises(InputError, match="found labels of 3 segments, expected 60"):
        segment_slices(rated("xx-yy", seed=1), DOMAINS[:3])
    bare = rated("xx-yy", seed=1)
    judgments = replace(bare.judgments, segments=None, documents=None)
    with pytest.raises(InputError, match="no ratings of segments, expected some to divide"):
        segment_slices(replace(bare, judgments=judgments), DOMAINS)


@pytest.mark.shared
def test_domains_of_wmt23(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At the level of systems BLEU is the official one of the domain, MQM the official mean."""
    folder = str(shared_data / "wmt23")
    words = ("meta", "agree", "--ratings", folder, "--scores", folder, "--pair", "zh-en")
    options = ("-m", "BLEU-refA", "--criterion", "mqm", "--resample", "none", "-f", "json")
    made = json_output(capsys, *words, *options, "--by", "domain")
    for found in made["agreements"]:
        domain = found["name"].split()[1]
        alone = json_output(capsys, *words, *options, "--domain", domain)["agreements"][0]
        for one, other in zip(found["systems"], alone["systems"], strict=True):
            assert one["system"] == other["system"]
            assert one["score"] == other["score"]
            assert one["rating"] == pytest.approx(other["rating"], abs=1e-9)
        measures = {measure["measure"] for measure in found["measures"]}
        assert {"pearson", "soft-accuracy", "acc-eq-item"} <= measures
    assert len(made["agreements"]) == 3


def test_flags_that_do_not_go_together(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("meta", "agree", "--ratings", "r.tsv", "--scores", "s.tsv", "--by")
    assert "found without --kinds" in error(capsys, *words, "system-kind")
    assert "found with --domain" in error(capsys, *words, "domain", "--domain", "news")
    assert "found without --by system-kind" in error(
        capsys, *words, "domain", "--kinds", "kinds.tsv"
    )
