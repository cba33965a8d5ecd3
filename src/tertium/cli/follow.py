"""``tertium score --follow``: a line of scores as each output of a training run appears."""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final

from tertium.errors import InputError, OptionError

if TYPE_CHECKING:
    from tertium.integrations.trackers import Tracker
    from tertium.metrics.contract.base import Metric
    from tertium.scale.training_runs import Followed, Follower


REFUSED: Final = (
    *("input", "names", "by", "sentence_level", "score_only", "statistics", "documents"),
    *("engine", "columns", "max_tokens", "pair", "common", "paragraphs"),
)
"""Flags of ``tertium score`` that say nothing of files that are still to come."""

FORMS: Final = ("table", "text", "tsv", "json")


def check_follow(arguments: Namespace) -> None:
    """Refuse flags that do nothing here."""
    from tertium.cli.flags.score import asks_for_confidence

    for name in REFUSED:
        if getattr(arguments, name, None):
            flag = name.replace("_", "-")
            raise OptionError(f"--follow: found --{flag} too, expected --follow FOLDER without it")
    if asks_for_confidence(arguments):
        raise OptionError("--follow: found intervals or tests too, expected scores alone")
    if arguments.format not in FORMS:
        raise OptionError(f"--follow: found -f {arguments.format}, expected text, tsv or json")


def run_follow(arguments: Namespace, metrics: "Sequence[Metric]") -> None:
    """Look and show until somebody presses Ctrl-C, then say what was best."""
    from tertium.integrations.trackers import step_of
    from tertium.scale.training_runs import Follower, look_again

    with _opened(arguments.output) as stream:
        out, known = _output(stream, arguments, metrics)
        follower = Follower(
            arguments.references,
            arguments.follow,
            metrics,
            known=known,
            source=arguments.source,
            num_refs=arguments.num_refs,
            format=arguments.input_format,
            inline_codes=arguments.inline_codes,
            quoting=arguments.quoting,
        )
        followed: list[Followed] = []
        track = _tracked(arguments)
        try:
            for one in look_again(follower, every=arguments.every):
                followed.append(one)
                out(_line(one, arguments))
                if track is not None:
                    track.log(_titled(one, follower), step_of(one.file, len(followed)))
                if arguments.format in {"table", "text"}:
                    for warning in one.warnings:
                        print(f"tertium: warning: {one.file}: {warning}", file=sys.stderr)
        finally:
            if track is not None:
                track.close()
            if not arguments.quiet:
                _tell(followed, follower)


def _tracked(arguments: Namespace) -> "Tracker | None":
    """Where scores are sent to, beside the lines."""
    if arguments.track is None:
        return None
    from tertium.integrations.trackers import tracker

    return tracker(arguments.track)


def _titled(followed: "Followed", follower: "Follower") -> dict[str, float]:
    from tertium.results import titles

    values = [score.value for score in followed.scores]
    return dict(zip(titles(follower.metrics), values, strict=True))


def _tell(followed: "Sequence[Followed]", follower: "Follower") -> None:
    """How many there were, the best by each metric, and what never was complete."""
    from tertium.plurals import counted
    from tertium.results import titles

    print(f"tertium: {counted(len(followed), 'file')} scored", file=sys.stderr)
    for index, title in enumerate(titles(follower.metrics) if followed else ()):
        metric = follower.metrics[index]
        sign = 1 if metric.higher_is_better else -1
        best = max(followed, key=lambda output: sign * output.scores[index].value)
        value = metric.shown(best.scores[index].value)
        print(f"tertium: best by {title}: {value}  {best.file}", file=sys.stderr)
    for message in follower.waiting.values():
        print(f"tertium: not scored: {message}", file=sys.stderr)


def _heading(arguments: Namespace, metrics: "Sequence[Metric]") -> str:
    from tertium.results import titles

    names = [metric.spec for metric in metrics] if arguments.format == "tsv" else titles(metrics)
    return "\t".join(["file", *names]) + "\n"


def _line(followed: "Followed", arguments: Namespace) -> str:
    if arguments.format == "json":
        from tertium.plain import finite

        return json.dumps(finite(followed.to_dict()), ensure_ascii=False) + "\n"
    if arguments.format == "tsv":
        return "\t".join([followed.file, *(repr(score.value) for score in followed.scores)]) + "\n"
    decimals = 2 if arguments.width is None else arguments.width
    values = [score.metric.shown(score.value, decimals) for score in followed.scores]
    return "\t".join([followed.file, *values]) + "\n"


@contextmanager
def _opened(path: str | None) -> Iterator[IO[bytes]]:
    if path in {None, "-", "/dev/stdout"}:
        yield sys.stdout.buffer
        return
    from pathlib import Path

    with Path(str(path)).open("ab+") as file:
        yield file


def _output(
    stream: IO[bytes], arguments: Namespace, metrics: "Sequence[Metric]"
) -> tuple[Callable[[str], None], set[str]]:
    """What writes a line at once, and the files that have one from a run before."""
    heading = "" if arguments.format == "json" else _heading(arguments, metrics)
    write = _written_to(stream)
    lines = [] if stream is sys.stdout.buffer else _whole_lines(stream)
    if not lines and heading:
        write(heading)
    return write, _known(lines, heading, arguments, metrics)


def _whole_lines(stream: IO[bytes]) -> list[str]:
    """The lines of a run before; one that was cut is taken away, to be made again."""
    stream.seek(0)
    whole, end, _ = stream.read().rpartition(b"\n")
    stream.truncate(len(whole) + len(end))
    return whole.decode("utf-8", "replace").split("\n") if whole else []


def _known(
    lines: list[str], heading: str, arguments: Namespace, metrics: "Sequence[Metric]"
) -> set[str]:
    if heading:
        if lines and f"{lines[0]}\n" != heading:
            found = lines[0].replace("\t", " ")
            raise InputError(
                f"{arguments.output}: found the columns '{found}', "
                f"expected '{heading.strip().replace(chr(9), ' ')}' to go on with"
            )
        return {line.partition("\t")[0] for line in lines[1:]}
    known = set()
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            specs = [score["metric"] for score in row["scores"]]
            known.add(str(row["file"]))
        except (ValueError, KeyError, TypeError):
            found = "found no line of scores"
            raise InputError(f"{arguments.output}:{number}: {found}, expected some") from None
        if specs != [metric.spec for metric in metrics]:
            raise InputError(
                f"{arguments.output}:{number}: found scores by {', '.join(specs)}, "
                f"expected {', '.join(metric.spec for metric in metrics)} to go on with"
            )
    return known


def _written_to(stream: IO[bytes]) -> Callable[[str], None]:
    def write(line: str) -> None:
        sys.stdout.flush()
        stream.write(line.encode("utf-8", "backslashreplace"))
        stream.flush()  # somebody is waiting for it

    return write
