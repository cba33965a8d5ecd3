"""Which flags of ``tertium mbr`` do something for what kind of input; the others are refused."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any, Final

from tertium.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tertium.decode.formats.table import Structure

LINEAR_BLEU: Final = "linear-bleu"
SEARCH_FLAGS: Final = ("best", "samples", "evidence", "seed")
FORMULA_FLAGS: Final = ("precision", "ratio", "word_penalty", "reference_words")


def given(arguments: Namespace, names: "Iterable[str]") -> dict[str, Any]:
    """The flags that were given; their defaults are those of what they are for."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def check_matrix_flags(arguments: Namespace) -> None:
    """Refuse flags of matrices that contradict each other."""
    quicker = "--prune or --approximate"
    if arguments.save_matrix and (arguments.prune or arguments.approximate):
        raise OptionError(f"--save-matrix: found {quicker}, expected neither")
    if arguments.load_matrix and (arguments.prune or arguments.approximate):
        raise OptionError(f"--load-matrix: found {quicker}, expected neither")
    if arguments.save_matrix and arguments.load_matrix:
        raise OptionError("--save-matrix: found --load-matrix too, expected one of them")
    if arguments.matrix_type and not arguments.save_matrix:
        raise OptionError("--matrix-type: found no --save-matrix, expected it")


def check_flags(arguments: Namespace, first: "Structure") -> None:
    """Refuse flags that would do nothing for this kind of input."""
    from tertium.decode.lattice import Lattice
    from tertium.decode.nbest import NBest

    linear = arguments.utility == LINEAR_BLEU
    formula = (*FORMULA_FLAGS, "margin")
    if isinstance(first, NBest):
        _refuse(
            arguments,
            (*SEARCH_FLAGS, "all_paths", *formula),
            "n-best lists",
            "lattices or forests",
        )
        if first.scores is None and not arguments.weights:
            _refuse(arguments, ["scale"], "lists without scores", "scores or --weights")
        return
    _refuse(arguments, ["candidates"], "lattices or forests", "n-best lists")
    if not linear:
        chosen = arguments.utility or "bleu"
        _refuse(arguments, formula, f"--utility {chosen}", f"--utility {LINEAR_BLEU}")
    if linear:
        _refuse(arguments, ["all_paths", "evidence"], f"--utility {LINEAR_BLEU}", "a metric")
    if linear and isinstance(first, Lattice):
        _refuse(arguments, SEARCH_FLAGS, f"all paths searched by {LINEAR_BLEU}", "forests")
    if arguments.all_paths:
        _refuse(arguments, SEARCH_FLAGS, "--all-paths too", "one of them")


def _refuse(arguments: Namespace, names: "Iterable[str]", found: str, expected: str) -> None:
    for name in given(arguments, names):
        flag = name.replace("_", "-")
        raise OptionError(f"--{flag}: found {found}, expected {expected} for it")
