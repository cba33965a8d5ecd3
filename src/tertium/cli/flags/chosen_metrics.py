"""The metrics a user asked for: names with brackets, and flags that hold for all of them."""

import re
from argparse import Namespace
from collections.abc import Sequence
from typing import Final, NamedTuple

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option
from tertium.metrics.contract.signatures import long_key, named
from tertium.metrics.contract.table import parse_metric
from tertium.text.tokenizers import THIRTEEN_A

LANGUAGE_TOKENIZERS: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""Target languages that the default tokenizer cannot cut into words (as in sacreBLEU)."""


class Flag(NamedTuple):
    """A flag of the command line that sets one option of every metric that has it.

    With ``metric`` it is meant for the metric of that name alone.
    """

    flag: str
    option: str
    text: str
    metric: str | None = None

    def option_of(self, metric: Metric) -> Option | None:
        """The option that the flag sets in this metric, if any."""
        meant = self.metric in {None, metric.name}
        return _option(metric, self.option) if meant else None


def text_flags(arguments: Namespace) -> list[Flag]:
    """What ``--tokenize`` and ``--lowercase`` set."""
    flags = []
    if arguments.tokenize is not None:
        flags.append(Flag(flag="--tokenize", option="tokenizer", text=arguments.tokenize))
    if arguments.lowercase:
        flags.append(Flag(flag="--lowercase", option="lowercase", text="yes"))
    return flags


def chosen_metrics(
    texts: Sequence[str], flags: Sequence[Flag], *, target: str | None = None
) -> list[Metric]:
    """The metrics of these texts under these flags.

    What a metric's own brackets set stays as it is. ``target`` is the language of the
    hypotheses; it decides the tokenizer where nobody else does.
    """
    metrics = [_configured(text, flags, target) for text in texts]
    for one in flags:
        if not any(one.option_of(metric) for metric in metrics):
            named = f"'{one.metric}'" if one.metric else f"one with the option '{one.option}'"
            raise OptionError(
                f"{one.flag}: found metrics {', '.join(texts)}, expected at least {named}"
            )
    specs = [metric.spec for metric in metrics]
    for spec in specs:
        if specs.count(spec) > 1:
            raise OptionError(f"metric '{spec}': found twice, expected once")
    return metrics


def _configured(text: str, flags: Sequence[Flag], target: str | None) -> Metric:
    metric = parse_metric(text)
    own = own_options(text, metric)
    changes: dict[str, object] = {}
    tokenizer = _option(metric, "tokenizer")
    if target in LANGUAGE_TOKENIZERS and tokenizer and tokenizer.default == THIRTEEN_A:
        changes["tokenizer"] = tokenizer.from_text(LANGUAGE_TOKENIZERS[target])
    for one in flags:
        if option := one.option_of(metric):
            changes[one.option] = option.from_text(one.text)
    return metric.with_options(**{k: v for k, v in changes.items() if k not in own})


def _option(metric: Metric, name: str) -> Option | None:
    return next((one for one in metric.options if one.name == name), None)


# A part between commas: quoted text and inner brackets may hold commas of their own.
_PART: Final = r'(?:"(?:\\.|[^"\\])*"|\[[^\[\]]*\]|[^",\[\]])+'


def own_options(text: str, metric: Metric) -> frozenset[str]:
    """The options that a metric's text sets itself, be it to their defaults.

    >>> sorted(own_options("bleu[tokenizer=13a,order=2]", parse_metric("bleu")))
    ['order', 'tokenizer']
    """
    head, _, inside = text.partition("[")
    told = frozenset(named(head.partition("|")[0])[1])
    if "|" in head:  # a signature names options by their keys
        by_key = {one.key: one.name for one in metric.options}
        keys = (long_key(pair.partition(":")[0], by_key) for pair in text.split("|")[1:])
        return told | {by_key[key] for key in keys if key in by_key}
    names = (part.partition("=")[0] for part in re.findall(_PART, inside.removesuffix("]")))
    return told | {name.strip().replace("-", "_") for name in names}
