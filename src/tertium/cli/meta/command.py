"""``tertium meta``: metrics against human judgment, in actions with flags of their own."""

from argparse import REMAINDER, ArgumentParser, Namespace
from importlib import import_module
from typing import Final

from tertium.cli.shell.parser import CommandParser
from tertium.errors import OptionError
from tertium.suggestions import did_you_mean

ACTIONS: Final = {
    "agree": ("tertium.cli.meta.agree", "measure how well metrics agree with human ratings"),
    "rank": ("tertium.cli.meta.rank", "rank metrics over language pairs, with clusters"),
    "judges": ("tertium.cli.meta.judges", "measure how well judges agree with one another"),
    "spans": ("tertium.cli.meta.spans", "count, weigh and compare errors that people marked"),
    "curve": ("tertium.cli.meta.curve", "say which length of n-grams predicts ratings best"),
    "worth": ("tertium.cli.meta.worth", "say how often human raters agree with a difference"),
    "orange": ("tertium.cli.meta.orange", "rank references inside n-best lists, without judges"),
    "straw-men": ("tertium.cli.meta.straw_men", "test which metrics can be fooled by nonsense"),
    "fit": ("tertium.cli.meta.fit", "choose a metric's parameters to agree with people"),
}
"""Action → its module, like the commands of ``tertium``, and a line of help."""

EXPLANATION: Final = f"""\
actions:
{"".join(f"  {name:<10} {line}" + chr(10) for name, (_, line) in ACTIONS.items())}
examples:
  tertium meta agree reference.en -i systems/*.en -m bleu chrf ter --ratings ratings.tsv
      which metric ranks the systems as people do, and how sure is that?
  tertium meta agree --ratings humans.tsv --scores metrics.tsv --pair es-en
      the same for scores that others published
  tertium meta judges --ratings RNK_results.csv --pair es-en
      were the people sure themselves?
  tertium meta agree --help
      the flags of an action
"""


def configure(parser: ArgumentParser) -> None:
    """Declare the actions."""
    parser.usage = "tertium meta ACTION [flags]"
    parser.epilog = EXPLANATION
    parser.add_argument("action", metavar="ACTION", nargs="?", help=", ".join(ACTIONS))
    parser.add_argument("words", metavar="…", nargs=REMAINDER, help="flags of the action")
    parser.set_defaults(show_help=parser.print_help)


def run(arguments: Namespace) -> int:
    """Let the action declare its flags, parse the words and run it."""
    if arguments.action is None:
        arguments.show_help()
        return 0
    if arguments.action not in ACTIONS:
        raise OptionError(did_you_mean("action of 'tertium meta'", arguments.action, ACTIONS))
    place, line = ACTIONS[arguments.action]
    module = import_module(place)
    parser = CommandParser(f"tertium meta {arguments.action}", f"{line[0].upper()}{line[1:]}.")
    module.configure(parser)
    status: int = module.run(parser.parse_args(arguments.words))
    return status
