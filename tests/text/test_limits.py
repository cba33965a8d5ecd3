"""How much memory may be used: who says so, and what is counted."""

import os
import sys
from pathlib import Path

import pytest

from tertium.errors import LimitError, OptionError
from tertium.text import memory
from tertium.text.memory import (
    UNLIMITED,
    VARIABLE,
    Budget,
    MemoryLimit,
    limited_memory,
    machine_memory,
    memory_limit,
    memory_size,
)
from tests.support.commands import error, output


@pytest.mark.parametrize(
    ("text", "size"),
    [("4G", 4_000_000_000), ("1.5gb", 1_500_000_000), ("500MiB", 500_000_000), ("none", UNLIMITED)],
)
def test_sizes_are_written_as_people_write_them(text: str, size: int) -> None:
    assert memory_size(text) == size


def test_a_share_is_one_of_the_machine() -> None:
    assert memory_size("50%") == machine_memory() // 2


@pytest.mark.parametrize("text", ["", "much", "-1G", "1K", "nan", "infG"])
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(OptionError, match=r"--max-memory: found '.*', expected 64M or more"):
        memory_size(text)


def test_the_flag_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert memory_limit().size == int(0.8 * machine_memory())
    monkeypatch.setenv(VARIABLE, "3G")
    assert memory_limit().size == 3_000_000_000
    with limited_memory(MemoryLimit(2_000_000_000)):
        assert memory_limit().size == 2_000_000_000
        assert os.environ[VARIABLE] == "2000000000"  # for programs that are started
    assert memory_limit().size == 3_000_000_000


def test_a_group_has_at_most_what_those_around_it_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "memory.max", tmp_path / "inner"]
    files[0].write_text("2000000000\n", encoding="utf-8")
    files[1].write_text("max\n", encoding="utf-8")
    monkeypatch.setattr(memory, "_control_files", lambda: map(str, files))
    machine_memory.cache_clear()
    assert machine_memory() == 2_000_000_000
    machine_memory.cache_clear()


def test_a_budget_says_place_limit_and_cure() -> None:
    with limited_memory(MemoryLimit(1_000_000_000), enforced=False):
        budget = Budget("a.tsv", row=500, byte=5)
        budget.add(rows=1_000_000, size=100_000_000)
        said = (
            "a.tsv: more than 1000000 rows, expected at most that within 1.0 GB of memory "
            "(--max-memory allows more)"
        )
        with pytest.raises(LimitError) as refused:
            budget.add(rows=1)
        assert str(refused.value) == said
        budget.restart()
        with pytest.raises(LimitError, match="more than 100 MB of text"):
            budget.add(size=100_000_001)


def test_commands_take_the_flag_and_leave_no_limit_behind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("a b c d\n", encoding="utf-8")
    before = memory_limit()
    words = ("score", str(text), "-i", str(text), "-b")
    assert output(capsys, *words, "--max-memory", "2G") == "100.0\n"
    assert memory_limit() == before
    assert "--max-memory: found 'x'" in error(capsys, *words, "--max-memory", "x")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_the_system_enforces_the_limit_while_a_command_runs() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with limited_memory(MemoryLimit(machine_memory())):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] == machine_memory()
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
