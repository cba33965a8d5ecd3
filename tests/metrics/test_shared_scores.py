"""The command line on real test sets: equal to sacreBLEU and to the official WMT scores."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu

from tests.support.commands import json_output
from tests.support.golden import lines

pytestmark = pytest.mark.shared

# test set -> (references, folder of the system outputs)
TEST_SETS = {
    "wmt12 es-en": (["wmt12/newstest2012-ref.en"], "wmt12/system-outputs/es-en"),
    "wmt17 de-en": (["wmt17/newstest2017-deen-ref.en"], "wmt17/system-outputs/de-en"),
    "wmt23 zh-en": (["wmt23/references/zh-en.refA.txt"], "wmt23/system-outputs/zh-en"),
    "wmt23 he-en": (["wmt23/references/he-en.refA.txt"], "wmt23/system-outputs/he-en"),
    "wmt23 he-en 2 references": (
        ["wmt23/references/he-en.refA.txt", "wmt23/references/he-en.refB.txt"],
        "wmt23/system-outputs/he-en",
    ),
}


def scores(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What `tertium score … -f json` prints, by system: its only score."""
    systems = json_output(capsys, "score", *arguments)["systems"]
    return {system["system"]: system["scores"][0] for system in systems}


@cache
def cached_lines(path: Path) -> list[str]:
    return lines(path)


@pytest.mark.parametrize("lowercase", [False, True], ids=["cased", "lc"])
@pytest.mark.parametrize("tokenizer", ["13a", "intl", "char", "none"])
@pytest.mark.parametrize("test_set", TEST_SETS)
def test_bleu_equals_sacrebleu(
    test_set: str,
    tokenizer: str,
    lowercase: bool,
    shared_data: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    reference_names, folder = TEST_SETS[test_set]
    references = [shared_data / name for name in reference_names]
    systems = sorted(path for path in (shared_data / folder).iterdir())
    if lowercase and tokenizer != "13a":
        # Case is dropped before any tokenizer sees the text, and sacreBLEU takes its time.
        systems = systems[:3]
    ours = {
        method: scores(
            [
                *map(str, references),
                *("-i", *map(str, systems)),
                *("-tok", tokenizer, "-s", method),
                *(["-lc"] if lowercase else []),
                "-q",  # two of WMT17's files begin with a byte-order mark, which would be told
            ],
            capsys,
        )
        for method in ("exp", "floor", "add-k", "none")
    }
    columns = [cached_lines(path) for path in references]
    peer = sacrebleu.BLEU(tokenize=tokenizer, lowercase=lowercase, references=columns, force=True)
    for path, name in zip(systems, ours["exp"], strict=True):
        found = peer.corpus_score(cached_lines(path), None)
        for method, table in ours.items():
            expected = sacrebleu.BLEU.compute_bleu(
                list(found.counts),
                list(found.totals),
                found.sys_len,
                found.ref_len,
                smooth_method=method,
                smooth_value={"floor": 0.1, "add-k": 1.0}.get(method),
            )
            assert table[name]["score"] == pytest.approx(expected.score, abs=1e-9), (name, method)


def official(path: Path) -> Iterator[tuple[list[str], float]]:
    """Rows of an official score file: labels and score."""
    for line in lines(path):
        *labels, value = line.split("\t")
        yield labels, float(value)


@pytest.mark.parametrize("metric", ["bleu", "chrf"])
@pytest.mark.parametrize("pair", ["zh-en", "he-en"])
def test_official_scores_of_wmt23(
    metric: str, pair: str, shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = shared_data / "wmt23"
    folder = root / "metric-scores" / pair
    name = {"bleu": "BLEU", "chrf": "chrF"}[metric]
    systems = sorted(
        path
        for path in (root / "system-outputs" / pair).iterdir()
        if path.stem in {labels[0] for labels, _ in official(folder / f"{name}-refA.sys.score")}
    )
    ours = scores(
        [
            str(root / "references" / f"{pair}.refA.txt"),
            *("-i", *map(str, systems)),
            *("-m", metric, "-sl", "--by", "genre"),
            *("--documents", str(root / "documents" / f"{pair}.docs")),
        ],
        capsys,
    )
    checked = 0
    for (system,), expected in official(folder / f"{name}-refA.sys.score"):
        assert ours[system]["score"] == pytest.approx(expected, abs=1e-9)
        checked += 1
    for (genre, system), expected in official(folder / f"{name}-refA.domain.score"):
        assert ours[system]["slices"][genre]["score"] == pytest.approx(expected, abs=1e-9)
        checked += 1
    segments: dict[str, list[float]] = {}
    for (system,), expected in official(folder / f"{name}-refA.seg.score"):
        segments.setdefault(system, []).append(expected)
    for system, expected_segments in segments.items():
        np.testing.assert_allclose(ours[system]["segments"], expected_segments, atol=1e-9)
        checked += len(expected_segments)
    assert checked > 20_000


def test_multeval_gold(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The text is tokenised and lower-cased already; the gold has two decimals."""
    root = shared_data / "multeval"
    ours = scores(
        [
            str(root / "example" / "refs.test2010.lc.tok.en.0"),
            *("-i", str(root / "example" / "hyps.lc.tok.en.baseline.opt0")),
            *("-tok", "none"),
        ],
        capsys,
    )
    (score,) = ours.values()
    gold = (root / "hyps.baseline.opt0.bleu.gold").read_text(encoding="utf-8").strip()
    assert f"{score['score']:.2f}" == gold == "18.54"
