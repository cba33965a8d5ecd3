"""Tuning with a decoder in the loop, which fails, is killed and goes on."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tertium.decode.formats.segments import read_nbest
from tertium.errors import InputError, OptionError, TertiumError
from tertium.metrics.contract.table import parse_metric
from tertium.tune import Decoder, LoopReport, SearchOptions, tune_decoder
from tertium.tune.loop import StateFolder
from tests.support.commands import PATIENCE, ran, started
from tests.support.decoding.decoder import START, calls, decoder
from tests.support.decoding.tuning import REFERENCES

pytestmark = pytest.mark.slow

METRIC = parse_metric("bleu[tokenizer=none]")
OPTIONS = SearchOptions(restarts=3)
SIZE = 4  # hypotheses a segment that the decoder below writes


def tuned(folder: Path, state: str = "state", **changes: object) -> LoopReport:
    arguments: dict[str, object] = {"iterations": 8, "options": OPTIONS} | changes
    return tune_decoder(
        decoder(folder),
        REFERENCES,
        METRIC,
        START,
        state=folder / state,
        read=read_nbest,
        **arguments,  # type: ignore[arg-type]
    )


def test_lists_are_merged_until_nothing_is_new(pool: Path) -> None:
    told: list[str] = []
    report = tuned(pool, tell=told.append)
    assert report.converged
    assert [one.number for one in report.iterations] == list(range(1, len(report.iterations) + 1))
    assert calls(pool) == [str(one.number) for one in report.iterations]
    first, *_, last = report.iterations
    assert first.fresh == first.hypotheses == SIZE * len(REFERENCES)
    assert sum(one.fresh for one in report.iterations) == last.hypotheses
    assert last.decoded > first.decoded
    assert report.weights == last.weights
    # what the last lists promise is what the decoder does, for it has nothing better to say
    assert last.tuned == pytest.approx(last.decoded)
    assert told[0] == "iteration 1: decoding"
    assert told[1].startswith(f"iteration 1: decoded {first.decoded:.2f}, tuned {first.tuned:.2f}")
    folder = pool / "state" / "iteration-001"
    assert sorted(path.name for path in folder.iterdir()) == [
        "decoder.log",
        "nbest",
        "result.json",
        "weights.json",
        "weights.txt",
    ]
    assert json.loads((folder / "weights.json").read_text(encoding="utf-8")) == START


def test_a_finished_run_is_not_repeated(pool: Path) -> None:
    report = tuned(pool)
    before = calls(pool)
    assert tuned(pool) == report
    assert calls(pool) == before


def test_more_iterations_go_on(pool: Path) -> None:
    whole = tuned(pool, "whole")
    assert len(whole.iterations) > 2
    (pool / "calls").unlink()
    part = tuned(pool, iterations=1)
    assert not part.converged
    assert tuned(pool).iterations == whole.iterations
    assert calls(pool) == [str(one.number) for one in whole.iterations]


def test_failure_says_status_and_log_and_the_run_goes_on(pool: Path) -> None:
    whole = tuned(pool, "whole")
    (pool / "calls").unlink()
    (pool / "fault-2").write_text("fail", encoding="utf-8")
    log = pool / "state" / "iteration-002" / "decoder.log"
    with pytest.raises(TertiumError) as caught:
        tuned(pool)
    assert str(caught.value) == (
        f"decoder: iteration 2: found exit status 3, expected 0; its output is in {log}"
    )
    assert log.read_text(encoding="utf-8") == "trouble ahead\n"
    (pool / "fault-2").unlink()
    assert tuned(pool).iterations == whole.iterations
    assert calls(pool) == ["1", "2", *(str(one.number) for one in whole.iterations[1:])]


def command(pool: Path, *words: str) -> list[str]:
    (pool / "reference").write_text("\n".join(REFERENCES) + "\n", encoding="utf-8")
    (pool / "start.txt").write_text("f0= 1\nf1= 0\nf2= 0\nf3= 0\n", encoding="utf-8")
    return [
        "tune",
        str(pool / "reference"),
        "--weights",
        str(pool / "start.txt"),
        "--decoder",
        decoder(pool).template,
        "--state",
        str(pool / "state"),
        "--restarts",
        "3",
        "--iterations",
        "8",
        *words,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_run_goes_on_where_it_was(pool: Path, how: signal.Signals) -> None:
    whole = tuned(pool, "whole")
    (pool / "calls").unlink()
    (pool / "fault-2").write_text("hang", encoding="utf-8")
    with started("-m", "tertium", *command(pool)) as process:
        while not (pool / "hanging").exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(how)
        out, errors = process.communicate(timeout=PATIENCE)
    assert out == b"", errors
    assert process.returncode not in {0, 2}
    hanging = int((pool / "hanging").read_text(encoding="utf-8"))
    if how is signal.SIGKILL:
        os.kill(hanging, signal.SIGKILL)  # nobody else could
    else:
        with pytest.raises(ProcessLookupError):  # the decoder has ended before the tuner
            os.kill(hanging, 0)
    (pool / "fault-2").unlink()
    again = tuned(pool)
    assert again.iterations == whole.iterations
    assert calls(pool) == ["1", "2", *(str(one.number) for one in whole.iterations[1:])]
    left = [path.name for path in (pool / "state" / "iteration-002").iterdir()]
    assert not [name for name in left if name.startswith("attempt")]


def test_command_prints_iterations_and_weights(
    pool: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    captured = ran(capsys, *command(pool))
    assert captured.status == 0
    report = tuned(pool)
    lines = captured.out.splitlines()
    assert lines[0] == "BLEU"
    assert lines[1].split() == [
        "iteration",
        "decoded",
        "tuned",
        "length",
        "ratio",
        "words",
        "deleted",
        "%",
        "hypotheses",
        "new",
    ]
    first = report.iterations[0]
    assert lines[3].split()[:3] == ["1", f"{first.decoded:.2f}", f"{first.tuned:.2f}"]
    assert "converged; 6 segments, 3 restarts, seed 12345" in captured.out
    assert captured.err.splitlines()[0] == "tertium tune: iteration 1: decoding"
    moses = ran(capsys, *command(pool, "-f", "moses"))
    assert (moses.status, moses.out.splitlines()[0]) == (0, f"f0= {report.weights['f0']!r}")
    made = ran(capsys, *command(pool, "-f", "json"))
    assert (made.status, json.loads(made.out)) == (0, report.to_dict())


def test_other_settings_need_another_folder(pool: Path) -> None:
    tuned(pool, iterations=1)
    with pytest.raises(OptionError, match=r"seed: found 1, expected 12345 as this run began with"):
        tuned(pool, options=SearchOptions(restarts=3, seed=1))


def test_two_runs_cannot_share_a_folder(pool: Path) -> None:
    pytest.importorskip("fcntl")
    with (
        StateFolder(path=pool / "state").locked(),
        pytest.raises(TertiumError, match="found another run at work, expected the folder to be"),
    ):
        tuned(pool)


def test_damaged_results_are_named(pool: Path) -> None:
    tuned(pool, iterations=1)
    place = pool / "state" / "iteration-001" / "result.json"
    place.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"result\.json: .*expected what this program wrote"):
        tuned(pool)
    place.write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"result\.json: found .*expected an iteration's result"):
        tuned(pool)


@pytest.mark.parametrize(
    ("template", "error", "message"),
    [
        ("true {nbest}", InputError, r"decoder: iteration 1: found no file .*, expected an n-best"),
        ("./no-such-decoder {nbest}", TertiumError, "./no-such-decoder: No such file or directory"),
        ("decode {weights}", OptionError, "expected {nbest} where it is to write"),
        ("decode '{nbest}", OptionError, "No closing quotation"),
        (
            "sh -c 'echo nonsense > {nbest}'",
            InputError,
            "attempt-.*nbest: line 1: found 'nonsense'",
        ),
        ("sh -c 'kill -9 $$' {nbest}", TertiumError, r"found end by signal 9 \(SIGKILL\)"),
        (
            "sh -c 'echo \"0 ||| a ||| f0= nan ||| 1\" > {nbest}'",
            InputError,
            "line 1: found 'nan', expected a finite number",
        ),
    ],
)
def test_decoders_that_do_not_work(
    tmp_path: Path, template: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        tune_decoder(
            Decoder(template=template), ["a"], METRIC, START, state=tmp_path / "s", read=read_nbest
        )
    assert not list(tmp_path.glob("s/iteration-001/nbest"))


def test_words_reach_the_program_as_they_are() -> None:
    plain = Decoder(template="decode '{weights}' -n {nbest}.gz \"$HOME; { x }\" ${y} '{ print }'")
    assert plain.words(weights="my weights", nbest="list", iteration="1") == [
        "decode",
        "my weights",
        "-n",
        "list.gz",
        "$HOME; { x }",
        "${y}",
        "{ print }",
    ]
    shell = Decoder(template="decode < {weights} > {nbest}", shell=True)  # noqa: S604
    assert shell.words(weights="my weights", nbest="list") == [
        "/bin/sh",
        "-c",
        "decode < 'my weights' > list",
    ]


def test_compressed_lists_are_found(tmp_path: Path) -> None:
    line = "0 ||| a b ||| f0= 1 f1= 2 ||| 3"
    decoding = Decoder(template=f"echo '{line}' | gzip > {{nbest}}.gz", shell=True)  # noqa: S604
    report = tune_decoder(
        decoding, ["a b"], METRIC, {"f0": 1.0}, state=tmp_path / "s", read=read_nbest
    )
    assert report.converged
    assert list(report.weights) == ["f0", "f1"]
    assert (tmp_path / "s" / "iteration-001" / "nbest.gz").exists()
