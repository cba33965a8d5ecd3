"""Weights of features as decoders and tuners write them."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from os import PathLike
from typing import Final

from tertium.decode.formats.numbered_lines import (
    Damages,
    cut,
    is_number,
    number,
    numbered_lines,
    shortened,
)
from tertium.errors import InputError, OptionError
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.spec import Spec
from tertium.metrics.contract.table import parse_spec
from tertium.suggestions import did_you_mean
from tertium.text.files import TextFile
from tertium.text.memory import HELD
from tertium.text.named_rows import whole_json
from tertium.text.tokenizers import WHITESPACE


def read_weights(path: str | PathLike[str]) -> dict[str, float]:
    """Weights by the names that features have.

    Moses' ``LM0= 0.5`` and ``LM0 0.5``; a label with several values, or on several lines, gives
    ``LM0_1``, ``LM0_2``, …. Numbers without names, between blanks or commas, are called ``1``,
    ``2``, …. A JSON object of names and numbers is taken as it is, and so is what ``tertium tune
    -f json`` writes for one metric.
    """
    file = TextFile.find(path)
    if file.read(growth=HELD).lstrip()[:1] == b"{":
        return _json_weights(file)
    values: dict[str, list[float]] = {}
    for line_number, text in numbered_lines(file, Damages()):
        try:
            label, numbers = _line(text)
        except ValueError as error:
            raise InputError(f"{file.name}: line {line_number}: {error}") from None
        if numbers:
            values.setdefault(label, []).extend(numbers)
    weights = {name: value for label, some in values.items() for name, value in _named(label, some)}
    if not weights:
        raise InputError(f"{file.name}: found no weights, expected some")
    return weights


def check_names(weights: Iterable[str], features: Iterable[str], location: str) -> None:
    """Refuse weights of features that nothing has, which are mostly spelled otherwise.

    A sparse feature, such as ``WordPair_the_la``, may be absent as long as others of its kind
    (``WordPair_…``) are there: what was learned on other segments need not come up in these.

    >>> check_names(["LM", "Pair_a_b"], ["LM", "Pair_c_d"], "w.txt")
    """
    known = set(features)
    kinds = {name.partition("_")[0] for name in known if _is_sparse(name)}
    for name in weights:
        if name not in known and not (_is_sparse(name) and name.partition("_")[0] in kinds):
            # Sparse features can be thousands.
            shown = known if len(known) < 30 else get_close_matches(name, known, n=9)
            raise OptionError(f"{location}: {did_you_mean('feature', name, shown)}")


def _is_sparse(name: str) -> bool:
    """Whether a name is a kind and what it was seen with; ``TM_2`` is the second of a few."""
    kind, underscore, rest = name.partition("_")
    return bool(kind and underscore) and not rest.isdecimal()


def _line(text: str) -> tuple[str, list[float]]:
    if text.startswith(("#", "[")):
        return "", []  # a remark, or the heading of a section in Moses' own file
    parts = cut(text.replace(",", " ")) if "=" not in text else cut(text)
    if not parts:
        return "", []
    label, equals, value = parts[0].rpartition("=")
    if equals and label and (not value or is_number(value)):
        parts = [label, *([value] if value else []), *parts[1:]]
    elif is_number(parts[0]) and all(map(is_number, parts)):
        return "", [number(part) for part in parts]
    else:
        parts = cut(text)
    if len(parts) < 2:
        raise ValueError(f"found {shortened(text)}, expected a name and its weight")
    return parts[0], [number(part) for part in parts[1:]]


def _named(label: str, values: list[float]) -> list[tuple[str, float]]:
    if label and len(values) == 1:
        return [(label, values[0])]
    prefix = f"{label}_" if label else ""
    return [(f"{prefix}{index}", value) for index, value in enumerate(values, 1)]


def _json_weights(file: TextFile) -> dict[str, float]:
    """An object of names and numbers, or what ``tertium tune -f json`` writes."""
    value = whole_json(file, "an object of weights")
    tuned = value.get("tuned")
    if isinstance(tuned, list):
        if len(tuned) != 1:
            metrics = ", ".join(
                str(entry.get("metric")) for entry in tuned if isinstance(entry, dict)
            )
            raise InputError(
                f"{file.name}: found weights for {metrics or 'nothing'}, expected one metric's "
                "(tune for one, or copy its weights)"
            )
        value = tuned[0]
    if isinstance(value, dict) and isinstance(value.get("weights"), dict):
        value = value["weights"]
    try:
        return {name: number(str(weight)) for name, weight in value.items()}
    except (ValueError, AttributeError) as error:
        raise InputError(f"{file.name}: {error}, expected an object of weights") from None


# Metrics over what is made of words already: decoders' lattices and forests.

OF_WORDS: Final[Mapping[str, object]] = {"tokenizer": WHITESPACE}
"""What options are where the text does not set them: words are not cut again."""


def word_metric(
    metric: Metric | Spec | str, *, of_words: bool = True, tokenizer: str | None = None
) -> Metric:
    """The metric; over words it does not cut them again unless its text says how.

    Over texts, ``tokenizer`` stands in the place of 13a.

    >>> word_metric("amber").spec, word_metric("bleu[tokenizer=13a]").spec, word_metric("ter").spec
    ('amber[tokenizer=none]', 'bleu', 'ter')
    """
    if isinstance(metric, Metric):
        return metric
    spec = parse_spec(metric) if isinstance(metric, str) else metric
    return spec.build(**(OF_WORDS if of_words else spec.tokenized(tokenizer)))
