"""The callback in a trainer of PyTorch Lightning."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tests.support.integrations.texts import HYPOTHESES, REFERENCES, value

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

pytest.importorskip("lightning", reason="lightning is missing: make test-integrations")
torch = pytest.importorskip("torch")
lightning = pytest.importorskip("lightning.pytorch")

from tertium.integrations.lightning import TranslationScores, texts_of  # noqa: E402

Module: Any = lightning.LightningModule


class Translating(Module):  # type: ignore[misc]
    """Has its translations by heart."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def training_step(self, batch: Any, batch_idx: int) -> Any:
        return self.weight.sum()

    def validation_step(self, batch: Any, batch_idx: int) -> Any:
        return {"hypotheses": [HYPOTHESES[place] for place in batch["places"]]}

    def configure_optimizers(self) -> Any:
        return torch.optim.SGD(self.parameters(), lr=0.1)


def batch(places: Any) -> dict[str, Any]:
    return {"places": places, "references": [REFERENCES[place] for place in places]}


def loader(count: int = len(HYPOTHESES)) -> Any:
    return torch.utils.data.DataLoader(range(count), batch_size=7, collate_fn=batch)


def trainer(folder: Path, *callbacks: Any) -> Any:
    return lightning.Trainer(
        max_epochs=1,
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=folder,
        callbacks=list(callbacks),
    )


def test_scores_are_logged_at_the_end_of_validation(tmp_path: Path) -> None:
    metrics = ("bleu", "chrf", "ter", "nist")
    callback = TranslationScores(metrics)
    found = trainer(tmp_path, callback).validate(Translating(), loader(), verbose=False)
    assert {name: one.value for name, one in callback.scores.items()} == {
        name: value(name, HYPOTHESES, REFERENCES) for name in metrics
    }
    for name in metrics:  # the log keeps single precision
        assert found[0][f"val_{name}"] == torch.tensor(callback.scores[name].value).item()
    assert callback.scores["bleu"].signature.startswith("nrefs:2|")


def test_training_with_a_check_before_it_and_a_metric_to_watch(tmp_path: Path) -> None:
    callback = TranslationScores(["chrf"], prefix="dev/")
    watch = lightning.callbacks.EarlyStopping(monitor="dev/chrf", mode="max")
    run = trainer(tmp_path, callback, watch)
    run.fit(Translating(), loader(), loader())
    assert callback.scores["chrf"].value == value("chrf", HYPOTHESES, REFERENCES)
    assert watch.best_score == torch.tensor(callback.scores["chrf"].value)


def test_another_form_of_outputs(tmp_path: Path) -> None:
    callback = TranslationScores(
        ["ter"], read=lambda outputs, given: (outputs["hypotheses"], given["references"])
    )
    trainer(tmp_path, callback).validate(Translating(), loader(20), verbose=False)
    assert callback.scores["ter"].value == value("ter", HYPOTHESES[:20], REFERENCES[:20])


def test_where_texts_are_looked_for() -> None:
    assert texts_of({"hypotheses": ["a"]}, {"references": ["b"]}) == (["a"], ["b"])
    given = {"hypotheses": ["a"], "references": ["b"]}
    assert texts_of(given, {"references": ["c"]}) == (["a"], ["b"])


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(tertium.InputError, match="validation_step: found no 'references', expe"):
        texts_of({"hypotheses": []}, ["x"])
    with pytest.raises(tertium.InputError, match="validation_step: found no 'hypotheses'"):
        texts_of(None, {"references": []})
    short = TranslationScores(["ter"], read=lambda *_: (["a"], ["a", "b"]))
    with pytest.raises(tertium.InputError, match="validation batch 1: 1 hypothesis, expected 2"):
        trainer(tmp_path, short).validate(Translating(), loader(7), verbose=False)
    with pytest.raises(tertium.OptionError, match="unknown metric 'blue'"):
        TranslationScores(["blue"])
