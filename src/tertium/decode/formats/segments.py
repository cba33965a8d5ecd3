"""The structures of several files with the numbers of their segments, what was skipped included."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from tertium.decode.formats.numbered_lines import Damages
from tertium.decode.formats.table import (
    Format,
    FormatOptions,
    Structure,
    format_named,
)
from tertium.decode.structures.forest import Forest
from tertium.decode.structures.lattice import Lattice
from tertium.decode.structures.nbest import NBest
from tertium.errors import InputError
from tertium.plurals import counted
from tertium.text.files import TextFile
from tertium.text.inputs import check_candidates
from tertium.text.memory import Budget

# Read n-best lists, lattices and forests from files of any format, one at a time.

LINE: Final = 400
"""Bytes of memory that a line of a list or lattice costs."""
GROWTH: Final = 16
"""Bytes of memory that a byte of it costs when it is taken apart."""

One = TypeVar("One", NBest, Lattice, Forest)

_KINDS: dict[type, str] = {NBest: "n-best lists", Lattice: "lattices", Forest: "forests"}


def found_format(
    file: TextFile,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
) -> Format:
    """The format named, or the one that the file looks like."""
    if format is not None:
        return format_named(format, options)
    if options is not None and options.size is not None:
        return format_named("flat", options)  # plain text looks like nothing
    from tertium.decode.formats.detection import guessed_format  # with readers of all formats

    return format_named(guessed_format(file), options)


def read(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[Structure]:
    """The structures of a file, each when it is asked for; compression is undone.

    The format is found by the look of the file unless named. The first damaged structure is an
    error, unless ``damages`` is a ``Damages(skip=True)``, which then counts them.
    """
    file = path if isinstance(path, TextFile) else TextFile.find(path)
    return structures(found_format(file, format, options), file, damages or Damages())


def structures(file_format: Format, file: TextFile, damages: Damages) -> Iterator[Any]:
    """The structures of a file in a known format; a single one must fit into the memory."""
    budget = Budget(file.name, row=LINE, byte=GROWTH, rows="lines in a list or lattice")
    for structure in file_format.read(file.within(budget), damages):
        budget.restart()
        yield structure


def check_kind(file: TextFile, file_format: Format, kind: type) -> None:
    """Refuse a file of anything else."""
    if file_format.holds is not kind:
        raise InputError(
            f"{file.name}: found {_KINDS[file_format.holds]} (format {file_format.name}), "
            f"expected {_KINDS[kind]}"
        )


def _read_kind(
    kind: type[One],
    path: str | PathLike[str] | TextFile,
    format: str | None,  # noqa: A002
    options: FormatOptions | None,
    damages: Damages | None,
) -> Iterator[One]:
    file = path if isinstance(path, TextFile) else TextFile.find(path)
    known = found_format(file, format, options)
    check_kind(file, known, kind)
    return structures(known, file, damages or Damages())


def read_nbest(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[NBest]:
    """The n-best lists of a file; see `read`."""
    return _read_kind(NBest, path, format, options, damages)


def read_lattices(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[Lattice]:
    """The lattices of a file; see `read`."""
    return _read_kind(Lattice, path, format, options, damages)


def read_forests(
    path: str | PathLike[str] | TextFile,
    *,
    format: str | None = None,  # noqa: A002
    options: FormatOptions | None = None,
    damages: Damages | None = None,
) -> Iterator[Forest]:
    """The forests of a file; see `read`."""
    return _read_kind(Forest, path, format, options, damages)


AnyFile: TypeAlias = str | PathLike[str] | TextFile
Numbered: TypeAlias = tuple[int, Structure]
"""A segment's number, from 0 on, and what was found for it."""


def numbered(
    files: Sequence[AnyFile],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    options: FormatOptions | None = None,
    damages: Damages | None = None,
    before: int = 0,
) -> Iterator[Numbered]:
    """The structures of files with the numbers of their segments, each when it is asked for.

    n-best lists say their numbers. Lattices and forests are counted as they come, after those of
    files ``before``, and a damaged one that is skipped has had a number too.
    """
    damages = damages or Damages()
    whole = before
    for file in files:
        for structure in read(file, format=format, options=options, damages=damages):
            yield (
                structure.segment if isinstance(structure, NBest) else whole + damages.count,
                structure,
            )
            whole += 1


class Segments:
    """Structures as `numbered` gives them, every segment once.

    ``count`` is one more than the highest of the ``numbers`` so far, ``feature_names`` are those of
    all structures so far. A candidate of more than ``max_tokens`` is refused.
    """

    def __init__(
        self,
        files: Sequence[TextFile],
        *,
        format: str | None = None,  # noqa: A002 - the word that users know
        options: FormatOptions | None = None,
        damages: Damages | None = None,
        max_tokens: int | None = None,
    ) -> None:
        self.files, self.format, self.options = files, format, options
        self.max_tokens = max_tokens
        self.damages = damages or Damages()
        self.count = 0
        self.numbers: set[int] = set()
        self.feature_names: dict[str, None] = {}
        self._rest = self._read()
        first = next(self._rest, None)
        if first is None:
            raise InputError(
                f"{files[0].name}: found nothing to choose from, expected something"
                f"{self.damages.reason}"
            )
        self._first = first
        self.first = first[1]
        self.of_words = not isinstance(first[1], NBest)

    def _read(self) -> Iterator[Numbered]:
        for number, structure in numbered(
            self.files, format=self.format, options=self.options, damages=self.damages
        ):
            self.count = max(self.count, number + 1)
            if structure.feature_names:
                self.feature_names.update(dict.fromkeys(structure.feature_names))
            if self.max_tokens is not None and isinstance(structure, NBest):
                check_candidates(structure.hypotheses, self.max_tokens, f"segment {number}")
            yield number, structure

    def __iter__(self) -> Iterator[Numbered]:
        seen = self.numbers
        for number, structure in chain([self._first], self._rest):
            if number in seen:
                raise InputError(f"segment {number}: found it twice, expected it once")
            seen.add(number)
            yield number, structure
        lost = max(self.damages.segments, default=-1) + 1
        self.count = max(self.count, len(seen) + self.damages.count if self.of_words else lost)

    def of_number(self, wanted: int) -> Structure:
        """The structure of a segment, counted from 1 on; those after it are not read."""
        for number, structure in self:
            if number == wanted - 1:
                return structure
            if number >= wanted:
                break
        found = f"{counted(self.count, 'segment')}"
        if self.count >= wanted:
            found = f"segment {wanted} missing or damaged"
        raise InputError(f"{self.files[0].name}: {found}, expected {wanted} at least")

    def check(self, expected: int, references: str) -> None:
        """Refuse another number of lattices or forests than there are references, once all is read.

        They have no numbers: if some were not written, nobody can tell which. Of n-best lists
        some may be missing.
        """
        if self.of_words and self.count != expected:
            raise InputError(
                f"{self.files[0].name}: {counted(self.count, 'segment')}, "
                f"expected {expected} (reference {references})"
            )

    def check_first(self, expected: int, references: str) -> None:
        """`check` before any work where lattices or forests may be skipped.

        They are read once more for that. A damage that hides where others begin changes their
        number, and who skips damages is to hear of it before all the work is done.
        """
        if self.damages.skip and self.of_words:
            ahead = Segments(
                self.files,
                format=self.format,
                options=self.options,
                damages=Damages(skip=True),
            )
            for _ in ahead:
                pass
            ahead.check(expected, references)


def in_all(
    structures: Iterable[Structure | Numbered],
    numbers: Iterable[int],
    references: Sequence[Sequence[str]] | None,
) -> int:
    """How many segments there are, with those that nothing was found for."""
    read = structures.count if isinstance(structures, Segments) else 0
    return max([read, len(references or ()), *(number + 1 for number in numbers)])


def lines_of(texts: Mapping[int, str], segments: int, missing: str = "") -> Iterator[str]:
    r"""A line for each segment, whether or not there is a text for it.

    >>> list(lines_of({0: "a", 2: "b\nc"}, 4, "?"))
    ['a\n', '?\n', 'b c\n', '?\n']
    """
    for number in range(segments):
        text = texts.get(number, missing)
        yield text.replace("\r", " ").replace("\n", " ") + "\n"


class ChosenText(Protocol):
    """The text of a segment."""

    @property
    def segment(self) -> int: ...

    @property
    def text(self) -> str: ...


def aligned_lines(
    chosen: Iterable[ChosenText], segments: Callable[[], int], missing: str = "", *, done: int = 0
) -> Iterator[str]:
    r"""A line for each segment, ``missing`` for those without a text, which must be in order.

    ``segments`` is asked for their number when all have been found; ``done`` of them have a line
    already.

    >>> from tertium.decode.best_of import Best
    >>> one = Best(segment=1, place=1, candidates=1, score=0.0, text="a\nb")
    >>> list(aligned_lines([one], lambda: 3, "?"))
    ['?\n', 'a b\n', '?\n']
    """
    due = done
    for structure in chosen:
        if structure.segment < due:
            raise InputError(
                f"segment {structure.segment}: found after segment {due - 1}, expected in order "
                "for lines (-f jsonl has the numbers)"
            )
        for _ in range(due, structure.segment):
            yield f"{missing}\n"
        yield structure.text.replace("\r", " ").replace("\n", " ") + "\n"
        due = structure.segment + 1
    for _ in range(due, segments()):
        yield f"{missing}\n"


def sorted_lines(
    chosen: Iterable[ChosenText], segments: Callable[[], int], missing: str = ""
) -> Iterator[str]:
    """The same of texts in any order: a line comes when all before it have come, or at the end.

    >>> from tertium.decode.best_of import Best
    >>> texts = [(2, "c"), (0, "a"), (4, "e"), (1, "b")]
    >>> found = (Best(segment=n, place=1, candidates=1, score=0.0, text=t) for n, t in texts)
    >>> [line.rstrip() for line in sorted_lines(found, lambda: 6, "?")]
    ['a', 'b', 'c', '?', 'e', '?']
    """
    due = 0
    held: dict[int, str] = {}
    for structure in chosen:
        held[structure.segment] = structure.text
        while due in held:
            yield from lines_of({0: held.pop(due)}, 1)
            due += 1
    rest = {number - due: text for number, text in held.items()}
    yield from lines_of(rest, segments() - due, missing)


def missing_of(numbers: Iterable[int], segments: int) -> list[int]:
    """The segments that are not among some numbers."""
    return sorted(set(range(segments)) - set(numbers))


def ranges_of(numbers: Sequence[int]) -> str:
    """Rising numbers as people write them.

    >>> ranges_of([1, 4, 5, 6, 9])
    '1, 4-6, 9'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
