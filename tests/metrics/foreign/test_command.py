"""Programs that score: what they are told, what they may answer, and how they end."""

import json
import os
import signal
import sys
import textwrap
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium
from tertium import Corpus, InputError, OptionError, System, TertiumError
from tertium.metrics.contract.table import parse_metric
from tertium.metrics.foreign.cache import cache_contents
from tertium.metrics.foreign.command import CommandMetric, stop_programs
from tertium.metrics.foreign.worker import PAUSE, Worker
from tests.support.commands import PATIENCE, printed, ran, started

pytestmark = pytest.mark.slow

TEXTS = [f"text number {i}" for i in range(100)]
CORPUS = Corpus(references=TEXTS, sources=[f"Quelle {i}" for i in range(100)])
SYSTEM = System(name="one", hypotheses=[f"{text} more" for text in TEXTS])

Program = Callable[..., CommandMetric]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """A metric that a program of these lines computes."""

    def made(lines: str, **options: object) -> CommandMetric:
        path = tmp_path / "score program.py"
        path.write_text("import json, os, sys, time\n" + textwrap.dedent(lines), encoding="utf-8")
        run = f'"{sys.executable}" "{path}"'
        metric = CommandMetric(run=run, label="Mine", **options)  # type: ignore[arg-type]
        assert parse_metric(metric.recipe) == metric
        return metric

    return made


@pytest.fixture(autouse=True)
def _stopped() -> object:
    yield
    stop_programs()


LENGTHS = """
for line in sys.stdin:
    print(len(json.loads(line)["hypothesis"]), flush=True)
"""


def value(metric: CommandMetric, corpus: Corpus = CORPUS, system: System = SYSTEM) -> float:
    return tertium.evaluate(corpus, [system], [metric])[system.name].scores[0].value


MEAN = sum(len(f"{text} more") for text in TEXTS) / 100


def test_a_number_for_each_text(program: Program) -> None:
    assert value(program(LENGTHS)) == pytest.approx(MEAN)


def test_what_a_program_is_told(program: Program, tmp_path: Path) -> None:
    seen = tmp_path / "seen.jsonl"
    keep = f"""
    with open({str(seen)!r}, "a") as file:
        for line in sys.stdin:
            file.write(line)
            file.flush()
            print("null", flush=True)
    """
    hebrew = Corpus(references=[["אחת", "שתיים"], "x\n\u2028y"], sources=["مرحبا", "s"])
    system = System(name="s", hypotheses=["שלום", ""])
    found = tertium.evaluate(hebrew, [system], [program(keep)])
    assert found.warnings[-1] == "s: Mine has no score for 2 of 2 segments: left out"
    first, second = map(json.loads, seen.read_text("utf-8").splitlines())
    assert first == {
        "source": "مرحبا",
        "hypothesis": "שלום",
        "references": ["אחת", "שתיים"],
        "last": True,
    }
    assert (second["hypothesis"], second["references"]) == ("", ["x\n\u2028y"])


def test_sources_and_references_may_be_held_back(program: Program) -> None:
    answer = """
    for line in sys.stdin:
        row = json.loads(line)
        print(2 * (row["source"] is not None) + len(row["references"]), flush=True)
    """
    assert value(program(answer)) == 3
    assert value(program(answer, source="no")) == 1
    assert value(program(answer, references=False)) == 2
    bare = Corpus(references=TEXTS)
    assert value(program(answer), bare) == 1
    with pytest.raises(InputError, match="Mine: found no sources of references, expected some"):
        value(program(answer, source="yes"), bare)


def test_batches_are_told_by_their_last_text(program: Program) -> None:
    batched = """
    rows = []
    for line in sys.stdin:
        rows.append(json.loads(line))
        if rows[-1].get("last"):
            for row in rows:
                print(json.dumps({"score": len(rows)}))
            sys.stdout.flush()
            rows = []
    """
    metric = program(batched, batch=33)
    found = tertium.evaluate(CORPUS, [SYSTEM], [metric], segments=True)["one"].scores[0].segments
    assert found is not None
    assert found.tolist() == [1.0] + 99 * [33.0]  # the first text goes alone


def test_each_text_is_asked_for_once(program: Program, tmp_path: Path) -> None:
    counted = tmp_path / "count"
    counting = f"""
    for line in sys.stdin:
        open({str(counted)!r}, "a").write(".")
        print(1.5, flush=True)
    """
    metric = program(counting)
    systems = [System(name=name, hypotheses=["same"] * 99 + [name]) for name in ("one", "two")]
    corpus = Corpus(references=["x"] * 100)
    for _ in range(2):
        tertium.evaluate(corpus, systems, [metric])
        stop_programs()
    assert len(counted.read_text()) == 3
    tertium.evaluate(corpus, systems, [program(counting, cache=False)])
    assert len(counted.read_text()) == 3 + 4  # two texts of each system
    contents = cache_contents()
    assert contents is not None
    assert [(one.identity.name, one.scores) for one in contents.metrics] == [("Mine", 3)]


def test_a_changed_script_is_another_metric(program: Program) -> None:
    assert value(program("for line in sys.stdin: print(1, flush=True)")) == 1
    stop_programs()
    assert value(program("for line in sys.stdin: print(2, flush=True)")) == 2


def test_a_program_that_dies_is_started_again_once(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dying = f"""
    starts = {str(tmp_path / "starts")!r}
    open(starts, "a").write(".")
    for number, line in enumerate(sys.stdin):
        if number == 40 and len(open(starts).read()) == 1:
            os.kill(os.getpid(), 9)
        print(len(json.loads(line)["hypothesis"]), flush=True)
    """
    assert value(program(dying, batch=16)) == pytest.approx(MEAN)
    assert capsys.readouterr().err == (
        "tertium: Mine: the program was killed (signal 9) after 40 of 100 texts; restarting it\n"
    )


def test_a_program_that_dies_again_is_an_error_and_nothing_is_lost(
    program: Program,
) -> None:
    dying = """
    print("loading", file=sys.stderr)
    for number, line in enumerate(sys.stdin):
        if number == 30:
            sys.exit("out of memory")
        print(1, flush=True)
    """
    metric = program(dying, batch=16, release="1")
    with pytest.raises(InputError) as error:
        value(metric)
    assert str(error.value) == (
        "Mine: the program ended with exit code 1; it said: loading / out of memory after 60 of "
        "100 texts, expected answers to all; it was restarted once before"
    )
    contents = cache_contents()
    assert contents is not None
    assert contents.metrics[0].scores == 60
    assert value(program(LENGTHS.replace("len(", "1 or len("), release="1")) == 1


ANSWERS = {
    "words": ('print("good", flush=True)', "Mine: answer 1: found 'good', expected a number, null"),
    "true": ('print("true", flush=True)', "Mine: answer 1: found 'true', expected a number"),
    "infinity": ('print("Infinity", flush=True)', "Mine: answer 1: found 'Infinity'"),
    "a list": ('print("[1]", flush=True)', "Mine: answer 1: found '[1]', expected"),
    "an object": ("print('{\"sore\": 1}', flush=True)", "found '{\"sore\": 1}', expected"),
    "two": ('print("1\\n2", flush=True)', "Mine: found more answers than 1 texts ('2'), expected"),
    "not UTF-8": ('os.write(1, b"\\xff\\n")', "Mine: answer 1: found '\ufffd', expected a number"),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_answers_that_are_none(program: Program, case: str) -> None:
    line, message = ANSWERS[case]
    with pytest.raises(InputError) as error:
        value(program(f"for line in sys.stdin: {line}"))
    assert message in str(error.value)


def test_one_answer_too_many_at_the_end(program: Program) -> None:
    """Nothing is asked after it, so nothing but the end of work can notice it."""
    doubled = (
        "for i, line in enumerate(sys.stdin, 1): print('1\\n2' if i == 100 else 1, flush=True)"
    )
    with pytest.raises(InputError, match=r"Mine: found more answers than 100 texts \('2'\)"):
        value(program(doubled))


def test_a_late_answer_too_many_is_an_error_at_the_end(program: Program) -> None:
    """No call waits for it, so the end of the program's work is where it is seen at the latest."""
    late = """
    for i, line in enumerate(sys.stdin, 1):
        print(1, flush=True)
        if i == 100:
            time.sleep(0.05)
            print(2, flush=True)
    """
    with pytest.raises(InputError, match=r"Mine: found more answers than 100 texts \('2'\)"):
        stop_after(value, program(late))


def stop_after(act: Callable[..., float], metric: CommandMetric) -> None:
    act(metric)
    stop_programs()


def test_a_command_fails_if_its_program_said_too_much(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, text = tmp_path / "late.py", tmp_path / "a.txt"
    script.write_text(
        "import sys, time\n"
        "for i, line in enumerate(sys.stdin, 1):\n"
        "    print(1, flush=True)\n"
        "    if i == 2: time.sleep(0.05); print(2, flush=True)\n",
        encoding="utf-8",
    )
    text.write_text("a\nb\n", encoding="utf-8")
    metric = f'command[run="{sys.executable} {script}",name=Late,cache=no]'
    outcome = ran(capsys, "score", str(text), "-i", str(text), "-m", metric)
    assert outcome.status == 2
    assert "Late: found more answers than 2 texts ('2'), expected" in outcome.err


def test_calls_do_not_wait_for_further_answers(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program is asked once per source in decoding: a pause per call would be hours."""
    pauses = []
    check = Worker.check_silence

    def counted(worker: Worker, seconds: float = 0.0) -> None:
        pauses.append(seconds)
        check(worker, seconds)

    monkeypatch.setattr(Worker, "check_silence", counted)
    metric = program(LENGTHS, cache=False)
    for number in range(50):
        text = "x" * number
        assert metric.scores(None, [text], [["y"]]) == [number]
    assert [seconds for seconds in pauses if seconds] == [PAUSE]
    stop_programs()
    assert sum(seconds > 0 for seconds in pauses) <= 2


ENDLESS = {
    "output": """
    while True:
        os.write(1, b"1" * 65536)
    """,
    "answer": """
    for line in sys.stdin:
        print(1, flush=True)
        while True:
            os.write(1, b"2" * 65536)
    """,
}


@pytest.mark.parametrize("case", ENDLESS)
def test_output_without_a_line_end_is_bounded(program: Program, case: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(
            InputError, match=r"Mine: answer \d: found \d+ bytes without a line end"
        ):
            value(program(ENDLESS[case], timeout=600))
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_answers_that_nobody_reads_are_bounded(program: Program) -> None:
    endless = """
    for line in sys.stdin:
        while True:
            os.write(1, b"1\\n" * 32768)
    """
    metric = program(endless)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"Mine: found more answers than 1 text \("):
            value(metric)
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()


def test_standard_error_without_a_line_end_is_bounded(program: Program) -> None:
    talkative = """
    for _ in range(1024):
        os.write(2, b"." * 65536)
    os.write(2, b"\\rlast words\\r")
    sys.exit(3)
    """
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"ended with exit code 3; it said: .* / last words"):
            value(program(talkative))
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_only_nan_is_an_error(program: Program) -> None:
    with pytest.raises(InputError) as error:
        value(program("for line in sys.stdin: print('NaN', flush=True)"))
    assert str(error.value) == (
        "Mine: found NaN for 100 of 100 texts and no number, expected a number for some (look for "
        "overflow, fp16 or empty input; null says that a text has no score)"
    )


def test_some_nan_is_no_score(program: Program) -> None:
    some = "for i, line in enumerate(sys.stdin): print('NaN' if i % 2 else 3, flush=True)"
    for _ in range(2):  # the second time only those without a score are asked for
        assert value(program(some)) == 3
        stop_programs()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "raise SystemExit('no GPU')",
            "Mine: the program ended with exit code 1; it said: no GPU, ",
        ),
        ("sys.exit()", "Mine: the program ended with exit code 0, expected answers to 100 texts"),
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named 'nothing_of_that"),
    ],
)
def test_programs_that_never_answer(program: Program, lines: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        value(program(lines))
    assert message in str(error.value)


def test_a_program_that_hangs(program: Program) -> None:
    slow = program("print('thinking', file=sys.stderr, flush=True)\ntime.sleep(600)", timeout=0.5)
    begun = time.monotonic()
    with pytest.raises(InputError) as error:
        value(slow)
    assert time.monotonic() - begun < 120
    assert str(error.value).startswith("Mine: found no answer in 0.5 seconds, expected one after 0")


def test_a_program_that_does_not_read(program: Program) -> None:
    """More than a pipe holds: whoever writes it must not wait for ever."""
    long = Corpus(references=["x" * 3_000_000] * 2)
    system = System(name="one", hypotheses=["y" * 3_000_000, "z"])
    with pytest.raises(InputError, match=r"found no answer in 0.5 seconds"):
        value(program("time.sleep(600)", timeout=0.5), long, system)


FATAL_PIPES = """
import signal, sys
from tertium import Corpus, System, evaluate
from tertium.errors import InputError
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as importing sacreBLEU's command does
length = int(sys.argv[2])
corpus = Corpus(references=["x" * length] * 2)
system = System(name="one", hypotheses=["y" * length, "z"])
try:
    run = f'run="{sys.executable} {sys.argv[1]}",timeout={sys.argv[3]}'
    evaluate(corpus, [system], [f"command[{run}]"])
except InputError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no such signal")
@pytest.mark.parametrize("length", [1, 3_000_000], ids=["buffered", "written"])
@pytest.mark.parametrize(
    ("code", "seconds", "message"),
    [
        ("import time; time.sleep(600)", "0.5", "found no answer in 0.5 seconds"),
        ("import os; os.close(0); input()", "600", "ended with exit code 1"),
    ],
    ids=["deaf", "gone"],
)
def test_a_pipe_that_breaks_ends_the_program_alone(
    tmp_path: Path, code: str, seconds: str, message: str, length: int
) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"{code}\n", encoding="utf-8")
    assert message in printed("-c", FATAL_PIPES, str(script), str(length), seconds)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("command", "command: found no program, expected command"),
        ('command[run="a \\"b"]', "option run: found 'a \"b' (No closing quotation), expected a"),
        ("command[run=x,batch=0]", "command: found batch=0 and timeout=600, expected numbers"),
        ("command[run=x,timeout=nan]", "timeout=nan, expected numbers above 0"),
        (
            "command[run=/no/such/program]",
            "'/no/such/program': no such file or directory, expected",
        ),
        ("command[rum=x]", "unknown option of command 'rum'; did you mean 'run'?"),
    ],
)
def test_commands_that_cannot_be(spec: str, message: str) -> None:
    with pytest.raises(TertiumError) as error:
        tertium.score(["a"], ["a"], spec)
    assert message in str(error.value)
    assert isinstance(error.value, InputError | OptionError)


def test_no_shell_runs_it(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    with pytest.raises(TertiumError):
        tertium.score(["a"], ["a"], CommandMetric(run=f"true; touch {marker}"))
    assert not marker.exists()


def running(script: Path) -> list[int]:
    """Processes whose command line names the script."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if os.fsencode(script) in words:
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="no /proc to look at")
def test_ctrl_c_ends_the_program_too(tmp_path: Path) -> None:
    script, ready = tmp_path / "slow.py", tmp_path / "ready"
    script.write_text(
        "import sys, time, pathlib\n"
        f"for line in sys.stdin:\n    pathlib.Path({str(ready)!r}).touch()\n    time.sleep(600)\n",
        encoding="utf-8",
    )
    text = tmp_path / "a.txt"
    text.write_text("a\n", encoding="utf-8")
    metric = f'command[run="{sys.executable} {script}",name=Slow]'
    words = ["-m", "tertium", "score", str(text), "-i", str(text), "-m", metric]
    with started(*words) as command:
        assert happens(ready.exists)
        assert running(script)
        command.send_signal(signal.SIGINT)
        assert command.wait(PATIENCE) == 130
    assert happens(lambda: not running(script))


STUBBORN = """
import pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if len(sys.argv) == 2:
    subprocess.Popen([sys.executable, __file__, sys.argv[1], "grandchild"])
else:
    pathlib.Path(sys.argv[1]).touch()
time.sleep(600)
"""


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="no /proc to look at")
def test_a_killed_command_takes_its_program_along(tmp_path: Path) -> None:
    """Nobody is left to end it, and it neither reads its input nor heeds a signal."""
    script, ready, text = tmp_path / "slow.py", tmp_path / "ready", tmp_path / "a.txt"
    script.write_text(STUBBORN, encoding="utf-8")
    text.write_text("a\n", encoding="utf-8")
    metric = f'command[run="{sys.executable} {script} {ready}",name=Slow]'
    words = ["-m", "tertium", "score", str(text), "-i", str(text), "-m", metric]
    with started(*words) as command:
        assert happens(ready.exists)
        assert len(running(script)) == 2
        command.kill()
        command.wait()
    assert happens(lambda: not running(script))


def happens(event: Callable[[], bool]) -> bool:
    """Whether it does, however busy the machine is."""
    for _ in range(10 * PATIENCE):
        if event():
            return True
        time.sleep(0.1)
    return False
