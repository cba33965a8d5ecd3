"""Gaming in real systems: those of three years of WMT, and some that were reranked for a metric."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.audit.findings import AuditReport
from tertium.decode import NBest, mbr, read
from tertium.decode.rerank import MetricFeature, reranked
from tertium.metrics.contract.table import METRICS, AnyMetric, parse_metric
from tertium.text.corpus import Chunk, Corpus, System
from tertium.text.input_files import open_inputs
from tertium.text.references import References

LEXICAL = ["bleu", "chrf", "ter", "ribes"]
NEURAL = ["COMET", "MetricX-23", "BLEURT-20", "GEMBA-MQM"]
SEGMENTS = 500
PLANTED = ("wmt12 de-en", "wmt17 ru-en", "wmt23 zh-en")
"""Test sets whose systems' outputs are made n-best lists."""


def pools(shared_data: Path) -> Iterator[tuple[str, Chunk, list[AnyMetric]]]:
    """Every language pair of the three years, with the metrics that there are."""
    for pair in ("cs-en", "de-en", "es-en"):
        folder = shared_data / "wmt12"
        outputs = sorted((folder / "system-outputs" / pair).iterdir())
        yield f"wmt12 {pair}", loaded(folder / "newstest2012-ref.en", outputs), [*LEXICAL]
    for pair in ("de-en", "ru-en", "tr-en"):
        folder = shared_data / "wmt17"
        outputs = sorted((folder / "system-outputs" / pair).iterdir())
        reference = folder / f"newstest2017-{pair.replace('-', '')}-ref.en"
        yield f"wmt17 {pair}", loaded(reference, outputs), [*LEXICAL]
    for pair in ("zh-en", "he-en"):
        folder = shared_data / "wmt23"
        outputs = sorted((folder / "system-outputs" / pair).glob("*.txt"))
        systems = [one for one in outputs if "ref" not in one.stem]
        scores = [
            next((folder / "metric-scores" / pair).glob(f"{one}-*.seg.score")) for one in NEURAL
        ]
        foreign = [
            parse_metric(f"scores[file={path},name={name},higher=yes]")
            for path, name in zip(scores, NEURAL, strict=True)
        ]
        whole = loaded(folder / "references" / f"{pair}.refA.txt", systems)
        yield f"wmt23 {pair}", whole, [*LEXICAL, *foreign]


def loaded(reference: Path, outputs: Sequence[Path]) -> Chunk:
    return open_inputs([str(reference)], [str(one) for one in outputs]).load()


def serious(report: AuditReport) -> set[tuple[str, str]]:
    return {(one.metric, one.systems[0]) for one in report if one.severity == "serious"}


def chosen(lists: Sequence[NBest], references: Sequence[Sequence[str]], spec: str) -> list[str]:
    """The best of each list by a metric that sees the references."""
    metric = parse_metric(spec)
    weight = 1e6 if metric.higher_is_better else -1e6
    feature = MetricFeature(metric=metric, weight=weight, against="references")
    return [
        reranked(one, added=[feature], references=own).hypotheses[0]
        for one, own in zip(lists, references, strict=True)
    ]


@pytest.mark.slow
@pytest.mark.shared
def test_no_honest_system_of_wmt_is_accused(shared_data: Path) -> None:
    for name, whole, metrics in pools(shared_data):
        for chosen_metrics in (metrics, metrics[:2]):
            report = tertium.audit(whole.corpus, whole.systems, chosen_metrics, only=["gaming"])
            assert report.findings == (), name


@pytest.mark.slow
@pytest.mark.shared
def test_systems_chosen_from_the_outputs_of_wmt(shared_data: Path) -> None:
    """Prints the table of docs/audits.md (pytest -s)."""
    lines = ["test set     list  how       planted  beside one  in the pool"]
    beside: list[bool] = []
    pooled: list[bool] = []
    for name, whole, _ in pools(shared_data):
        if name not in PLANTED:
            continue
        places = np.linspace(0, len(whole) - 1, SEGMENTS).astype(int).tolist()
        outputs = [one.hypotheses.to_list() for one in whole.systems]
        texts = [[one[i] or "" for i in places] for one in outputs]
        column = whole.corpus.references.columns[0].to_list()
        references = [[column[i] or ""] for i in places]
        corpus = Corpus(references=References.of(references), name=name)
        systems = [
            System(name=one.name, hypotheses=own)
            for one, own in zip(whole.systems, texts, strict=True)
        ]
        for size in (4, len(systems)):
            lists = [
                NBest(
                    segment=i,
                    hypotheses=tuple(own[i] for own in texts[:size]),
                    scores=np.zeros(size),
                )
                for i in range(SEGMENTS)
            ]
            for how in ("reranked", "mbr"):
                hits = [0, 0]
                for spec in LEXICAL:
                    output = (
                        chosen(lists, references, spec)
                        if how == "reranked"
                        else [mbr(one, spec).text for one in lists]
                    )
                    plant = System(name="plant", hypotheses=output)
                    for place, others in enumerate((systems[:1], systems)):
                        report = tertium.audit(corpus, [*others, plant], LEXICAL, only=["gaming"])
                        assert {system for _, system in serious(report)} <= {"plant"}
                        hit = (spec, "plant") in serious(report)
                        hits[place] += hit
                        if place:
                            pooled.append(hit)
                        elif how == "reranked":
                            beside.append(hit)
                lines.append(
                    f"{name:<12} {size:>4}  {how:<8} {len(LEXICAL):>8} {hits[0]:>11} {hits[1]:>12}"
                )
    sys.stdout.write("\n" + "\n".join(lines) + "\n")
    assert np.mean(beside) >= 0.9
    assert np.mean(pooled) >= 0.9


EDITS: dict[str, Callable[[str, int], str]] = {
    "lower case": lambda text, _: text.lower(),
    "no punctuation": lambda text, _: "".join(one for one in text if one.isalnum() or one == " "),
    "another word": lambda text, i: " ".join(
        "thing" if place == i % len(text.split()) else word
        for place, word in enumerate(text.split())
    ),
}


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_do_not_hide_what_was_chosen(
    shared_data: Path, edit: Callable[[str, int], str]
) -> None:
    found: list[bool] = []
    for name, whole, _ in pools(shared_data):
        if name not in PLANTED:
            continue
        places = np.linspace(0, len(whole) - 1, 120).astype(int).tolist()
        texts = [[one.hypotheses[i] or "" for i in places] for one in whole.systems]
        references = [whole.corpus.references.columns[0][i] or "" for i in places]
        corpus = Corpus(references=references, name=name)
        systems = [
            System(name=one.name, hypotheses=own)
            for one, own in zip(whole.systems, texts, strict=True)
        ]
        lists = [
            NBest(segment=i, hypotheses=some, scores=np.zeros(len(some)))
            for i, some in enumerate(zip(*texts, strict=True))
        ]
        for spec in LEXICAL[:2]:
            chosen_texts = chosen(lists, [[one] for one in references], spec)
            output = [edit(text, i) for i, text in enumerate(chosen_texts)]
            plant = System(name="plant", hypotheses=output)
            report = tertium.audit(corpus, [*systems, plant], LEXICAL, only=["gaming"])
            assert {system for _, system in serious(report)} <= {"plant"}
            found.append((spec, "plant") in serious(report))
    # Of six plants, a word exchanged in every segment hides one; other edits hide none.
    assert np.mean(found) >= 5 / 6


@pytest.mark.shared
def test_reranked_lists_of_a_decoder(shared_data: Path) -> None:
    folder = shared_data / "nbest" / "joshua-bn-en"
    lists = [one for one in read(str(folder / "output.gold")) if isinstance(one, NBest)]
    columns = [(folder / f"reference.en.{i}").read_text("utf-8").splitlines() for i in range(4)]
    references = list(zip(*columns, strict=True))
    metrics = [one for one in (*LEXICAL, "meteor") if METRICS[one].missing() is None]
    first = System(name="first", hypotheses=[one.hypotheses[0] for one in lists])
    corpus = Corpus(references=References.of([list(one) for one in references]), name="bn-en")
    for spec in metrics:
        plant = System(name="plant", hypotheses=chosen(lists, references, spec))
        report = tertium.audit(corpus, [first, plant], metrics, only=["gaming"])
        assert (spec, "plant") in serious(report)
        assert {system for _, system in serious(report)} == {"plant"}
