"""The flags of sacreBLEU's that ``tertium score`` would not need itself: each works or says why."""

import codecs
import os
from argparse import SUPPRESS, Action, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from tertium.cli.flags.values import whole_number
from tertium.errors import OptionError
from tertium.version import __version__

if TYPE_CHECKING:
    from tertium.cli.flags.chosen_metrics import Flag

_TEST_SETS: Final = (
    "tertium downloads no test sets, expected files: tertium score REF -i SYS "
    "('sacrebleu -t SET -l XX-YY --echo ref' writes a reference)"
)
_PARTS: Final = (
    "tertium downloads no test sets and their parts, expected the parts of yours in "
    "--documents FILE, with --by genre or --by document"
)
_REFUSED: Final[tuple[tuple[tuple[str, ...], int | str | None, str], ...]] = (
    (("-t", "--test-set"), None, _TEST_SETS),
    (("--list",), 0, _TEST_SETS),
    (("--download",), None, _TEST_SETS),
    (("--echo",), "+", _TEST_SETS),
    (("--citation", "--cite"), 0, _TEST_SETS),
    (("-ol", "--origlang"), None, _PARTS),
    (("--subset",), None, _PARTS),
    (("-d", "--detail"), 0, _PARTS),
)

# flag → metric, option, and the option's text where the flag takes no value.
_METRIC_FLAGS: Final = {
    "--chrf-char-order": ("chrf", "character_order", None),
    "--chrf-word-order": ("chrf", "word_order", None),
    "--chrf-beta": ("chrf", "beta", None),
    "--chrf-whitespace": ("chrf", "whitespace", "yes"),
    "--chrf-lowercase": ("chrf", "lowercase", "yes"),
    "--chrf-eps-smoothing": ("chrf", "effective_order", "no"),
    "--ter-case-sensitive": ("ter", "case_sensitive", "yes"),
    "--ter-asian-support": ("ter", "asian_support", "yes"),
    "--ter-no-punct": ("ter", "punctuation", "no"),
    "--ter-normalized": ("ter", "normalized", "yes"),
}
_SHORT: Final = {"--chrf-char-order": "-cc", "--chrf-word-order": "-cw"}


class _Refuse(Action):
    """Answers a flag with its sentence, before anything is missed that would go with it."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        raise OptionError(f"{option_string}: {self.const}")


def configure_sacrebleu(parser: ArgumentParser) -> None:
    """Declare the flags."""
    group = parser.add_argument_group(
        "as in sacreBLEU", "Options of chrF and TER, which may also stand in brackets: -m chrf[…]."
    )
    for flag, (metric, name, text) in _METRIC_FLAGS.items():
        names = [_SHORT[flag], flag] if flag in _SHORT else [flag]
        line = f"{metric}[{name}={text or 'VALUE'}]"
        if text is None:
            group.add_argument(*names, metavar="VALUE", help=line)
        else:
            group.add_argument(*names, action="store_true", help=line)
    add = group.add_argument
    add("-nc", "--no-color", action="store_true", help="no colours, as with NO_COLOR=1")
    add(
        "-j",
        "--paired-jobs",
        metavar="N",
        type=whole_number(0),
        help="the same as --threads; 0 uses all",
    )
    add(
        "-e", "--encoding", metavar="NAME", type=_encoding, help="encoding of the files: utf-8 only"
    )
    add(
        "--force",
        action="store_true",
        help="accepted and ignored; sacreBLEU asks for it if text looks tokenized",
    )
    add("-V", "--version", action="version", version=f"tertium {__version__}")
    for refused, values, sentence in _REFUSED:
        parser.add_argument(*refused, nargs=values, const=sentence, action=_Refuse, help=SUPPRESS)


def apply_sacrebleu(arguments: Namespace) -> None:
    """What the flags set outside of metrics."""
    if arguments.no_color:
        os.environ["NO_COLOR"] = "1"
    if arguments.paired_jobs and arguments.threads is None:
        arguments.threads = arguments.paired_jobs


def metric_flags(arguments: Namespace) -> "list[Flag]":
    """What ``--chrf-…`` and ``--ter-…`` set."""
    from tertium.cli.flags.chosen_metrics import Flag

    found = []
    for flag, (metric, name, text) in _METRIC_FLAGS.items():
        value = getattr(arguments, flag.removeprefix("--").replace("-", "_"))
        if value not in {None, False}:
            found.append(Flag(flag=flag, option=name, text=text or value, metric=metric))
    return found


def _encoding(text: str) -> str:
    try:
        name = codecs.lookup(text).name
    except LookupError:
        name = ""
    if name != "utf-8":
        raise ArgumentTypeError(
            f"found '{text}', expected utf-8: 'iconv -f {text} -t utf-8 FILE' converts a file"
        )
    return name
