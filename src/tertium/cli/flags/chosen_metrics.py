"""The metrics a user asked for: names with brackets, and flags that hold for all of them."""

import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option
from tertium.metrics.contract.spec import Spec
from tertium.metrics.contract.table import parse_spec
from tertium.text.corpus import Corpus
from tertium.text.tokenizers import THIRTEEN_A

LANGUAGE_TOKENIZERS: Final = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""Target languages that the default tokenizer cannot cut into words (as in sacreBLEU)."""


class Flag(NamedTuple):
    """A flag of the command line that sets one option of every metric that has it.

    With ``metric`` it is meant for the metric of that name alone. What it ``replaces`` is the
    default that it stands for where nothing else was told, as languages do for tokenizers.
    """

    flag: str
    option: str
    text: str
    metric: str | None = None
    replaces: object = None

    def option_of(self, spec: Spec) -> Option | None:
        """The option that the flag sets in this metric, if any."""
        if self.metric not in {None, spec.metric.name}:
            return None
        option = spec.option(self.option)
        return option if option and self.replaces in {None, option.default} else None


def language_tokenizer(arguments: Namespace) -> str | None:
    """The tokenizer that stands in the place of 13a for the language of ``--language-pair``."""
    return LANGUAGE_TOKENIZERS.get(arguments.target)


def text_flags(arguments: Namespace) -> list[Flag]:
    """What ``--language-pair``, ``--tokenize`` and ``--lowercase`` set."""
    flags = []
    if tokenizer := language_tokenizer(arguments):
        flags.append(
            Flag(flag="--language-pair", option="tokenizer", text=tokenizer, replaces=THIRTEEN_A)
        )
    if arguments.tokenize is not None:
        flags.append(Flag(flag="--tokenize", option="tokenizer", text=arguments.tokenize))
    if arguments.lowercase:
        flags.append(Flag(flag="--lowercase", option="lowercase", text="yes"))
    return flags


def chosen_metrics(
    texts: Sequence[str],
    flags: Sequence[Flag] = (),
    *,
    tokenizer: str | None = None,
    defaults: Mapping[str, object] | None = None,
    more: Sequence[Metric] = (),
) -> list[Metric]:
    """The metrics of these texts under these flags.

    What a metric's own brackets set stays as it is. What neither they nor flags set is as
    ``defaults`` has it, else as the language of the hypotheses needs it, else ``tokenizer`` stands
    in the place of 13a. ``more`` metrics follow as they are.
    """
    specs = [parse_spec(text) for text in texts]
    hard = [flag for flag in flags if flag.replaces is None]
    soft = [flag for flag in flags if flag.replaces is not None]
    metrics = [
        spec.build(
            **{
                **spec.tokenized(tokenizer),
                **_told(spec, soft),
                **(defaults or {}),
                **_told(spec, hard),
            }
        )
        for spec in specs
    ]
    for one in hard:
        if not any(one.option_of(spec) for spec in specs):
            named = f"'{one.metric}'" if one.metric else f"one with the option '{one.option}'"
            raise OptionError(
                f"{one.flag}: found metrics {', '.join(texts)}, expected at least {named}"
            )
    metrics += more
    names = [metric.spec for metric in metrics]
    for name in names:
        if names.count(name) > 1:
            cure = " (name=… in the brackets of scores gives it another name)"
            told = (
                cure if any(metric.elsewhere for metric in metrics if metric.spec == name) else ""
            )
            raise OptionError(f"metric '{name}': found twice, expected once{told}")
    return metrics


def _told(spec: Spec, flags: Sequence[Flag]) -> dict[str, object]:
    """What flags set of this metric."""
    fitting = [(flag, option) for flag in flags if (option := flag.option_of(spec))]
    return {flag.option: option.from_text(flag.text) for flag, option in fitting}


def metrics_for(
    corpus: Corpus,
    texts: Sequence[str],
    flags: Sequence[Flag] = (),
    *,
    more: Sequence[Metric] = (),
) -> list[Metric]:
    """`chosen_metrics`, with a tokenizer that fits the script of the references.

    It is told on standard error which metrics are tokenized otherwise than by default.
    """
    from tertium.metrics.contract.word_metric import fitting

    usual = chosen_metrics(texts, flags, more=more)
    told = any(flag.replaces is not None for flag in flags)
    fit = None if told else fitting(corpus.references)
    if fit is None:
        return usual
    metrics = chosen_metrics(texts, flags, tokenizer=fit.name, more=more)
    changed = [a.title for a, b in zip(usual, metrics, strict=True) if a.spec != b.spec]
    if changed:
        print(f"tertium: note: {fit.note(', '.join(changed))}", file=sys.stderr)
    return metrics
