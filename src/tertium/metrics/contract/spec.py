"""A metric as a text asks for it: its class, and the options that the text itself sets."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tertium.errors import OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import Option, options_of, split
from tertium.suggestions import did_you_mean
from tertium.text.tokenizers import THIRTEEN_A

# Names of metrics that people try, and what to say here instead.

TRAINED: Final = (
    "tertium computes no trained metric, but takes the scores of one: --scores FILE, or a program, "
    "-m 'command[run=…]'"
)

OTHER_NAMES: Final = {
    "sacrebleu": "use 'bleu', which is equal to sacreBLEU's",
    "sentbleu": "use 'bleu' and -sl for a score of each segment",
    "spbleu": "use 'bleu[tokenizer=flores200]'",
    "rouge": "use 'rouge-n[n=1]', 'rouge-n[n=2]' or 'rouge-l'",
    "rouge-1": "use 'rouge-n[n=1]'",
    "rouge1": "use 'rouge-n[n=1]'",
    "rouge-2": "use 'rouge-n[n=2]'",
    "rouge2": "use 'rouge-n[n=2]'",
    "cer": "use 'wer[tokenizer=char]'",
    **dict.fromkeys(
        ("bertscore", "bleurt", "comet", "cometkiwi", "gemba", "metricx", "xcomet"), TRAINED
    ),
}
"""Lower-cased name → the second half of an error."""


# The names and keys of signatures: what sacreBLEU's short ones stand for, and the way back.

SHORT_KEYS: Final = {
    "nrefs": "#",
    "seed": "rs",
    "test": "t",
    "lang": "l",
    "origlang": "o",
    "subset": "S",
    "case": "c",
    "eff": "e",
    "smooth": "s",
    "space": "s",
    "norm": "nr",
    "punct": "pn",
    "asian": "as",
    "version": "v",
}
"""sacreBLEU's ``--short``; other keys have no short form."""

TER_SHORT_KEYS: Final = {"tok": "t"}
"""A short key that sacreBLEU gives to TER alone."""

NO_OPTIONS: Final = frozenset(
    {
        "nrefs",
        "version",
        "bs",
        "ar",
        "seed",
        "resample",
        "level",
        "interval",
        "test",
        "lang",
        "origlang",
        "subset",
        "digest",
    }
)
"""Keys that tell of the data, of resampling or of the program, and not of the metric."""

_TITLES: Final = {
    "amber(1)": "amber-basic",
    "dep": "dependency",
    "sr": "semantic-roles",
    "rte": "entailment",
}
"""Titles, lower-cased, that are not the name of their metric."""

_CHRF: Final = re.compile(r"chrf(\d+(?:\.\d+)?)?(\+*)")


def named(text: str) -> tuple[str, dict[str, str]]:
    """The metric that a name or a title means, and the options that the title tells.

    >>> named("AMBER(1)"), named("chrF3++")
    (('amber-basic', {}), ('chrf', {'beta': '3', 'word_order': '2'}))
    """
    name = text.strip().lower()
    if (match := _CHRF.fullmatch(name)) and name != "chrf":
        beta, pluses = match.groups()
        told = {} if beta is None else {"beta": beta}
        return "chrf", told | ({"word_order": str(len(pluses))} if beta or pluses else {})
    return _TITLES.get(name, name), {}


def long_key(key: str, known: Container[str]) -> str:
    """The key that a short one stands for, if the metric has it: ``s`` is smooth or space.

    >>> long_key("s", {"smooth"}), long_key("s", {"space"}), long_key("order", {"order"})
    ('smooth', 'space', 'order')
    """
    if key in known:
        return key
    pairs = [*TER_SHORT_KEYS.items(), *SHORT_KEYS.items()]
    meant = [long for long, short in pairs if short == key]
    return next((long for long in meant if long in known or long in NO_OPTIONS), key)


ELSEWHERE: Final = {"file": "scores", "digest": "scores", "run": "command"}
"""Keys that only signatures of scores from elsewhere have, and the metrics that read these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spec:
    """What a text sets, be it to the default, and nothing else.

    So the rest is open: `build` takes what somebody who knows more, such as a flag or a decoder
    that writes tokens, would have in the place of the metric's defaults.
    """

    metric: type[Metric]
    given: tuple[tuple[str, object], ...] = ()
    """Options and their values, in the order of the text."""

    @classmethod
    def parse(cls, text: str, metrics: Mapping[str, type[Metric]]) -> "Spec":
        """The spec of a text such as ``bleu[order=2]``, or of a signature."""
        head, bracket, rest = text.strip().partition("[")
        if "|" in head:
            title, _, pairs = text.strip().partition("|")
            if ":" in title:
                raise OptionError(
                    f"metric '{title}|…': found a signature without the metric's name, "
                    f"expected it in front: bleu|{title}|…"
                )
            options = list(_signature_pairs(text, pairs))
            return _read(metrics, _elsewhere(options) or title, iter(options), by_key=True)
        if bracket and not rest.endswith("]"):
            raise OptionError(
                f"metric '{text}': found no closing ']', expected name[option=value,…]"
            )
        pairs = rest.removesuffix("]")
        return _read(metrics, head, _bracket_pairs(text, pairs), by_key=False)

    def __str__(self) -> str:
        options = {option.name: option for option in options_of(self.metric)}
        pairs = [f"{name}={options[name].to_text(value)}" for name, value in self.given]
        return f"{self.metric.name}[{','.join(pairs)}]" if pairs else self.metric.name

    def sets(self, option: str) -> bool:
        """Whether the text itself says what the option is."""
        return any(name == option for name, _ in self.given)

    def option(self, name: str) -> Option | None:
        """The metric's option of that name, if it has one."""
        return next((option for option in options_of(self.metric) if option.name == name), None)

    def tokenized(self, name: str | None) -> dict[str, object]:
        """The default of a metric that uses 13a, with the tokenizer of that name in its place."""
        option = self.option("tokenizer")
        if name is None or option is None or option.default != THIRTEEN_A:
            return {}
        return {"tokenizer": option.from_text(name)}

    def build(self, **defaults: object) -> Metric:
        """The metric; ``defaults`` are for what the text does not set and the metric has."""
        known = {option.name: option.field for option in options_of(self.metric)}
        fitting = {name: value for name, value in defaults.items() if name in known}
        whole = {**fitting, **dict(self.given)}
        return self.metric(**{known[name]: value for name, value in whole.items()})


def _read(
    metrics: Mapping[str, type[Metric]],
    title: str,
    pairs: Iterator[tuple[str, str]],
    *,
    by_key: bool,
) -> Spec:
    name, told = named(title)
    metric_class = _named(metrics, name, title.strip())
    known = {option.key: option for option in options_of(metric_class)}
    names = list(known) if by_key else [option.name for option in options_of(metric_class)]
    if not by_key:  # what a signature calls it is understood, too
        known |= {option.name: option for option in options_of(metric_class)}
    values: dict[str, object] = {}
    for label, value in pairs:
        key = long_key(label, known) if by_key else label
        if by_key and key in NO_OPTIONS and key not in known:
            continue
        if key not in known:
            raise OptionError(did_you_mean(f"option of {name}", label, names))
        if known[key].name in values:
            raise OptionError(f"metric '{name}': option '{label}' given twice, expected once")
        values[known[key].name] = known[key].from_text(value)
    for option in options_of(metric_class):
        if option.name in told:
            meant = option.from_text(told[option.name])
            if values.setdefault(option.name, meant) != meant:
                raise OptionError(
                    f"metric '{title.strip()}': found "
                    f"{option.name}={option.to_text(values[option.name])}, "
                    f"expected {option.to_text(meant)} as its name says"
                )
    return Spec(metric=metric_class, given=tuple(values.items()))


def _named(metrics: Mapping[str, type[Metric]], name: str, title: str) -> type[Metric]:
    """The metric of a name; what people try instead of one is answered."""
    if "," in name:
        several = " ".join(part.strip() for part in name.split(",") if part.strip())
        raise OptionError(
            f"metric '{title}': found a comma, expected blanks between metrics: {several}"
        )
    if name in OTHER_NAMES and name not in metrics:
        raise OptionError(f"unknown metric '{title}'; {OTHER_NAMES[name]}")
    return metrics[name]


def _elsewhere(pairs: Sequence[tuple[str, str]]) -> str | None:
    """The metric that reads scores of others, if that is what a signature is of.

    Its title is whatever the user calls it; where the scores come from tells what it is.
    """
    keys = {key for key, _ in pairs}
    return next((name for key, name in ELSEWHERE.items() if {"name", key} <= keys), None)


def _signature_pairs(text: str, pairs: str) -> Iterator[tuple[str, str]]:
    for part in _parts(text, pairs, "|"):
        key, _, value = part.partition(":")
        yield key, value


def _bracket_pairs(text: str, pairs: str) -> Iterator[tuple[str, str]]:
    for part in _parts(text, pairs, ","):
        name, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"metric '{text}': found '{part}', expected option=value")
        yield name.strip().replace("-", "_"), value.strip()


def _parts(text: str, pairs: str, separator: str) -> Iterator[str]:
    try:
        return filter(None, split(pairs, separator))
    except ValueError as error:
        raise OptionError(
            f"metric '{text}': {error}, expected both, or the value in quotes"
        ) from None
