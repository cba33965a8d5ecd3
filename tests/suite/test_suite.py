"""Suites: one table, one verdict and one exit code for many test sets."""

import json
import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.cli.main import main
from tertium.errors import InputError
from tertium.metrics.ngram.bleu import Bleu
from tertium.suite import SuiteStore, read_suite, run_suite
from tertium.suite.results import random_effects

SUITE = """
sets = ["en-de", "en-cs"]
references = "{set}/reference.txt"
systems = "{set}/{system}.out"
baseline = "old"
trials = 500
audit = false
"""
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "small", "dog", "run", "home"]


def texts(seed: int, damage: float) -> list[str]:
    """Sixty segments in which some words are others."""
    generator = np.random.default_rng(seed)
    segments = []
    for number in range(60):
        order = np.random.default_rng(number).permutation(WORDS)[:9]
        swapped = generator.random(9) < damage
        segments.append(
            " ".join("noise" if bad else word for word, bad in zip(order, swapped, strict=True))
        )
    return segments


def write(path: Path, segments: list[str]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{segment}\n" for segment in segments), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of two test sets in which the new system scores higher."""
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    for number, name in enumerate(("en-de", "en-cs")):
        write(tmp_path / name / "reference.txt", texts(number, 0))
        write(tmp_path / name / "old.out", texts(10 + number, 0.4))
        write(tmp_path / name / "new.out", texts(20 + number, 0.2))
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    return tmp_path


def add(folder: Path, lines: str) -> Path:
    path = folder / "suite.toml"
    path.write_text(path.read_text(encoding="utf-8") + lines, encoding="utf-8")
    return path


def test_every_set_is_decided_at_its_share_of_the_level(folder: Path) -> None:
    result = run_suite(read_suite(folder / "suite.toml"))
    assert result.systems == ("new",)
    for number, one in enumerate(result.sets):
        expected = tertium.decide(
            {"old": texts(10 + number, 0.4), "new": texts(20 + number, 0.2)},
            texts(number, 0),
            ["bleu", "chrf"],
            alpha=0.025,
            trials=500,
            audit=False,
        ).to_dict()
        assert one.decision["systems"] == expected["systems"]
    assert result.sentences == ("new, in 2 test sets: scores higher in 2 (en-de, en-cs)",)


def test_a_pattern_that_matches_the_reference_makes_no_system_of_it(folder: Path) -> None:
    text = SUITE.replace("{set}/{system}.out", "{set}/*")
    (folder / "suite.toml").write_text(text, encoding="utf-8")
    for test_set in read_suite(folder / "suite.toml").sets:
        names = [Path(file).name for _, file in test_set.systems]
        assert names == ["new.out", "old.out"]


def test_the_pooled_difference_is_that_of_the_sets(folder: Path) -> None:
    result = run_suite(read_suite(folder / "suite.toml"))
    assert [(one.system, one.metric, one.sets) for one in result.pooled] == [
        ("new", "bleu", 2),
        ("new", "chrf", 2),
    ]
    for one in result.pooled:
        deltas = [
            score["delta"]
            for each in result.sets
            for score in each.systems[0]["scores"]
            if score["metric"] == one.metric
        ]
        assert min(deltas) <= one.delta <= max(deltas)
        assert one.low < one.delta < one.high


@given(
    st.lists(
        st.tuples(st.floats(-50, 50), st.floats(0.01, 9)),
        min_size=2,
        max_size=12,
    )
)
def test_random_effects_are_dersimonian_and_lairds(sets: list[tuple[float, float]]) -> None:
    """The formulas of the paper (1986), written down once more."""
    y = np.array([delta for delta, _ in sets])
    w = 1 / np.array([variance for _, variance in sets])
    q = (w * (y - (w * y).sum() / w.sum()) ** 2).sum()
    tau = max(0.0, (q - (len(y) - 1)) / (w.sum() - (w**2).sum() / w.sum()))
    v = 1 / (1 / w + tau)
    expected = ((v * y).sum() / v.sum(), v.sum() ** -0.5, math.sqrt(tau))
    found = random_effects([delta for delta, _ in sets], [variance for _, variance in sets])
    assert found[:3] == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert 0 <= found[3] <= 1


def test_outputs_that_are_equal_have_no_noise() -> None:
    mean, error, spread, _ = random_effects([0.0, 0.0], [0.0, 0.0])
    assert (mean, spread) == (0.0, 0.0)
    assert error > 0


def test_only_what_changed_is_scored_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[str] = []
    rows_of = Bleu.rows_of

    def counting(self: Bleu, system: Any, corpus: Any) -> Any:
        scored.append(system.name)
        return rows_of(self, system, corpus)

    monkeypatch.setattr(Bleu, "rows_of", counting)
    path = str(folder / "suite.toml")
    with SuiteStore(folder / "history.sqlite") as store:
        first = run_suite(read_suite(path), store=store)
        assert scored == ["old", "new"] * 2
        again = run_suite(read_suite(path), store=store)
        assert (len(scored), [one.cached for one in again.sets]) == (4, [True, True])
        assert again.to_dict() == first.to_dict()
        write(folder / "en-cs" / "new.out", texts(99, 0.3))
        third = run_suite(read_suite(path), store=store)
        assert scored[4:] == ["new"]
        assert [one.cached for one in third.sets] == [True, False]
        assert third.sets[0].decision == first.sets[0].decision
        assert store.last_run(path) == json.loads(json.dumps(third.to_dict()))
    fresh = run_suite(read_suite(path))
    assert fresh.to_dict() == third.to_dict()


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["suite", *words])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_the_exit_code_says_whether_it_holds_everywhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(add(folder, 'require = "higher"\n'))
    status, out, err = run(capsys, "run", path)
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == [
        "new, in 2 test sets: scores higher in 2 (en-de, en-cs)",
        "required: higher: holds in every test set",
    ]
    write(folder / "en-cs" / "new.out", texts(11, 0.6))
    status, out, _ = run(capsys, "run", path, "--since", "last")
    assert status == 1
    assert "required: higher: does not hold in en-cs" in out
    assert "since the last run: 2 scores changed" in out
    assert "  en-cs, new, BLEU: -" in out


def test_junit_has_a_case_for_each_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "en-cs" / "new.out", texts(11, 0.6))
    path = str(add(folder, 'require = "not-lower"\n'))
    status, out, _ = run(capsys, "run", path, "-f", "junit")
    assert status == 1
    suite = ElementTree.fromstring(out).find("testsuite")  # noqa: S314 (we wrote it)
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failing = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
    assert failing["en-de"] is None
    failure = failing["en-cs"]
    assert failure is not None
    assert failure.get("message") == "new: significantly lower by BLEU"


def test_markdown_is_one_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "run", str(folder / "suite.toml"), "-f", "markdown")
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert rows[0] == "| test set | system | Δ BLEU | Δ chrF | verdict |"
    assert [row.split(" | ")[0] for row in rows[2:]] == ["| en-de", "| en-cs", "| **pooled**"]


def test_a_run_is_made_again_bit_for_bit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, made = str(folder / "suite.toml"), str(folder / "run.json")
    assert run(capsys, "run", path, "-f", "json", "-o", made)[0] == 0
    status, out, _ = run(capsys, "verify", made)
    assert (status, out) == (0, f"{made}: the same numbers, bit for bit (2 test sets, 6 files)\n")
    told = json.loads(Path(made).read_text(encoding="utf-8"))
    assert told["inputs"][str(folder / "en-de" / "old.out")] is not None
    write(folder / "en-cs" / "new.out", texts(99, 0.3))
    status, out, _ = run(capsys, "verify", made)
    assert status == 1
    assert out.startswith(f"{made}: the run cannot be made again\n")
    assert "as in the run" in out


def test_foreign_scores_that_lack_a_system_are_missing_and_not_zero(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f"old\t{number / 60}\n" for number in range(60))
    (folder / "COMET.seg.score").write_text(lines, encoding="utf-8")
    path = str(add(folder, "[sets.x]\n")).replace("suite.toml", "other.toml")
    text = SUITE.replace('sets = ["en-de", "en-cs"]\n', "") + (
        '[sets.en-de]\nscores = "COMET.seg.score"\n[sets.en-cs]\n'
    )
    Path(path).write_text(text, encoding="utf-8")
    status, out, _ = run(capsys, "run", path)
    assert status == 0
    assert "en-de: no COMET: " in " ".join(out.split())
    heading = next(line for line in out.splitlines() if line.startswith("test set"))
    assert "Δ COMET" in heading
    rows = {line.split()[0]: line for line in out.splitlines() if line.startswith("en-")}
    assert "missing" in rows["en-de"]
    assert "not asked" in rows["en-cs"]


def test_a_metric_that_took_its_time_is_missing_from_the_other_sets(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next run goes on where this one ended: what was scored is there."""
    clock = iter(range(0, 10_000, 5))
    monkeypatch.setattr("tertium.suite.run.perf_counter", lambda: next(clock))
    suite = read_suite(add(folder, "budget = { chrF = 12 }\n"))
    with SuiteStore(folder / "history.sqlite") as store:
        first, second = run_suite(suite, store=store).sets
        assert first.missing == {}
        assert second.missing == {"chrF": "its budget of 12 s is used up"}
        assert [score["metric"] for score in second.systems[0]["scores"]] == ["bleu"]
        monkeypatch.setattr("tertium.suite.run.perf_counter", lambda: 0.0)
        again = run_suite(suite, store=store)
        assert [one.cached for one in again.sets] == [True, False]
        assert again.sets[1].missing == {}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("sets = []\n", "sets: found list, expected names"),
        ('sets = ["a"]\nreferences = "no.txt"\n', "sets.a: references: found no file"),
        ('sets = ["a"]\nmetrcs = "bleu"\n', "unknown key 'metrcs'"),
        ('sets = ["en-de"]\nreferences = 3\n', "references: found '3', expected a string or"),
        ('sets = ["en-de"]\nrequire = "best"\n', "require: found 'best', expected one of better"),
        ('sets = ["en-de"]\nbudget = -1\n', "budget: found '-1', expected seconds, or a table"),
        ('sets = ["en-de"]\nmargin = 1\n', "margin: found no requirement, expected require"),
        ('sets = ["en-de"]\nalpha = "x"\n', "alpha: found 'x', expected a number"),
        ("[sets.en-de]\nreference = 'x'\n", "sets.en-de: unknown key 'reference'"),
        ("sets = [", "expected TOML"),
    ],
)
def test_mistakes_are_errors_of_one_line(folder: Path, lines: str, message: str) -> None:
    path = folder / "suite.toml"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_suite(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('baseline = "nobody"', "sets.en-de: baseline: found new, old, expected 'nobody' among"),
        (
            'systems = { old = "{set}/old.out" }',
            "sets.en-de: systems: found 1, expected a baseline and",
        ),
        ('metrics = "blue"', "sets.en-de: unknown metric 'blue'"),
    ],
)
def test_errors_name_the_test_set(
    folder: Path, capsys: pytest.CaptureFixture[str], lines: str, message: str
) -> None:
    key = lines.partition(" ")[0]
    rest = "\n".join(line for line in SUITE.splitlines() if not line.startswith(key))
    (folder / "suite.toml").write_text(f"{rest}\n{lines}\n", encoding="utf-8")
    status, out, err = run(capsys, "run", str(folder / "suite.toml"))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_damaged_store_is_an_error_with_a_cure(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = folder / "bad.sqlite"
    bad.write_bytes(b"no database " * 100)
    status, _, err = run(capsys, "run", str(folder / "suite.toml"), "--history", str(bad))
    assert status == 2
    assert err.startswith(f"tertium: {bad}: ")
    assert "--history names another" in err
