"""Flags of ``tertium mbr``, and which of them do something for what kind of input."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any, Final

from tertium.cli.flags.common import configure_former, configure_scale, configure_seed
from tertium.cli.flags.values import whole_number
from tertium.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tertium.decode.formats.table import Structure

LINEAR_BLEU: Final = "linear-bleu"
SEARCH_FLAGS: Final = ("best", "samples", "evidence", "seed")
SPELLINGS: Final = {"best": "--paths", "margin": "--prune-arcs"}
"""Flags that are not spelled as the parameter is which they set."""
FORMULA_FLAGS: Final = ("precision", "ratio", "word_penalty", "reference_words")


def configure_choice(parser: ArgumentParser) -> None:
    """Declare how it is chosen."""
    add = parser.add_argument_group("how it is chosen").add_argument
    add(
        "--utility",
        metavar="METRIC",
        help="any metric, or linear-bleu (default: bleu, or what a --load-matrix file says)",
    )
    configure_scale(add)
    add("--prune", action="store_true", help="give up candidates that cannot win (still exact)")
    add(
        "--approximate",
        metavar="HOW",
        choices=("mean-reference",),
        help="mean-reference: one reference of mean n-gram counts (bleu, bleu-sbp, chrf)",
    )
    add("--save-matrix", metavar="FILE", help="write the utilities of all pairs to .npz or .npy")
    add(
        "--matrix-type",
        choices=("float64", "float32", "float16"),
        help="numbers in the file of --save-matrix: fewer bits, a smaller file (default: float64)",
    )
    add(
        "--load-matrix",
        metavar="FILE",
        help="utilities from such a file, or from a table (Parquet, TSV, CSV, JSONL) with columns "
        "segment, candidate, reference and utility",
    )


def configure_space(parser: ArgumentParser) -> None:
    """Declare what is looked at of lattices and forests."""
    add = parser.add_argument_group("lattices and forests").add_argument
    number = whole_number(0)
    paths = add(
        "--paths",
        dest="best",
        metavar="N",
        type=number,
        help="best paths of a lattice or forest to choose from (default: 200)",
    )
    configure_former(add, "--best", paths)
    add("--samples", metavar="N", type=number, help="paths drawn (default: 1000)")
    add(
        "--evidence",
        choices=("samples", "n-best"),
        help="texts that candidates are compared with (default: samples)",
    )
    configure_seed(add, set_default=False)
    add(
        "--all-paths",
        metavar="K",
        type=whole_number(1),
        help="grr and wrr: search all paths exactly, against the K best ones (small lattices)",
    )
    add(
        "--precision",
        metavar="P",
        type=float,
        help="linear-bleu: precision of single words (default: 0.85)",
    )
    add(
        "--ratio",
        metavar="R",
        type=float,
        help="linear-bleu: what is left of the precision from n to n + 1 words (default: 0.72)",
    )
    add("--word-penalty", metavar="X", type=float, help="linear-bleu: cost of a word (default: 0)")
    add(
        "--reference-words",
        metavar="T",
        type=float,
        help="linear-bleu: unit of the gain; HiFST's word penalties are for 10 (default: 1)",
    )
    margin = add(
        "--prune-arcs",
        dest="margin",
        metavar="X",
        type=float,
        help="linear-bleu: drop arcs that are this much worse than the best",
    )
    configure_former(add, "--margin", margin)


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
    from tertium.decode.structures.lattice import Lattice
    from tertium.decode.structures.nbest import NBest

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
    separate = ("candidates", "pseudo_references")
    given_ones = [name for name in separate if getattr(arguments, name)]
    _refuse(arguments, given_ones, "lattices or forests", "n-best lists")
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
        flag = SPELLINGS.get(name, f"--{name.replace('_', '-')}")
        raise OptionError(f"{flag}: found {found}, expected {expected} for it")


def check_resume(arguments: Namespace) -> None:
    """Refuse --resume where nothing could be gone on with, and contradicting files."""
    check_sides(arguments)
    if not arguments.resume:
        return
    if arguments.format not in {"lines", "jsonl"}:
        raise OptionError(f"--resume: found -f {arguments.format}, expected -f lines or jsonl")
    if arguments.output in {None, "-"} or arguments.output.startswith("/dev/"):
        raise OptionError("--resume: found no file to write, expected -o FILE")
    if arguments.save_matrix:
        raise OptionError("--resume: found --save-matrix, expected neither or one of them")


def check_sides(arguments: Namespace) -> None:
    """Refuse two ways to say what is compared with what."""
    if arguments.candidates and arguments.pseudo_references:
        raise OptionError("--candidates: found --pseudo-references too, expected one of them")
