"""sacreBLEU's paired tests and utilities: the same p-values, signatures and tables."""

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
import sacrebleu.metrics.base
import sacrebleu.metrics.helpers
import sacrebleu.metrics.lib_ter
import sacrebleu.significance
import sacrebleu.tokenizers.tokenizer_ter
import sacrebleu.utils

from tertium.compat import sacrebleu as ours
from tertium.errors import TertiumError
from tests.support.sacrebleu_parity import theirs

REFERENCES = [[f"the house {n} stands in the valley , {n % 3} trees" for n in range(40)]]
SYSTEMS = [
    ("first", [text.replace("stands", "is") for text in REFERENCES[0]]),
    ("second", [text.replace("3", "4").replace("valley ,", "dale") for text in REFERENCES[0]]),
    ("third", [text.replace("1", "7") for text in REFERENCES[0]]),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["12345", "7"])
@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("bs", {"n_samples": 300}),
        ("ar", {"n_samples": 500}),
        ("ar", {"n_samples": 200, "n_ar_confidence": 50, "n_jobs": 2}),
    ],
)
def test_paired_tests_have_the_same_p_values(
    kind: str, more: dict[str, int], seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    outcomes = []
    for module, paired in ((theirs, sacrebleu.significance), (ours, ours.significance)):
        metrics = {
            "BLEU": module.BLEU(references=REFERENCES),
            "CHRF": module.CHRF(references=REFERENCES, word_order=2),
            "TER": module.TER(references=REFERENCES),
        }
        test = paired.PairedTest(SYSTEMS, metrics, references=None, test_type=kind, **more)
        signatures, scores = test()
        assert isinstance(scores["BLEU"][1], paired.Result)
        outcomes.append((test.n_samples, list(signatures), scores))
    expected, found = outcomes
    assert found[:2] == expected[:2]
    assert list(found[2]) == list(expected[2]) == ["System", "BLEU", "chrF2++", "TER"]
    for name in ("BLEU", "chrF2++", "TER"):
        for one, other in zip(expected[2][name], found[2][name], strict=True):
            assert vars(other) == pytest.approx(vars(one)), name
            assert other.p_value == one.p_value


def test_a_seed_of_0_is_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "0")
    values = set()
    for _ in range(3):
        metrics = {"BLEU": ours.BLEU(references=REFERENCES)}
        test = ours.significance.PairedTest(SYSTEMS, metrics, None, "bs", 200)
        values.add(test()[1]["BLEU"][1].mean)
    assert len(values) == 1


def test_signatures_of_paired_tests() -> None:
    metrics = {"BLEU": ours.BLEU(references=REFERENCES)}
    signatures, _ = ours.significance.PairedTest(SYSTEMS, metrics, None, "ar", 10)()
    assert str(signatures["BLEU"]).startswith("nrefs:1|ar:10|seed:12345|case:mixed|eff:no|")
    with pytest.raises(AssertionError, match="test_type: found 't', expected ar or bs"):
        ours.significance.PairedTest(SYSTEMS, metrics, None, "t")


def test_results_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = {"BLEU": ours.BLEU(references=REFERENCES)}
    signatures, scores = ours.significance.PairedTest(SYSTEMS, metrics, None, "bs", 50)()
    for kind in ("text", "latex", "json"):
        arguments = Namespace(format=kind, width=1, paired_bs=True, paired_ar=False)
        ours.utils.print_results_table(scores, signatures, arguments)
        shown = capsys.readouterr().out
        assert all(name in shown for name, _ in SYSTEMS)
        assert kind != "text" or "(p = 0." in shown
    ours.utils.print_single_results(["BLEU|a = 1.0", "chrF2|ab = 2.0"], Namespace(format="text"))
    assert capsys.readouterr().out == "  BLEU|a = 1.0\nchrF2|ab = 2.0\n"


def test_small_utilities(tmp_path: Path) -> None:
    for module in (sacrebleu.utils, ours.utils):
        path = tmp_path / f"{module.__name__}.gz"
        with module.smart_open(str(path), "wt") as file:
            file.write("one\u2028two\r\nthree\n")
        with module.smart_open(str(path)) as file:
            assert list(file) == ["one\u2028two\r\n", "three\n"]
        assert module.sum_of_lists([[1, 2.5], [3, 4.0]]) == [4, 6.5]
        assert module.my_log(0) == -9999999999
        arguments = Namespace(bleu_force=True, chrf_beta=2)
        assert module.args_to_dict(arguments, "bleu", strip_prefix=True) == {"force": True}
        assert module.Color.format("x", "red") == "\033[31mx\033[0m"
        module.sanity_check_lengths(["a"], [["b"]])


@pytest.mark.parametrize(
    "call",
    [
        lambda: ours.get_source_file("wmt19", "de-en"),
        lambda: ours.get_reference_files("wmt19", "de-en"),
        lambda: ours.utils.get_files("wmt19", "de-en"),
        lambda: ours.download_test_set("wmt19", "de-en"),
        lambda: ours.utils.download_file("a", "b"),
    ],
)
def test_nothing_is_downloaded(call: Callable[[], object]) -> None:
    with pytest.raises(TertiumError, match="tertium downloads nothing, expected ") as found:
        call()
    assert "\n" not in str(found.value)
    assert ours.get_available_testsets() == ours.get_langpairs_for_testset("wmt19") == []
