"""Faults are planted where they can be noticed, and what notices them is what the report says."""

import random
from pathlib import Path

import pytest
from tools import mutants
from tools.mutants import (
    AREAS,
    Area,
    Mutant,
    Runner,
    Stage,
    Verdict,
    cpp_mutants,
    drawn,
    judged,
    named_equivalent,
    percent,
    python_mutants,
    ranked_for_core,
    ranked_tests,
)

from tests.support.places import REPOSITORY

PYTHON = [
    ("x = a < b", ["x = a <= b"]),
    ("x = a is not None", ["x = a is None"]),
    ("x = a not in b", ["x = a in b"]),
    ("x = a and b", ["x = a or b"]),
    ("x = not a", ["x = a"]),
    ("x = a + b", ["x = a - b"]),
    ("x = 'a' + b", []),
    ("x = 3", ["x = 4"]),
    ("x = 0.5", ["x = 1.5"]),
    ("x = True", ["x = False"]),
    ("f(a, b)", ["f(b, a)", "pass"]),
    ("max(a, b)", ["pass"]),
    ("zip(a, b, strict=True)", ["pass", "zip(b, a, strict=True)"]),
    ("x += a", ["pass"]),
    ("a[b] = c", ["pass"]),
    ("raise ValueError(f'{1 + 2}', 3)", ["pass"]),
    ("x: int = 1", ["x: int = 2"]),
    ("def f(a: Literal[1] = 2): return a", ["def f(a: Literal[1] = 2): return None",
                                            "def f(a: Literal[1] = 3): return a"]),
    ("for x in y: break", ["for x in y: continue"]),
    ("if a: raise b", ["if False: raise b", "if a: pass", "if not (a): raise b"]),
    ("if TYPE_CHECKING: import a", []),
    ('"""3 < 4"""', []),
    ("@cache(3)\ndef f(): return 'a'", []),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), PYTHON)
def test_faults_of_python(source: str, expected: list[str]) -> None:
    data = source.encode()
    found = sorted(one.applied(data).decode() for one in python_mutants("a.py", data))
    assert [" ".join(one.split()) for one in found] == sorted(expected)


CPP = [
    ("  if (a < b) return;", ["  if (!(a < b)) return;", "  if (a <= b) return;",
                              "  if (false) return;"]),
    ("  if (a) b = 1;", ["  if (!(a)) b = 1;", "  if (a) b = 2;"]),
    ("  while (!a && b) {", ["  while (!a || b) {", "  while (a && b) {"]),
    ("  x.push_back(y);", ["  ;"]),
    ("  x.reserve(y + 9);", []),
    ("  core::for_each_block(size, 16, [&] {", []),
    ("std::vector<int> x; // a < b, 1", []),
    ('  throw error("a" + 1);', []),
    ("#if 1 < 2", []),
    ("x = std::min(a, b);", ["x = std::max(a, b);"]),
    ("for (;; ++i) break;", ["for (;; ++i) continue;", "for (;; --i) break;"]),
    ("auto c = '1' + 0x1F + 1.5;", ["auto c = '1' + 0x1F - 1.5;", "auto c = '1' - 0x1F + 1.5;"]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CPP)
def test_faults_of_cpp(source: str, expected: list[str]) -> None:
    data = source.encode()
    assert sorted(one.applied(data).decode() for one in cpp_mutants("a.cpp", data)) == expected


def test_every_file_of_an_area_has_its_place() -> None:
    for area in AREAS.values():
        names = list(area.sources(REPOSITORY))
        assert len(names) == len(set(names)) > 0
        assert all((REPOSITORY / name).is_file() for name in names)


def test_likely_tests_come_first() -> None:
    def stems(path: str) -> list[str]:
        return [Path(name).stem for name in ranked_tests(REPOSITORY, path, 100)[:3]]

    assert "test_gaming" in stems("src/tertium/audit/gaming.py")
    assert "test_content" in stems("src/tertium/text/formats/content.py")
    assert "tests/metrics/amber/test_amber.py" in ranked_for_core(
        REPOSITORY, "cpp/metrics/amber/amber.cpp"
    )[:3]  # fmt: skip


TOY = b"def half(n):\n    if n < 0:\n        return None\n    return n // 2\n"


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Area:
    """A checkout of one module, whose test is a command."""

    def copied(tree: Path) -> None:
        (tree / "half.py").write_bytes(TOY)

    monkeypatch.setattr(mutants, "copy_checkout", copied)
    monkeypatch.setattr(mutants, "EQUIVALENT", tmp_path / "equivalent.toml")
    mutants._equivalent_entries.cache_clear()  # noqa: SLF001 - another list for this test
    test = "from half import half; assert half(8) == 4 and half(0) == 0; raise SystemExit(0)"

    def stages(_: Path, __: Mutant) -> list[Stage]:
        return [Stage(command=("python3", "-c", test), limit=60)]

    return Area(sources=lambda _: ["half.py"], mutants=python_mutants, stages=stages)


def test_killed_mutants_and_survivors_are_told_apart(
    toy: Area, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts = judged("toy", toy, tmp_path / "work", seed=1, sample=99, jobs=2, only=[])
    assert sorted(one.mutant.line for one in verdicts) == [2, 4]  # one mutant of each line
    noticed, total, share = percent(verdicts)
    assert total == 2
    assert share == 50 * noticed
    shown = capsys.readouterr().out
    assert shown.count("half.py:") == 2
    assert (tmp_path / "work" / "job0" / "half.py").read_bytes() == TOY
    again = judged("toy", toy, tmp_path / "work", seed=2, sample=1, jobs=2, only=[])
    assert len(again) == 1


def test_every_fault_but_the_untested_guard_is_noticed(toy: Area, tmp_path: Path) -> None:
    clean, tree = tmp_path / "clean", tmp_path / "tree"
    for folder in (clean, tree):
        folder.mkdir()
        (folder / "half.py").write_bytes(TOY)
    runner = Runner(clean)
    verdicts = [runner.verdict(toy, tree, one) for one in python_mutants("half.py", TOY)]
    survivors = [one.mutant.kind for one in verdicts if one.status == "survived"]
    assert survivors == ["guard removed"]
    assert {one.status for one in verdicts} == {"killed", "survived"}
    assert (tree / "half.py").read_bytes() == TOY


def test_a_fault_that_nobody_could_notice_is_named(toy: Area, tmp_path: Path) -> None:
    (tmp_path / "equivalent.toml").write_text(
        '[[equivalent]]\nfile = "half.py"\nline = "if n < 0:"\nmutant = "if False:"\n'
        'reason = "half of nothing"\n',
        encoding="utf-8",
    )
    mutants._equivalent_entries.cache_clear()  # noqa: SLF001 - another list for this test
    guard = next(one for one in python_mutants("half.py", TOY) if one.kind == "guard removed")
    other = next(one for one in python_mutants("half.py", TOY) if one.kind == "comparison")
    assert named_equivalent(guard, TOY) == "half of nothing"
    assert named_equivalent(other, TOY) is None
    (tmp_path / "half.py").write_bytes(TOY)
    verdict = Runner(tmp_path).verdict(toy, tmp_path, guard)
    assert (verdict.status, verdict.reason) == ("equivalent", "half of nothing")
    assert percent([verdict]) == (0, 0, 100.0)


def test_a_command_that_fails_without_a_fault_kills_nothing(tmp_path: Path) -> None:
    (tmp_path / "half.py").write_bytes(TOY)
    stage = Stage(command=("python3", "-c", "raise SystemExit(1)"), limit=60)
    assert Runner(tmp_path).killer(tmp_path, stage) is None


def test_a_mutant_without_end_is_ended(tmp_path: Path) -> None:
    clean, tree = tmp_path / "clean", tmp_path / "tree"
    for folder, loop in ((clean, "False"), (tree, "True")):
        folder.mkdir()
        (folder / "half.py").write_text(f"while {loop}:\n    pass\n", encoding="utf-8")
    stage = Stage(command=("python3", "-c", "import half"), limit=1)
    assert Runner(clean).killer(tree, stage) == ("timeout", "no end")


def test_samples_follow_the_seed(toy: Area, tmp_path: Path) -> None:
    (tmp_path / "half.py").write_bytes(TOY)
    once, again = (list(drawn(tmp_path, toy, [], random.Random(3))) for _ in range(2))
    assert once == again
    assert list(drawn(tmp_path, toy, ["other"], random.Random(3))) == []


def test_named_equivalents_are_lines_of_the_source() -> None:
    """A list that has gone stale would hide faults that are not equivalent."""
    mutants._equivalent_entries.cache_clear()  # noqa: SLF001 - the list of the checkout
    for entry in mutants._equivalent_entries():  # noqa: SLF001
        lines = (REPOSITORY / entry["file"]).read_text(encoding="utf-8").splitlines()
        assert entry["line"] in [line.strip() for line in lines], entry
        assert entry["mutant"] != entry["line"]
        assert entry["reason"]


def test_verdicts_in_percent() -> None:
    mutant = Mutant(path="a", line=1, start=0, end=1, replacement=b"", kind="x")
    statuses = ["killed", "timeout", "survived", "equivalent", "unviable", "killed"]
    verdicts = [Verdict(mutant=mutant, status=one, reason="", seconds=0) for one in statuses]
    assert percent(verdicts) == (3, 4, 75.0)
