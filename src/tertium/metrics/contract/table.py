"""The table of metrics: one literal, plus what other packages offer by entry points."""

from typing import Final, TypeAlias

from tertium.errors import OptionError
from tertium.lazy import Table
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.options import options_of
from tertium.metrics.contract.signatures import NO_OPTIONS, long_key, named
from tertium.suggestions import did_you_mean

AnyMetric: TypeAlias = Metric | str

METRICS: Final[Table[type[Metric]]] = Table(
    "metric",
    {
        "amber": "tertium.metrics.amber.metric:Amber",
        "amber-basic": "tertium.metrics.amber.metric:AmberBasic",
        "bleu": "tertium.metrics.ngram.bleu:Bleu",
        "bleu-sbp": "tertium.metrics.ngram.bleu_sbp:BleuStrictBrevity",
        "chrf": "tertium.metrics.ngram.chrf:Chrf",
        "nist": "tertium.metrics.ngram.nist:Nist",
        "wer": "tertium.metrics.edit.wer:WordErrorRate",
        "wrr": "tertium.metrics.edit.wrr:WordRecognitionRate",
        "per": "tertium.metrics.edit.per:PositionIndependentErrorRate",
        "grr": "tertium.metrics.edit.grr:GramRecognitionRate",
        "ter": "tertium.metrics.edit.ter:TranslationEditRate",
        "terp": "tertium.metrics.edit.terp:TranslationEditRatePlus",
        "nee": "tertium.metrics.annotation.nee:NamedEntityEvaluator",
        "gtm": "tertium.metrics.ngram.gtm:GeneralTextMatcher",
        "ribes": "tertium.metrics.order.ribes:Ribes",
        "rouge-n": "tertium.metrics.ngram.rouge:RougeN",
        "rouge-l": "tertium.metrics.ngram.rouge:RougeL",
        "rouge-w": "tertium.metrics.ngram.rouge:RougeW",
        "rouge-s": "tertium.metrics.ngram.rouge:RougeS",
        "rouge-su": "tertium.metrics.ngram.rouge:RougeSU",
        "meteor": "tertium.metrics.meteor.metric:Meteor",
        "meteor-0.6": "tertium.metrics.meteor.metric:Meteor06",
        "lrscore": "tertium.metrics.order.lrscore:LrScore",
        "maxsim": "tertium.metrics.matching.maxsim:MaxSim",
        "paraeval": "tertium.metrics.matching.paraeval:ParaEval",
        "dependency": "tertium.metrics.annotation.dependency:DependencyOverlap",
    },
    group="tertium.metrics",
)
"""Metric name → its class; imported when asked for, so start-up stays short."""


def as_metric(metric: AnyMetric) -> Metric:
    """A metric as it is, or the one that a text describes."""
    return metric if isinstance(metric, Metric) else parse_metric(metric)


def parse_metric(text: str) -> Metric:
    """The metric that a spec or a signature describes; a signature's keys may be short ones.

    >>> parse_metric("bleu[order=2,lowercase=yes]").spec
    'bleu[lowercase=yes,order=2]'
    >>> parse_metric("BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp").spec
    'bleu[tokenizer=intl,lowercase=yes]'
    >>> parse_metric("chrF2++|#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0").spec
    'chrf[word_order=2]'
    """
    head, bracket, rest = text.strip().partition("[")
    if "|" in head or (not bracket and "|" in text):
        title, _, pairs = text.strip().partition("|")
        return _built(title, _signature_pairs(pairs), by_key=True)
    if bracket and not rest.endswith("]"):
        raise OptionError(f"metric '{text}': found no closing ']', expected name[option=value,…]")
    return _built(head, _spec_pairs(text, rest.removesuffix("]")), by_key=False)


def _built(title: str, pairs: list[tuple[str, str]], *, by_key: bool) -> Metric:
    if by_key and ":" in title:
        raise OptionError(
            f"metric '{title}|…': found a signature without the metric's name, "
            f"expected it in front: bleu|{title}|…"
        )
    name, told = named(title)
    found = METRICS[name]
    known = {(one.key if by_key else one.name): one for one in options_of(found)}
    values: dict[str, object] = {}
    for label, value in pairs:
        key = long_key(label, known) if by_key else label
        if by_key and key in NO_OPTIONS and key not in known:
            continue
        if key not in known:
            raise OptionError(did_you_mean(f"option of {name}", label, known))
        if known[key].name in values:
            raise OptionError(f"metric '{name}': option '{label}' given twice, expected once")
        values[known[key].name] = known[key].from_text(value)
    for one in options_of(found):
        if one.name in told:
            meant = one.from_text(told[one.name])
            if values.setdefault(one.name, meant) != meant:
                raise OptionError(
                    f"metric '{title.strip()}': found {one.name}={one.to_text(values[one.name])}, "
                    f"expected {one.to_text(meant)} as its name says"
                )
    return found(**values)


def _signature_pairs(text: str) -> list[tuple[str, str]]:
    pairs = [part.partition(":") for part in _split(text, "|")]
    return [(key, value) for key, _, value in pairs]


def _spec_pairs(text: str, inside: str) -> list[tuple[str, str]]:
    pairs = []
    for part in _split(inside, ","):
        name, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"metric '{text}': found '{part}', expected option=value")
        pairs.append((name.strip().replace("-", "_"), value.strip()))
    return pairs


def _split(text: str, separator: str) -> list[str]:
    """Split outside of quotes and brackets."""
    parts, start, depth, quoted, escaped = [], 0, 0, False, False
    for place, character in enumerate(text):
        if escaped:
            escaped = False
        elif quoted:
            escaped = character == "\\"
            quoted = character != '"'
        elif character == '"':
            quoted = True
        elif character in "[]":
            depth += 1 if character == "[" else -1
        elif character == separator and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part for part in [*parts, text[start:]] if part]
