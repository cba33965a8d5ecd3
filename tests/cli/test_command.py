"""What all commands have in common: errors, exit codes, streams, help, start-up."""

import io
import os
import sys
from pathlib import Path

import pytest

import tertium
from tertium.cli.main import COMMANDS, EVERYDAY
from tertium.cli.shell.progress import count_lines, progress_bar
from tests.support.commands import (
    PATIENCE,
    Screen,
    error,
    json_output,
    output,
    python,
    ran,
    started,
)
from tests.support.sample import ALL, ELM, ONE, REFERENCES

# ---- errors ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["scroe"], "unknown command 'scroe'; did you mean 'score'?"),
        (["--fast"], "unknown flag '--fast'; see"),
        (["score"], "the following arguments are required: REF"),
        ([*ONE, "--fast"], "unknown flag '--fast'"),
        ([*ONE, "--metrcs", "wer"], "unknown flag '--metrcs'; did you mean '--metrics'? see"),
        ([*ONE, "-f", "pdf"], "invalid choice: 'pdf'"),
        ([*ONE, "-w", "-1"], "found '-1', expected a whole number from 0 on"),
        ([*ONE, "--threads", "many"], "found 'many', expected a whole number from 1 on"),
        ([*ONE, "-l", "de"], "found 'de', expected source-target"),
        ([*ONE, "--columns", "mt"], "found 'mt', expected role=column"),
        ([*ONE, "-m", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
        ([*ONE, "-m", "bleu[ordr=2]"], "unknown option of bleu 'ordr'; did you mean 'order'?"),
        ([*ONE, "-tok", "moses"], "unknown tokenizer 'moses'"),
        ([*ONE, "-m", "bleu", "bleu"], "metric 'bleu': found twice, expected once"),
        ([*ONE, "-m", "wer", "-s", "exp"], "--smooth-method: found metrics wer, expected"),
        ([*ONE, "-sv", "1"], "--smooth-value: found no --smooth-method"),
        ([*ONE, "-s", "exp", "-sv", "1"], "smoothing exp: found a value, expected none"),
        ([*ONE, "-b", "-f", "json"], "--score-only: found --format json, expected text"),
        ([*ONE, "--by", "genre", "-sl"], "--by: found with --sentence-level"),
        (
            [*ONE, "--by", "genre"],
            "no genre labels, expected a file of documents (--documents FILE)",
        ),
        (["score", "absent", "-i", ELM], "absent: "),
        ([*ONE, "-o", "absent/folder/file"], "absent/folder/file: found no folder"),
        ([*ONE, ELM], "elm.txt"),
        (
            ["score", os.devnull, "-i", os.devnull],
            f"{os.devnull}: 0 segments, expected at least one",
        ),
        (["metrics", "blue"], "unknown metric 'blue'; did you mean 'bleu'?"),
    ],
)
def test_errors_are_one_line(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = error(capsys, *words)
    assert line.startswith("tertium")
    assert expected in line


def test_nothing_is_printed_before_all_is_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = tmp_path / "short.en"
    short.write_text("only one\n", encoding="utf-8")
    line = error(capsys, "score", *REFERENCES, "-i", ELM, str(short))
    assert "short.en: 1 segment" in line
    assert "expected 92" in line


def test_interrupt_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("tertium.cli.score.run", interrupted)
    assert ran(capsys, *ONE)[:2] == (130, "")


def test_progress_appears_only_when_work_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def total() -> int:
        asked.append("total")
        return 10

    for patience, quiet, shown in [(60.0, False, False), (-1.0, True, False), (-1.0, False, True)]:
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        monkeypatch.setattr("tertium.cli.shell.progress.PATIENCE", patience)
        with progress_bar(total, quiet=quiet) as advance:
            advance(5)
            advance(5)
        assert bool(screen.getvalue()) is shown
    assert asked == ["total"]


def test_lines_are_counted_only_where_that_is_cheap(tmp_path: Path) -> None:
    assert count_lines(REFERENCES[0]) == 92
    for name in ("a.gz", "a.tsv"):
        (tmp_path / name).touch()
    for name in ("absent", "a.gz", "a.tsv"):
        assert count_lines(str(tmp_path / name)) is None


def test_a_terminal_gets_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium.report.console import console_text

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert console_text("[bold]best[/bold]", Screen()) == "\x1b[1mbest\x1b[0m\n"
    assert console_text("[bold]best[/bold]", io.StringIO()) == "best\n"


def test_a_closed_pipe_is_no_error() -> None:
    with started("-m", "tertium", *ALL, "-sl", "-f", "json") as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(PATIENCE) == 141


# ---- other commands, help, start-up ---------------------------------------------------------


def test_metrics_lists_everything(capsys: pytest.CaptureFixture[str]) -> None:
    from tertium.metrics.contract.table import METRICS

    made = json_output(capsys, "metrics")["metrics"]
    assert [one["name"] for one in made] == list(METRICS)
    shown = output(capsys, "metrics").splitlines()
    assert [line.split()[0] for line in shown[: len(made)]] == list(METRICS)
    whole = output(capsys, "metrics", *METRICS)
    for one in made:
        assert METRICS[one["name"]].citation == one["citation"]
        assert one["citation"] in whole
        assert one["options"]
    alone = output(capsys, "metrics", "bleu-sbp")
    assert "reference_length=shortest" in alone
    assert "reference_length=closest" not in alone


@pytest.mark.slow
def test_demo_shows_what_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    made = output(capsys, "demo")
    bleu, strict = (
        {
            name: [
                float(cells[cells.index(name) + 1 + k])
                for line in made.splitlines()
                if name in (cells := line.split()) and len(cells) <= 6 and "." in cells[-1]
            ]
            for name in ("birch", "elm")
        }
        for k in (0, 1)
    )
    (birch, *birch_by_genre), (elm, *elm_by_genre) = bleu["birch"], bleu["elm"]
    assert birch > elm
    assert [a < b for a, b in zip(birch_by_genre, elm_by_genre, strict=True)] == [True, True]
    assert [a < b for a, b in zip(*strict.values(), strict=True)] == [True, True, True]
    assert "--by genre" in made


def test_the_bare_command_shows_help(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys)
    assert all(command in shown for command in COMMANDS)
    lines = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    assert EVERYDAY.issubset(lines)
    whole = output(capsys, "help", "--all")
    assert all(f"\n  {command} " in whole for command in COMMANDS)


def test_plot_looks_for_its_tools_before_it_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "kaleido", None)
    monkeypatch.setattr("tertium.cli.plot.gathered", None)  # not to be called
    line = error(capsys, "plot", *REFERENCES, "-i", ELM)
    assert "package 'kaleido' is not installed" in line


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"usage: tertium {command}" in output(capsys, command, "--help")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("--version", 0),
        ("--help", 0),
        *((f"{command} --help", 0) for command in COMMANDS),
        ("score", 2),
        ("score a -i b --trials x", 2),
        ("compare a -i b --nothing", 2),
        ("nothing", 2),
    ],
)
def test_short_answers_import_nothing_heavy(words: str, status: int) -> None:
    program = (
        "import sys\n"
        "from tertium.cli.main import main\n"
        "try: code = main(sys.argv[1:])\n"
        "except SystemExit as end: code = end.code\n"
        "heavy = {'numpy', 'rich', 'scipy', 'tertium._native', 'importlib.metadata', 'shutil'}\n"
        "if sys.argv[1] == '--version': heavy.add('inspect')  # which dataclasses import\n"
        "print(code, sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    source = {"PYTHONPATH": str(Path(tertium.__file__).parent.parent)}
    done = python("-S", "-c", program, *words.split(), variables=source)
    assert done.status == 0, done.err
    assert done.err.splitlines()[-1] == f"{status} []"


def test_machine_formats_do_not_import_rich() -> None:
    program = (
        "import sys\n"
        "from tertium.cli.main import main\n"
        "main(sys.argv[1:])\n"
        "print('rich' in sys.modules, file=sys.stderr)\n"
    )
    done = python("-c", program, *ONE, "-f", "json")
    assert (done.status, done.err) == (0, "False\n")
