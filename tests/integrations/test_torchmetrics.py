"""The metric in ``torchmetrics``: batches, collections, processes, copies."""

import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tertium
from tests.support.commands import python
from tests.support.integrations.texts import (
    HYPOTHESES,
    METRICS,
    REFERENCES,
    SCRIPT_REFERENCES,
    SCRIPTS,
    value,
)
from tests.support.places import REPOSITORY

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

torchmetrics = pytest.importorskip(
    "torchmetrics", reason="torchmetrics is missing: make test-integrations"
)
torch = pytest.importorskip("torch")

from tertium.integrations.torchmetrics import TertiumScore  # noqa: E402

CUTS = [0, 1, 1, 40, len(HYPOTHESES)]


def fed(metric: Any) -> Any:
    for begin, end in pairwise(CUTS):
        if begin < end:
            metric.update(HYPOTHESES[begin:end], REFERENCES[begin:end])
    return metric


@pytest.mark.parametrize("metric", METRICS)
def test_rows_have_the_bits_of_score(metric: str) -> None:
    found = fed(TertiumScore(metric)).compute()
    assert found.dtype == torch.float64
    assert found.item() == value(metric, HYPOTHESES, REFERENCES)


@pytest.mark.parametrize("metric", ["bleu", "ter", "wer", "chrf", "grr[k=2,tokenizer=intl]"])
def test_sums_of_counts_have_them_too(metric: str) -> None:
    summed = fed(TertiumScore(metric, state="sum"))
    assert summed.compute().item() == value(metric, HYPOTHESES, REFERENCES)
    assert summed.total.shape == (len(summed.metric.columns),)


@pytest.mark.parametrize("state", ["rows", "sum"])
def test_reset_forward_and_pickling(state: Any) -> None:
    metric = TertiumScore("bleu", state=state)
    batch = metric(HYPOTHESES[:5], REFERENCES[:5])
    assert batch.item() == value("bleu", HYPOTHESES[:5], REFERENCES[:5])
    metric.update(HYPOTHESES[5:9], REFERENCES[5:9])
    copied = pickle.loads(pickle.dumps(metric))  # noqa: S301
    for one in (metric, copied, metric.clone()):
        assert one.compute().item() == value("bleu", HYPOTHESES[:9], REFERENCES[:9])
    metric.reset()
    metric.update(HYPOTHESES[:2], REFERENCES[:2])
    assert metric.compute().item() == value("bleu", HYPOTHESES[:2], REFERENCES[:2])


def test_collections() -> None:
    both = torchmetrics.MetricCollection(
        {name: TertiumScore(name, state="sum") for name in ("bleu", "ter")}
    )
    found = fed(both).compute()
    assert {name: one.item() for name, one in found.items()} == {
        name: value(name, HYPOTHESES, REFERENCES) for name in ("bleu", "ter")
    }
    assert not both["ter"].higher_is_better
    assert both["bleu"].higher_is_better


def test_collections_of_two_metrics_with_equal_states() -> None:
    """torchmetrics joins metrics whose states are equal: their scores must stay apart."""
    both = torchmetrics.MetricCollection(
        {
            "plain": TertiumScore("bleu", state="sum"),
            "smoothed": TertiumScore("bleu[smoothing=add-k]", state="sum"),
        }
    )
    both.update(["a b c d e"], ["a b x d e"])
    both.update(["a b c"], ["a b c"])
    found = both.compute()
    texts = (["a b c d e", "a b c"], [["a b x d e"], ["a b c"]])
    assert found["plain"].item() == value("bleu", *texts)
    assert found["smoothed"].item() == value("bleu[smoothing=add-k]", *texts)


PROGRAM = """
import sys
import torch.distributed
import torch.multiprocessing
from tertium.integrations.torchmetrics import TertiumScore
from tests.support.integrations.texts import HYPOTHESES, REFERENCES


def work(rank, place):
    torch.distributed.init_process_group("gloo", f"file://{place}", rank=rank, world_size=2)
    cut = slice(0, 50) if rank == 0 else slice(50, None)
    for state in ("rows", "sum"):
        metric = TertiumScore("bleu", state=state)
        metric.update(HYPOTHESES[cut], REFERENCES[cut])
        found = metric.compute().item()
        with open(f"{place}.{rank}.{state}", "w") as file:
            file.write(repr(found))


if __name__ == "__main__":
    torch.multiprocessing.start_processes(work, (sys.argv[1],), 2, start_method="fork")
"""


def test_two_processes_join_their_states(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    place = tmp_path / "meeting"
    done = python(str(tmp_path / "program.py"), str(place), folder=REPOSITORY)
    assert done.status == 0, done.err
    found = {path.read_text(encoding="utf-8") for path in tmp_path.glob("meeting.*.*")}
    assert found == {repr(value("bleu", HYPOTHESES, REFERENCES))}
    assert len(list(tmp_path.glob("meeting.*.*"))) == 4


def test_other_scripts_and_empty_texts() -> None:
    metric = TertiumScore("chrf")
    metric.update(SCRIPTS, SCRIPT_REFERENCES)
    assert metric.compute().item() == value("chrf", SCRIPTS, SCRIPT_REFERENCES)


def test_a_fitted_metric() -> None:
    nist = tertium.parse_metric("nist").fit(REFERENCES)
    assert fed(TertiumScore(nist)).compute().item() == value("nist", HYPOTHESES, REFERENCES)


def test_refusals() -> None:
    with pytest.raises(tertium.OptionError, match=r"^nist: found a metric that has not seen"):
        TertiumScore("nist")
    with pytest.raises(tertium.OptionError, match="state: found 'mean', expected rows or sum"):
        TertiumScore("bleu", state="mean")  # type: ignore[arg-type]
    with pytest.raises(tertium.InputError, match="expected one for each segment"):
        TertiumScore("bleu").update("a b", "a b")
    with pytest.raises(tertium.InputError, match="0 segments, expected at least one update"):
        TertiumScore("bleu").compute()
    with pytest.raises(tertium.InputError):
        TertiumScore("bleu").update(["a"], ["a", "b"])
