"""``compute_metrics`` in trainers of ``transformers``; tokenizer and models are made here."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.errors import InputError
from tertium.integrations.trainer import NO_LABEL, ComputeMetrics, best_tokens, token_numbers
from tests.support.integrations.texts import HYPOTHESES, METRICS, REFERENCES

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

transformers = pytest.importorskip(
    "transformers", reason="transformers is missing: make test-integrations"
)
torch = pytest.importorskip("torch", reason="torch is missing: make test-integrations")

SINGLE = [one[0] for one in REFERENCES]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    trainer = tokenizers.trainers.WordLevelTrainer(special_tokens=["<pad>", "</s>", "<unk>"])
    made.train_from_iterator([*HYPOTHESES, *SINGLE], trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )


def padded(rows: list[list[int]], filler: int) -> Any:
    width = max(map(len, rows))
    return np.array([row + [filler] * (width - len(row)) for row in rows])


@pytest.fixture(scope="module")
def numbers(tokenizer: Any) -> tuple[Any, Any]:
    """Hypotheses and labels as a trainer hands them over."""
    ours = tokenizer(HYPOTHESES)["input_ids"]
    theirs = [[*row, tokenizer.eos_token_id] for row in tokenizer(SINGLE)["input_ids"]]
    return padded(ours, NO_LABEL), padded(theirs, NO_LABEL)


def prediction(ours: Any, theirs: Any) -> Any:
    return transformers.EvalPrediction(predictions=ours, label_ids=theirs)


def expected(metrics: tuple[str, ...], references: Any = SINGLE) -> dict[str, float]:
    return {
        tertium.parse_metric(name).spec: tertium.score(HYPOTHESES, references, name).value
        for name in metrics
    }


def test_numbers_of_tokens(tokenizer: Any, numbers: tuple[Any, Any]) -> None:
    compute = ComputeMetrics(tokenizer, METRICS)
    assert compute(prediction(*numbers)) == expected(METRICS)
    assert compute(prediction(*numbers)) == expected(METRICS)  # nothing is kept


def test_logits_alone_and_in_a_tuple(tokenizer: Any, numbers: tuple[Any, Any]) -> None:
    ours, theirs = numbers
    filled = np.where(ours == NO_LABEL, tokenizer.pad_token_id, ours)
    logits = np.eye(len(tokenizer), dtype=np.float32)[filled]
    compute = ComputeMetrics(tokenizer, ["bleu"])
    for given in (logits, (logits, "hidden states"), torch.tensor(logits)):
        assert compute(prediction(given, theirs)) == expected(("bleu",))
    assert best_tokens((torch.tensor(logits), None), None).tolist() == filled.tolist()


def test_references_of_the_whole_set(tokenizer: Any, numbers: tuple[Any, Any]) -> None:
    compute = ComputeMetrics(tokenizer, ["bleu", "nist"], references=REFERENCES)
    assert compute(prediction(numbers[0], None)) == expected(("bleu", "nist"), REFERENCES)


def test_a_tokenizer_without_padding(tokenizer: Any, numbers: tuple[Any, Any]) -> None:
    class Unpadded:
        pad_token_id: int | None = None

        def batch_decode(self, sequences: Any, *, skip_special_tokens: bool) -> list[str]:
            assert all(NO_LABEL not in row for row in sequences)
            found: list[str] = tokenizer.batch_decode(
                sequences, skip_special_tokens=skip_special_tokens
            )
            return found

    assert ComputeMetrics(Unpadded(), ["chrf"])(prediction(*numbers)) == expected(("chrf",))


def test_wrong_shapes_are_one_line(tokenizer: Any) -> None:
    with pytest.raises(InputError, match="predictions: found 1 dimensions, expected 2"):
        token_numbers(np.array([1, 2]))
    with pytest.raises(InputError, match="labels: found none, expected label_ids or references"):
        ComputeMetrics(tokenizer)(prediction(np.array([[1]]), None))


Module: Any = torch.nn.Module


class Copying(Module):  # type: ignore[misc]
    """Writes what it reads."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.table = torch.nn.Embedding.from_pretrained(torch.eye(size))

    def forward(self, input_ids: Any, labels: Any = None) -> dict[str, Any]:
        return {"loss": self.table.weight.sum(), "logits": self.table(input_ids)}


def collate(rows: list[dict[str, list[int]]]) -> dict[str, Any]:
    return {
        name: torch.tensor(padded([row[name] for row in rows], filler))
        for name, filler in (("input_ids", 0), ("labels", NO_LABEL))
    }


@pytest.mark.parametrize("batches", [False, True])
def test_the_trainer(tokenizer: Any, tmp_path: Path, batches: bool) -> None:
    rows = [
        {"input_ids": ours, "labels": theirs}
        for ours, theirs in zip(
            tokenizer(HYPOTHESES)["input_ids"], tokenizer(SINGLE)["input_ids"], strict=True
        )
    ]
    trainer = transformers.Trainer(
        model=Copying(len(tokenizer)),
        args=transformers.TrainingArguments(
            output_dir=str(tmp_path), report_to=[], use_cpu=True, batch_eval_metrics=batches
        ),
        eval_dataset=rows,
        data_collator=collate,
        compute_metrics=ComputeMetrics(tokenizer, ["bleu", "ter", "nist"]),
        preprocess_logits_for_metrics=best_tokens,
    )
    for _ in range(2):
        found = trainer.evaluate()
        for name, score in expected(("bleu", "ter", "nist")).items():
            assert found[f"eval_{name}"] == score


def test_generated_texts(tokenizer: Any, tmp_path: Path) -> None:
    torch.manual_seed(1)
    sizes = dict.fromkeys(("encoder_layers", "decoder_layers"), 1)
    sizes |= dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 1)
    sizes |= dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim", "d_model"), 8)
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        **sizes,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=1,
        decoder_start_token_id=1,
        forced_eos_token_id=1,
    )
    rows = [
        {"input_ids": ours[:20], "labels": theirs}
        for ours, theirs in zip(
            tokenizer(HYPOTHESES[:12])["input_ids"],
            tokenizer(SINGLE[:12])["input_ids"],
            strict=True,
        )
    ]
    trainer = transformers.Seq2SeqTrainer(
        model=transformers.BartForConditionalGeneration(config),
        args=transformers.Seq2SeqTrainingArguments(
            output_dir=str(tmp_path),
            report_to=[],
            use_cpu=True,
            predict_with_generate=True,
            generation_max_length=12,
        ),
        data_collator=collate,
        compute_metrics=ComputeMetrics(tokenizer, ["chrf", "ter"]),
    )
    found = trainer.predict(rows)
    given = SimpleNamespace(predictions=found.predictions, label_ids=found.label_ids)
    filled = np.where(given.predictions == NO_LABEL, 0, given.predictions)
    texts = tokenizer.batch_decode(filled, skip_special_tokens=True)
    for name in ("chrf", "ter"):
        assert found.metrics[f"test_{name}"] == tertium.score(texts, SINGLE[:12], name).value
