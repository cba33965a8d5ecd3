"""Rewards are scores of segments, signed, centred and in the forms that trainers ask for."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, OptionError
from tertium.integrations.rewards import Baseline, Reward, centred, reward_tensor, rewards
from tests.support.integrations.texts import (
    HYPOTHESES,
    METRICS,
    OTHERS,
    REFERENCES,
    SCRIPT_REFERENCES,
    SCRIPTS,
    segments,
)

SAMPLES = [list(pair) for pair in zip(HYPOTHESES, OTHERS, strict=True)]


@pytest.mark.parametrize("metric", METRICS)
def test_rewards_are_scores_of_segments_with_the_sign_that_makes_higher_better(
    metric: str,
) -> None:
    sign = -1 if metric == "ter" else 1
    found = np.array(rewards(SAMPLES, REFERENCES, metric))
    for column, texts in enumerate((HYPOTHESES, OTHERS)):
        expected = [sign * one for one in segments(metric, texts, REFERENCES)]
        assert found[:, column].tolist() == expected


def test_samples_of_different_numbers_and_none() -> None:
    found = rewards([["a b", "a c", "x"], [], ["d"]], ["a b", "c", ["d", "e"]], "wer")
    assert [one.tolist() for one in found] == [[0.0, -50.0, -100.0], [], [0.0]]
    assert rewards([], []) == []
    (empty,) = rewards([[]], ["a"])
    assert empty.shape == (0,)


def test_other_scripts_and_empty_samples() -> None:
    found = rewards([[text] for text in SCRIPTS], SCRIPT_REFERENCES, "chrf")
    assert [one.item() for one in found] == segments("chrf", SCRIPTS, SCRIPT_REFERENCES)


NUMBERS = st.lists(st.floats(-100, 100), min_size=1, max_size=8)


@given(NUMBERS)
def test_baselines(numbers: list[float]) -> None:
    scores = np.array(numbers)
    assert centred(scores, "none").tolist() == numbers
    assert math.isclose(centred(scores, "mean").sum(), 0, abs_tol=1e-9)
    for place, found in enumerate(centred(scores, "others")):
        rest = np.delete(scores, place)
        expected = numbers[place] - rest.mean() if len(rest) else 0.0
        assert math.isclose(found, expected, abs_tol=1e-9)


def test_scale_comes_before_the_baseline() -> None:
    (plain,) = rewards([["a b", "a c"]], ["a b"], "wer", baseline="mean")
    (scaled,) = rewards([["a b", "a c"]], ["a b"], "wer", baseline="mean", scale=0.01)
    assert plain.tolist() == [25.0, -25.0]
    assert scaled.tolist() == [0.25, -0.25]


def test_a_reward_function_of_columns() -> None:
    reward = Reward("chrf")
    assert reward.__name__ == "chrf"
    found = reward(
        prompts=["p"] * len(HYPOTHESES),
        completions=HYPOTHESES,
        completion_ids=[[1]] * len(HYPOTHESES),
        references=REFERENCES,
        trainer_state=None,
    )
    assert found == segments("chrf", HYPOTHESES, REFERENCES)


def test_conversations() -> None:
    texts = [[{"role": "assistant", "content": text}] for text in HYPOTHESES]
    prompts = [[{"role": "user", "content": "Translate."}] for _ in HYPOTHESES]
    found = Reward("chrf")(prompts=prompts, completions=texts, references=REFERENCES)
    assert found == segments("chrf", HYPOTHESES, REFERENCES)


def test_a_baseline_over_completions_of_equal_prompts() -> None:
    reward = Reward("wer", column="gold", baseline="mean")
    found = reward(
        prompts=["p", "q", "p"], completions=["a b", "c", "a c"], gold=["a b", "d", "a b"]
    )
    assert found == [25.0, 0.0, -25.0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"prompts": ["p"], "completions": ["a"], "gold": ["a"]}, r"found no 'references' \(but g"),
        ({"prompts": ["p"], "completions": ["a"], "references": []}, "references: 0 rows, expec"),
        ({"prompts": [], "completions": ["a"], "references": ["a"]}, "prompts: 0 rows, expected 1"),
        ({"prompts": ["p"], "completions": [7], "references": ["a"]}, "completion: found int"),
        ({"prompts": ["p"], "completions": [[]], "references": ["a"]}, "completion: found list"),
    ],
)
def test_wrong_columns_are_one_line(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Reward("chrf")(**arguments)


def test_refusals() -> None:
    with pytest.raises(OptionError, match="baseline: found 'median', expected none, mean or oth"):
        Reward("chrf", baseline="median")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"^nist: found a metric that has not seen"):
        rewards([["a"]], ["a"], "nist")
    with pytest.raises(InputError, match="samples: 1 source, expected 2"):
        rewards([["a"]], ["a", "b"])


@pytest.mark.parametrize("baseline", ["none", "mean", "others"])
@pytest.mark.filterwarnings("ignore")
def test_tensors_have_the_same_bits(baseline: Baseline) -> None:
    torch = pytest.importorskip("torch", reason="torch is missing: make test-integrations")
    found = reward_tensor(SAMPLES, REFERENCES, "chrf", baseline=baseline)
    assert found.dtype == torch.float64
    assert (
        found.tolist() == np.array(rewards(SAMPLES, REFERENCES, "chrf", baseline=baseline)).tolist()
    )
    with pytest.raises(InputError, match="samples: found 1 to 2 for a source, expected as many"):
        reward_tensor([["a"], ["a", "b"]], ["a", "b"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_trainer_of_trl(tmp_path: Path) -> None:
    """One step of GRPO with a small model made here: what it logs is what the function gave."""
    trl = pytest.importorskip("trl", reason="trl is missing: make test-integrations")
    datasets, tokenizers, transformers = map(
        pytest.importorskip, ("datasets", "tokenizers", "transformers")
    )
    letters = {letter: number for number, letter in enumerate(["<pad>", "</s>", *"abcd"])}
    model = tokenizers.models.WordLevel(letters, unk_token="<pad>")
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="</s>"
    )
    config = transformers.GPT2Config(
        vocab_size=len(letters), n_embd=8, n_layer=1, n_head=1, n_positions=64, eos_token_id=1
    )
    given = []

    class Listening(Reward):
        def __call__(self, prompts: Any, completions: Any, **columns: Any) -> list[float | None]:
            found = super().__call__(prompts, completions, **columns)
            given.append((completions, columns["references"], found))
            return found

    rows = {"prompt": ["a b", "c d"], "references": [["a b c"], ["d", "d d"]]}
    trainer = trl.GRPOTrainer(
        model=transformers.GPT2LMHeadModel(config),
        reward_funcs=Listening("ter"),
        args=trl.GRPOConfig(
            output_dir=str(tmp_path),
            per_device_train_batch_size=4,
            num_generations=4,
            max_completion_length=5,
            max_steps=1,
            logging_steps=1,
            report_to=[],
            use_cpu=True,
            bf16=False,
        ),
        train_dataset=datasets.Dataset.from_dict(rows),
        processing_class=tokenizer,
    )
    trainer.train()
    ((completions, references, found),) = given
    assert found == [-one for one in segments("ter", completions, references)]
    logged = [row for row in trainer.state.log_history if "rewards/ter/mean" in row]
    assert math.isclose(
        logged[0]["rewards/ter/mean"], np.mean(np.array(found, float)), rel_tol=1e-5
    )
