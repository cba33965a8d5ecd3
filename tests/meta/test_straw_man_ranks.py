"""Straw men: which metric falls for output that nobody would rate well."""

import json
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium._native import Texts
from tertium.errors import InputError, OptionError
from tertium.meta.agreement.prediction_error import prediction_errors
from tertium.meta.ratings.judgments import Judgments
from tertium.meta.straw_man_ranks import straw_men
from tertium.text.corpus import Corpus, System
from tertium.text.references import References

REWARDS_INSERTIONS = "grr[alpha=-0.9,beta=1.0]"


def toy(segments: int = 30, systems: int = 6) -> tuple[Judgments, Corpus, list[System]]:
    """Systems that get more and more words wrong, and add more and more of their own.

    People like the long ones best here, as they did in the data of the paper's remark: the
    quality of outputs goes with their length, so that paying for words looks like a good idea.
    """
    rng = np.random.default_rng(8)
    words = [f"w{n}" for n in range(60)]
    references = [" ".join(rng.choice(words, 14)) for _ in range(segments)]
    made = []
    for system in range(systems):
        wrong, lost = 0.05 + 0.02 * (systems - system), 0.02 * (systems - system)
        texts = []
        for reference in references:
            kept = [w for w in reference.split() if rng.random() > lost]
            texts.append(" ".join(w if rng.random() > wrong else "x" for w in kept))
        made.append(System(name=f"s{system}", hypotheses=Texts(texts)))
    judgments = Judgments(
        name="toy",
        criterion="rank",
        systems=tuple(one.name for one in made),
        values=np.arange(systems) + rng.normal(0, 0.2, systems),
    )
    return judgments, Corpus(references=References.of(references), name="ref"), made


def test_grr_that_rewards_insertions_is_exposed() -> None:
    """The closing remark of Chiang et al. (2008), section 5."""
    report = straw_men(*toy(), ["grr", REWARDS_INSERTIONS, "bleu", "bleu-sbp", "wer"])
    assert report.exposed == (REWARDS_INSERTIONS,)
    fooled = report[REWARDS_INSERTIONS]
    # Without straw men nothing is seen: it agrees with people as well as GRR does.
    assert fooled.agreement > 0.9
    assert report["grr"].agreement > 0.9
    assert set(fooled.fooled_by) >= {"doubled", "endless"}
    assert fooled["endless"].rank == 1
    assert fooled["endless"].agreement < 0
    assert fooled.agreement_with_all < 0
    assert fooled.worst.rank == 1
    for metric in ("grr", "bleu", "bleu-sbp", "wer"):
        assert report[metric]["endless"].rank == report[metric].systems + 1
        assert report[metric]["empty"].rank == report[metric].systems + 1
        assert report[metric].agreement_with_all > fooled.agreement_with_all


def test_recall_falls_for_what_is_long_and_precision_for_what_is_short() -> None:
    recall, precision = "rouge-n[measure=recall]", "rouge-n[measure=precision]"
    report = straw_men(*toy(), [recall, precision, "bleu"])
    assert report.exposed == (recall, precision)
    assert "stutter" in report[recall].fooled_by
    assert "first words" not in report[recall].fooled_by
    assert "first words" in report[precision].fooled_by
    assert "endless" not in report[precision].fooled_by
    assert report["bleu"]["first words"].rank == report["bleu"].systems + 1


def test_ratings_below_the_worst() -> None:
    judgments, corpus, systems = toy()
    low, high = judgments.values.min(), judgments.values.max()
    report = straw_men(judgments, corpus, systems, ["bleu"], below=0.5, measure="spearman")
    assert report.rating == pytest.approx(low - 0.5 * (high - low))
    assert report.measure == "spearman"
    report = straw_men(judgments, corpus, systems, ["bleu"])
    assert report.rating == low


def test_straw_men_are_said_and_counted() -> None:
    judgments, corpus, systems = toy(segments=12)
    extra = System(name="unrated", hypotheses=systems[0].hypotheses)
    seen: list[int] = []
    report = straw_men(
        judgments, corpus, [*systems, extra], ["bleu", "chrf"], segments=5, progress=seen.append
    )
    assert report.segments == 5
    assert seen == [1, 1]
    assert [one.count for one in report.exclusions] == [1]
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    names = [one["name"] for one in found["metrics"][0]["straw_men"]]
    assert names == [
        *("empty", "first words", "one word", "noise", "shuffled", "doubled", "concatenation"),
        *("stutter", "endless"),
    ]
    assert all(one["description"] for one in found["metrics"][0]["straw_men"])
    assert len(report.to_dataframe()) == 2 * len(names)


def test_straw_men_on_odd_input() -> None:
    judgments, corpus, systems = toy(segments=4)
    with pytest.raises(InputError, match="ref: found 6 systems and 0 metrics"):
        straw_men(judgments, corpus, systems, [])
    with pytest.raises(InputError, match="found 2 systems with rating and score, expected at lea"):
        straw_men(judgments, corpus, systems[:2], ["bleu"])
    unrated = Judgments(
        name="toy",
        criterion="rank",
        systems=judgments.systems,
        values=np.full(len(systems), np.nan),
    )
    with pytest.raises(InputError, match="toy rank: no system has a rating"):
        straw_men(unrated, corpus, systems, ["bleu"])


# ---- prediction error -----------------------------------------------------------------------


def test_prediction_error_by_order() -> None:
    judgments, corpus, systems = toy()
    fluent = Judgments(
        name="toy",
        criterion="fluency",
        systems=(*judgments.systems, "gone"),
        values=np.append(judgments.values[::-1], 1.0),
    )
    found = prediction_errors("bleu", corpus, systems, [judgments, fluent], orders=[1, 2, 4])
    assert found.errors.shape == (2, 3)
    assert found.systems == (6, 6)
    assert found.criteria == ("rank", "fluency")
    for column, order in enumerate(found.orders):
        metric = tertium.parse_metric(f"bleu[order={order}]")
        scores = [
            float(metric.score(metric.statistics(one.hypotheses, corpus.references).sum(axis=0)))
            for one in systems
        ]
        r = np.corrcoef(scores, judgments.values)[0, 1]
        assert found.errors[0, column] == pytest.approx(100 * (1 - r**2))
    assert found.best_order(0) in {1, 2, 4}
    assert [one.example for one in found.exclusions] == ["gone"]
    assert json.loads(json.dumps(found.to_dict()))["errors"][1]["criterion"] == "fluency"
    assert len(found.to_dataframe()) == 6


def test_prediction_error_on_odd_input() -> None:
    judgments, corpus, systems = toy(segments=4)
    with pytest.raises(OptionError, match="wer: has no order of n-grams"):
        prediction_errors("wer", corpus, systems, [judgments])
    with pytest.raises(InputError, match="found no orders or no ratings"):
        prediction_errors("bleu", corpus, systems, [])
    tied = Judgments(
        name="toy", criterion="x", systems=judgments.systems, values=np.ones(len(systems))
    )
    found = prediction_errors("bleu", corpus, systems, [tied], orders=[1])
    assert found.to_dict()["errors"][0]["prediction_error"] == [None]
    with pytest.raises(InputError, match="no prediction error of bleu is defined"):
        found.best_order(0)


# ---- real systems ---------------------------------------------------------------------------


@pytest.mark.shared
def test_the_remark_on_real_systems(shared_data: Path) -> None:
    """Spanish to English, WMT12: α = −0.9 looks better than GRR until straw men come."""
    folder = shared_data / "wmt12"
    published = folder / "published-system-scores/example-data/mt-systems-scored-by-humans"
    ratings = {
        line.split("\t")[3]: float(line.split("\t")[4])
        for line in published.read_text().splitlines()[1:]
    }

    def lines(path: Path) -> Texts:
        return Texts(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))

    corpus = Corpus(references=References([lines(folder / "newstest2012-ref.en")]), name="ref")
    systems = [
        System(name=path.name.removeprefix("newstest2012.es-en."), hypotheses=lines(path))
        for path in sorted((folder / "system-outputs/es-en").iterdir())
    ]
    judgments = Judgments(
        name="es-en",
        criterion="rank",
        systems=tuple(ratings),
        values=np.array(list(ratings.values())),
    )
    report = straw_men(judgments, corpus, systems, ["grr", REWARDS_INSERTIONS])
    plain, fooled = report["grr"], report[REWARDS_INSERTIONS]
    assert plain.systems == 12
    assert fooled.agreement > plain.agreement
    assert report.exposed == (REWARDS_INSERTIONS,)
    assert fooled["endless"].rank == 1
    assert fooled["endless"].agreement < 0 < plain.agreement_with_all
