"""The arguments of scoring calls, checked and made native columns.

sacreBLEU wants references as [reference set][segment] and pairs them by ``zip``, so that a
transposed or ragged argument is scored on a part of the data without a word. Here every
count must fit, and an error tells the counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tertium._native import Texts
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.plurals import counted
from tertium.text.references import References

# Errors that are tertium's and also of the built-in type that sacreBLEU raises there.


class ShapeError(InputError, ValueError):
    """References and hypotheses do not fit together; sacreBLEU would cut to the shorter."""


class ArgumentTypeError(InputError, TypeError):
    """Something other than strings, or sequences of strings, was given."""


class EmptyInputError(InputError, IndexError):
    """No segment or no reference set was given."""


class NoReferencesError(InputError, RuntimeError):
    """References were neither given nor kept by the metric."""


class NotScoredError(InputError, ValueError):
    """A signature was asked for before the number of references was known."""


class UnknownSmoothingError(OptionError, AssertionError):
    """A smoothing method of that name does not exist."""


class UnknownTokenizerError(OptionError, KeyError):
    """A tokenizer of that name does not exist."""

    # KeyError would show the message quoted and escaped.
    __str__ = Exception.__str__


class SeedError(OptionError, ValueError):
    """The seed in the environment is not a number."""


class MissingTokenizerError(MissingExtraError, RuntimeError, ImportError):
    """A tokenizer needs a package or a model that is not there."""


class NoDownloadError(InputError):
    """Something was asked for that sacreBLEU would download."""


class UnknownTestError(OptionError, AssertionError):
    """A significance test of that name does not exist."""


Stream: TypeAlias = Sequence[str | None]
"""One reference set; ``None`` where it has no reference for a segment."""

VARIABLE: Final = -1
"""The number of references where it differs between segments, as sacreBLEU notes it."""

_LAYOUT: Final = "expected [reference set][segment]"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedReferences:
    """References that fit each other, and how many of them a segment has."""

    references: References
    per_segment: int

    def streams(self) -> list[list[str | None]]:
        """The texts, [reference set][segment]."""
        return [column.to_list() for column in self.references.columns]

    def check_segments(self, segments: int) -> None:
        """Every hypothesis needs its references."""
        if len(self.references) != segments:
            raise ShapeError(
                f"hypotheses: {counted(segments, 'segment')}, expected {len(self.references)} "
                "(references)"
            )


def checked_hypotheses(hypotheses: Sequence[str]) -> Texts:
    """The hypotheses of a corpus as a native column."""
    if isinstance(hypotheses, str) or not isinstance(hypotheses, Sequence):
        raise ArgumentTypeError(
            f"hypotheses: found {type(hypotheses).__name__}, expected a sequence of strings"
        )
    if not hypotheses:
        raise EmptyInputError("hypotheses: found no segment, expected at least one")
    column = _column(hypotheses, "hypotheses")
    if column.any_missing:
        raise ArgumentTypeError("hypotheses: found None, expected a string for every segment")
    return column


def checked_references(
    streams: Sequence[Stream], *, hypotheses: int | None = None
) -> CheckedReferences:
    """Reference sets as native columns, each of as many segments as there are hypotheses.

    Without ``hypotheses`` (references to be kept) the first set says how many are expected.

    >>> checked_references([["one", "two"], [None, "2"]]).per_segment == VARIABLE
    True
    """
    if isinstance(streams, str) or not isinstance(streams, Sequence):
        raise ArgumentTypeError(f"references: found {type(streams).__name__}, {_LAYOUT}")
    if not streams:
        raise EmptyInputError("references: found no reference set, expected at least one")
    _check_counts(streams, hypotheses)
    columns = [_column(stream, f"reference set {k}") for k, stream in enumerate(streams, 1)]
    references = References(columns)
    if not any(column.any_missing for column in columns):
        return CheckedReferences(references=references, per_segment=len(columns))
    counts = [len(row) - row.count(None) for row in zip(*streams, strict=True)]
    if 0 in counts:
        raise ArgumentTypeError(
            f"segment {counts.index(0) + 1}: found no reference, expected at least one"
        )
    per_segment = VARIABLE if len(set(counts)) > 1 else counts[0]
    return CheckedReferences(references=references, per_segment=per_segment)


def checked_sentence(
    hypothesis: str, references: Sequence[str | None]
) -> tuple[Texts, CheckedReferences]:
    """One segment and its references as native columns of length one."""
    if not isinstance(hypothesis, str):
        raise ArgumentTypeError(f"hypothesis: found {type(hypothesis).__name__}, expected a string")
    if isinstance(references, str) or not isinstance(references, Sequence):
        raise ArgumentTypeError(
            f"references: found {type(references).__name__}, expected a sequence of strings"
        )
    if not references:
        raise EmptyInputError("references: found none, expected at least one")
    given = [reference for reference in references if reference is not None]
    if not given:
        raise ArgumentTypeError("references: found only None, expected at least one string")
    columns = [_column([text], f"reference {number}") for number, text in enumerate(given, 1)]
    checked = CheckedReferences(references=References(columns), per_segment=len(columns))
    return _column([hypothesis], "hypothesis"), checked


def _check_counts(streams: Sequence[Stream], hypotheses: int | None) -> None:
    for number, stream in enumerate(streams, 1):
        if isinstance(stream, str):
            raise ShapeError(
                f"references: found a string as reference set {number}, {_LAYOUT}; "
                "one list of references is given as [references]"
            )
        if not isinstance(stream, Sequence):
            found = type(stream).__name__
            raise ArgumentTypeError(f"reference set {number}: found {found}, {_LAYOUT}")
    expected = len(streams[0]) if hypotheses is None else hypotheses
    if not expected:
        raise EmptyInputError("reference set 1: found no segment, expected at least one")
    for number, stream in enumerate(streams, 1):
        if len(stream) == expected:
            continue
        location = "reference set 1" if hypotheses is None else "hypotheses"
        message = (
            f"reference set {number}: {counted(len(stream), 'segment')}, expected {expected} "
            f"({location})"
        )
        if len(streams) == hypotheses:
            message += (
                f"; {len(streams)} lists of references for {counted(hypotheses, 'hypothesis')} "
                "look "
                f"transposed ([segment][reference]), {_LAYOUT}"
            )
        if not stream:
            raise EmptyInputError(message)
        raise ShapeError(message)


def _column(segments: Stream, location: str) -> Texts:
    try:
        return Texts(segments)
    except TypeError as error:
        raise ArgumentTypeError(f"{location}: {error}") from None
    except ValueError as error:
        raise ShapeError(f"{location}: {error}") from None
