"""The files of ``tertium mbr``: candidates, pseudo references, and what tells runs apart."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.flags.formats import format_options, found_file, found_structures

if TYPE_CHECKING:
    from tertium.decode.formats.segments import Segments
    from tertium.text.files import TextFile


def evidence_and_candidates(arguments: Namespace) -> tuple[list[str], list[str]]:
    """Files of the pseudo references, and those of separate candidates."""
    if arguments.pseudo_references:
        return arguments.pseudo_references, arguments.input
    return arguments.input, [arguments.candidates] if arguments.candidates else []


def found_candidates(arguments: Namespace, paths: Sequence[str]) -> "Segments | None":
    """The n-best lists to choose from, if they are not the evidence itself."""
    if not paths:
        return None
    from tertium.decode.formats.segments import check_kind, found_format
    from tertium.decode.structures.nbest import NBest

    files, options = [found_file(path) for path in paths], format_options(arguments)
    for file in files:
        check_kind(file, found_format(file, arguments.from_format, options), NBest)
    return found_structures(arguments, files)


def count_segments(arguments: Namespace, files: "Sequence[TextFile]") -> int | None:
    """How many segments there will be, where lines say it."""
    from tertium.cli.shell.progress import count_lines

    sizes = [count_lines(file.name, any_format=True) for file in files]
    per_segment = arguments.lines or (1 if files[0].name.endswith(".jsonl") else None)
    if per_segment is None or None in sizes:
        return None
    return sum(size for size in sizes if size is not None) // per_segment


def identity_of(arguments: Namespace, files: "Sequence[TextFile]") -> dict[str, Any]:
    """What two runs must have in common for one to go on with the other's output."""
    from tertium.text.files import TextFile
    from tertium.text.output_files import fingerprint
    from tertium.version import __version__

    flags = {
        f"--{name.replace('_', '-')}": value
        for name, value in vars(arguments).items()
        if name not in _NO_MATTER and value not in (None, [], False)
    }
    named = [*arguments.references, arguments.source, arguments.weights, arguments.logprobs]
    others = [TextFile.find(one) for one in (*named, arguments.load_matrix) if one]
    return {
        "version": __version__,
        **flags,
        **{f"file {one.name}": fingerprint(one) for one in (*files, *others)},
    }


_NO_MATTER: Final = {"output", "quiet", "resume", "width"}
"""Flags that change nothing of what is written, or where it goes."""
