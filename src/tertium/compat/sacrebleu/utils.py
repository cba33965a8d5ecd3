"""The small functions that code written for sacreBLEU takes from it."""

import gzip
import json
import logging
import math
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar, Final, NoReturn

from tertium.compat.sacrebleu.dataset import DATASETS, SUBSETS
from tertium.compat.sacrebleu.shapes import NoDownloadError, ShapeError
from tertium.plurals import counted

# Results on the screen, for programs that leave this to sacreBLEU.

# ruff: noqa: T201 - printing is what they are for


def print_results_table(
    results: Mapping[str, Sequence[Any]], signatures: Mapping[str, object], args: Namespace
) -> None:
    """Systems and their scores, as ``PairedTest`` gives them, by ``args.format``."""
    systems, metrics = results["System"], [name for name in results if name != "System"]
    if args.format == "json":
        rows = [
            {"system": system, **{name: _plain(results[name][index]) for name in metrics}}
            for index, system in enumerate(systems)
        ]
        print(json.dumps(rows, indent=4))
        return
    table = [["System", *metrics]]
    for place, system in enumerate(systems):
        table.append([system, *(_cell(results[name][place], args.width) for name in metrics)])
    if args.format == "latex":
        print("\n".join(f"{' & '.join(row)} \\\\" for row in table))
    else:
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for row in table:
            print("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)))
    print()
    for name, signature in signatures.items():
        print(f" - {name:<10} {signature}")


def print_single_results(results: Sequence[str], args: Namespace) -> None:
    """Scores that are formatted already: as JSON, or as lines whose ``=`` are aligned."""
    if args.format == "json":
        print(results[0] if len(results) == 1 else "[\n" + ",\n".join(results) + "\n]")
        return
    width = max(len(line.partition(" = ")[0]) for line in results)
    for line in results:
        name, equals, score = line.partition(" = ")
        print(f"{name:>{width}}{equals}{score}" if equals else line)


def _plain(result: Any) -> object:
    return result if isinstance(result, str) else vars(result)


def _cell(result: Any, width: int) -> str:
    if isinstance(result, str):
        return result
    text = f"{result.score:.{width}f}"
    if result.mean is not None:
        text += f" ({result.mean:.{width}f} ± {result.ci:.{width}f})"
    if result.p_value is not None:
        star = "*" if result.p_value <= 0.05 else ""
        text += f" (p = {result.p_value:.4f}){star}"
    return text


sacrelogger: Final = logging.getLogger("sacrebleu")
"""It keeps sacreBLEU's name: that is where people silence it."""

USERHOME: Final = str(Path.home())
SACREBLEU_DIR: Final = os.environ.get("SACREBLEU", str(Path.home() / ".sacrebleu"))

_LOG_OF_ZERO: Final = -9999999999
_COLORS: Final = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}


class Color:
    """Words in colour for a terminal."""

    ENABLE_COLORS: ClassVar[bool] = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """The words in that colour, or as they are where colours are off or not known."""
        code = _COLORS.get(color)
        return f"\033[{code}m{msg}\033[0m" if code and Color.ENABLE_COLORS else msg


def smart_open(file: str | os.PathLike[str], mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open text that may be compressed; only a line feed ends a line."""
    opened: Any = gzip.open if os.fspath(file).endswith(".gz") else open
    stream: IO[Any] = (
        opened(file, mode) if "b" in mode else opened(file, mode, encoding=encoding, newline="\n")
    )
    return stream


def my_log(num: float) -> float:
    """The logarithm, and something very small for 0.

    >>> my_log(1), my_log(0)
    (0.0, -9999999999)
    """
    return math.log(num) if num else _LOG_OF_ZERO


def sum_of_lists(lists: Sequence[Sequence[float]]) -> Sequence[float]:
    """Add up lists of numbers, place by place.

    >>> sum_of_lists([[1, 2], [3, 4]])
    [4, 6]
    """
    if len(lists) == 1:
        return lists[0]
    totals = list(lists[0])
    for other in lists[1:]:
        for index, number in enumerate(other):
            totals[index] += number
    return totals


def args_to_dict(
    args: Namespace,
    prefix: str,
    strip_prefix: bool = False,  # noqa: FBT001, FBT002
) -> dict[str, Any]:
    """The arguments whose names begin with a prefix and ``_``."""
    start = f"{prefix}_"
    return {
        name.removeprefix(start) if strip_prefix else name: value
        for name, value in vars(args).items()
        if name.startswith(start)
    }


def sanity_check_lengths(
    system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None
) -> None:
    """Refuse references that are not as many as the hypotheses."""
    for number, stream in enumerate(refs, 1):
        if len(stream) != len(system):
            raise ShapeError(
                f"{test_set or 'references'}: {counted(len(stream), 'segment')} in reference set "
                f"{number}, "
                f"expected {len(system)} (hypotheses)"
            )


def get_available_testsets() -> list[str]:
    """The test sets at hand: none."""
    return sorted(DATASETS, reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets at hand for a language pair: none."""
    return [name for name in DATASETS if langpair in DATASETS[name].langpairs]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set: none, as for every name that sacreBLEU does not know."""
    return list(DATASETS[testset].langpairs) if testset in DATASETS else []


def get_available_origlangs(test_sets: str | None, langpair: str | None) -> list[str]:  # noqa: ARG001
    """The original languages in a test set: none."""
    return []


def get_available_subsets(test_sets: str | None, langpair: str | None) -> list[str]:  # noqa: ARG001
    """The subsets of a test set: none."""
    return []


def get_source_file(test_set: str, langpair: str) -> str:
    """The path of a test set's source, which is always refused."""
    _refuse(test_set, langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The paths of a test set's references, which is always refused."""
    _refuse(test_set, langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """All paths of a test set, which is always refused."""
    _refuse(test_set, langpair)


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Download a test set, which is always refused."""
    _refuse(test_set, langpair)


def download_file(
    source_path: str,
    dest_path: str,
    extract_to: str | None = None,  # noqa: ARG001
    expected_md5: str | None = None,  # noqa: ARG001
) -> list[str]:
    """Download a file, which is always refused."""
    raise NoDownloadError(
        f"{source_path}: tertium downloads nothing, expected the file at {dest_path} already"
    )


def _refuse(test_set: str, langpair: str | None) -> NoReturn:
    pair = f" -l {langpair}" if langpair else ""
    raise NoDownloadError(
        f"test set '{test_set}': tertium downloads nothing, expected files of yours "
        f"('sacrebleu -t {test_set}{pair} --echo src ref' writes them)"
    )


__all__ = [
    "DATASETS",
    "SACREBLEU_DIR",
    "SUBSETS",
    "USERHOME",
    "Color",
    "args_to_dict",
    "download_file",
    "download_test_set",
    "get_available_origlangs",
    "get_available_subsets",
    "get_available_testsets",
    "get_available_testsets_for_langpair",
    "get_files",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "my_log",
    "print_results_table",
    "print_single_results",
    "sacrelogger",
    "sanity_check_lengths",
    "smart_open",
    "sum_of_lists",
]
