"""``tertium mteval``: the command line and the output of NIST's mteval-v13a.pl."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Final

from tertium.cli.shell.output import write_output
from tertium.errors import OptionError

if TYPE_CHECKING:
    from tertium.compat.mteval import SetNames


EXAMPLES: Final = """\
examples:
  tertium mteval -r reference.sgm -s source.sgm -t output.sgm -c
      NIST and BLEU of every order up to nine, as mteval-v13a.pl -c prints them
  tertium mteval -r reference.sgm -s source.sgm -t output.sgm --metricsMATR-output
      also BLEU-sys.scr, BLEU-doc.scr, BLEU-seg.scr and those of NIST, here
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the flags of mteval, by its names."""
    parser.usage = "tertium mteval -r REF -s SRC -t TST [flags]"
    parser.epilog = EXAMPLES
    files = parser.add_argument_group("files").add_argument
    files("-r", dest="reference", metavar="REF", required=True, help="the references")
    files("-s", dest="origin", metavar="SRC", required=True, help="the source documents")
    files("-t", dest="translations", metavar="TST", required=True, help="the systems' output")
    add = parser.add_argument_group("as in mteval-v13a.pl").add_argument
    add("-c", dest="case", action="store_true", help="keep upper case")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("-b", dest="only_bleu", action="store_true", help="BLEU only")
    only.add_argument("-n", dest="only_nist", action="store_true", help="NIST only")
    add(
        "-d",
        dest="detail",
        metavar="LEVEL",
        choices=("0", "1", "2", "3"),
        default="0",
        help="0, systems only; documents and segments go to files: --metricsMATR-output",
    )
    add("-e", dest="enclose", action="store_true", help="not offered: see tertium metrics bleu")
    add(
        "--brevity-penalty",
        metavar="LENGTH",
        choices=("closest", "shortest"),
        default="closest",
        help="closest or shortest: which reference length counts (default: closest)",
    )
    add("--international-tokenization", action="store_true", help="tokenize by Unicode's classes")
    add("--no-smoothing", action="store_true", help="do not smooth BLEU")
    add(
        "--metricsMATR-output",
        "--metricsMATR",
        dest="score_files",
        action="store_true",
        help="write the scores of systems, documents and segments to .scr files in this folder",
    )


def run(arguments: Namespace) -> int:
    """Score, print the report, and write the files that were asked for."""
    from datetime import UTC, datetime

    _check(arguments)
    began = datetime.now(UTC).astimezone()
    from tertium.cli.flags.inputs import whole_of
    from tertium.compat.mteval import MtevalSettings, mteval
    from tertium.text.input_files import open_inputs

    inputs = open_inputs(arguments.reference, [arguments.translations], source=arguments.origin)
    settings = MtevalSettings(
        case=arguments.case,
        shortest=arguments.brevity_penalty == "shortest",
        international=arguments.international_tokenization,
        smoothing=not arguments.no_smoothing,
        scores=("BLEU",)
        if arguments.only_bleu
        else ("NIST",)
        if arguments.only_nist
        else ("NIST", "BLEU"),
    )
    keys = None if inputs.keys is None else [(key[0] or "", key[1]) for key in inputs.keys]
    result = mteval(whole_of(inputs), settings, _set_names(arguments), keys)
    command = " ".join(["tertium", *sys.argv[1:]])
    if arguments.score_files:
        for name, lines in result.score_files():
            write_output([f"{line}\n" for line in lines], name)
    ended = datetime.now(UTC).astimezone()
    write_output(f"{line}\n" for line in result.lines(command, began=began, ended=ended))
    return 0


def _check(arguments: Namespace) -> None:
    if arguments.detail != "0":
        raise OptionError(
            f"-d: found {arguments.detail}, expected 0 (--metricsMATR-output writes the scores of "
            "documents and segments to files)"
        )
    if arguments.enclose:
        raise OptionError(
            "-e: found, expected none (-m bleu[tokenizer=zh] of tertium score cuts Chinese into "
            "characters)"
        )


def _set_names(arguments: Namespace) -> "SetNames":
    """The names and languages in the headings of the sets, else those of the files."""
    from tertium.compat.mteval import SetNames
    from tertium.text.files import TextFile
    from tertium.text.formats.sgml import set_attributes

    files = (arguments.origin, arguments.reference, arguments.translations)
    attributes = [set_attributes(TextFile.find(file)) for file in files]
    names = [
        attribute.get("setid", file) for attribute, file in zip(attributes, files, strict=True)
    ]
    known = {key: value for attribute in attributes for key, value in attribute.items()}
    return SetNames(
        source=names[0],
        reference=names[1],
        system=names[2],
        source_language=known.get("srclang", "any"),
        target_language=known.get("trglang", "any"),
    )
