"""Metrics over Arrow columns: statistics, scores and tokens, and no Python string on the way.

A column is whatever speaks Arrow's PyCapsule interface: arrays of pyarrow, series of Polars, pandas
and others, a table of DuckDB with one column. Text may be short, large or view strings, or a
dictionary of these, in pieces or sliced; several references are a column of lists. A row without a
hypothesis or without any reference has no statistics: it is null in the result, too.

>>> import pyarrow
>>> hypotheses = pyarrow.array(["a cat sat", None, "a dog"])
>>> references = pyarrow.array([["a cat sat"], ["x"], ["a dog ran", "a dog runs"]])
>>> scores("wer", hypotheses, references).to_pylist()
[0.0, None, 33.33333333333333]
"""

from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np

from tertium import _native
from tertium._native import Texts
from tertium.errors import InputError, MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Metric, Rows
from tertium.metrics.contract.table import AnyMetric, as_metric
from tertium.plurals import counted
from tertium.text.references import References
from tertium.text.tokenizers import Lowercase, Tokenizer


@runtime_checkable
class ArrowArray(Protocol):
    """One piece of memory."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...


@runtime_checkable
class ArrowStream(Protocol):
    """Several, one after the other."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


Column: TypeAlias = ArrowArray | ArrowStream


def statistics(metric: AnyMetric, hypotheses: Column, references: Column) -> Any:
    """The row of every segment, as a pyarrow array of the type ``fixed_size_list<double>[K]``.

    Sums of rows are rows of larger texts: ``tertium.parse_metric(…).score`` makes scores of them.
    A metric that must see all references first is to be bound by `fit`.
    """
    return Pairs.of(hypotheses, references).statistics(metric)


def scores(metric: AnyMetric, hypotheses: Column, references: Column) -> Any:
    """The score of every segment, as single ones are scored: a pyarrow array of doubles.

    A score that does not exist is null, like that of a row without texts.
    """
    return Pairs.of(hypotheses, references).scores(metric)


class Pairs(NamedTuple):
    """Hypotheses and references of a table, read once for many metrics."""

    hypotheses: Texts
    references: References
    nulls: np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]
    """Rows without a hypothesis or without any reference."""

    @classmethod
    def of(cls, hypotheses: Column, references: Column) -> "Pairs":
        """The pairs of two columns of the same length."""
        ours = _texts(hypotheses, "hypotheses", lists=False)
        theirs = _texts(references, "references", lists=True)
        if len(ours.nulls) != len(theirs.nulls):
            raise InputError(
                f"hypotheses: {counted(len(ours.nulls), 'row')}, expected {len(theirs.nulls)} "
                "(references)"
            )
        return cls(ours.columns[0], theirs.references(), ours.nulls | theirs.nulls)

    def rows(self, metric: AnyMetric) -> Rows:
        """Statistics of every row; those of a row without texts mean nothing."""
        return ready(metric).statistics(self.hypotheses, self.references)

    def statistics(self, metric: AnyMetric) -> Any:
        """`tertium.arrow.statistics` of the pairs."""
        arrow = _pyarrow()
        chosen = ready(metric)
        values = arrow.array(self.rows(chosen).reshape(-1))
        mask = arrow.array(self.nulls) if self.nulls.any() else None
        return arrow.FixedSizeListArray.from_arrays(values, len(chosen.columns), mask=mask)

    def scores(self, metric: AnyMetric) -> Any:
        """`tertium.arrow.scores` of the pairs."""
        arrow = _pyarrow()
        chosen = ready(metric)
        values = chosen.for_segments().score(self.rows(chosen))
        return arrow.array(values, mask=self.nulls | np.isnan(values))


def fit(metric: AnyMetric, references: Column) -> Metric:
    """The metric bound to all references of a corpus, such as NIST; others stay as they are."""
    chosen = as_metric(metric)
    return chosen.fit(_texts(references, "references", lists=True).references())


def tokenize(
    texts: Column, tokenizer: Tokenizer | str = "13a", *, lowercase: Lowercase = False
) -> Any:
    """The tokens of every text, as a pyarrow array of lists of strings.

    >>> import pyarrow
    >>> tokenize(pyarrow.array(["Hello, world.", None])).to_pylist()
    [['Hello', ',', 'world', '.'], None]
    """
    arrow = _pyarrow()
    chosen = Tokenizer.parse(tokenizer) if isinstance(tokenizer, str) else tokenizer
    columns = _texts(texts, "texts", lists=False)
    prepared = chosen.native_texts(columns.columns[0], lowercase=lowercase)
    data, ends, lists = _native.arrow_tokens(chosen.native_name, prepared)
    tokens = arrow.LargeStringArray.from_buffers(
        len(ends) // 8 - 1, arrow.py_buffer(ends), arrow.py_buffer(data)
    )
    offsets = arrow.array(np.frombuffer(lists, np.int64))
    mask = arrow.array(columns.nulls) if columns.nulls.any() else None
    return arrow.LargeListArray.from_arrays(offsets, tokens, mask=mask)


class _Columns(NamedTuple):
    columns: list[Texts]
    nulls: np.ndarray[tuple[Any, ...], np.dtype[np.bool_]]

    def references(self) -> References:
        return References(self.columns, reused=False)


def _texts(column: Column, location: str, *, lists: bool) -> _Columns:
    """The native columns of a column, which is read where it lies."""
    try:
        if isinstance(column, ArrowArray):
            schema, array = column.__arrow_c_array__()
            texts, valid = _native.arrow_array(schema, array, lists=lists)
        elif isinstance(column, ArrowStream):
            texts, valid = _native.arrow_stream(column.__arrow_c_stream__(), lists=lists)
        else:
            raise InputError(
                f"{location}: found {type(column).__name__}, expected a column that speaks Arrow "
                "(__arrow_c_array__ or __arrow_c_stream__)"
            )
    except ValueError as error:
        raise InputError(f"{location}: {error}") from None
    return _Columns(columns=texts, nulls=np.frombuffer(valid, np.uint8) == 0)


def ready(metric: AnyMetric) -> Metric:
    """The metric; one that has yet to see the references is an error."""
    chosen = as_metric(metric)
    if chosen.waits_for_fit:
        raise OptionError(
            f"{chosen.spec}: found a metric that has not seen the references, expected "
            "tertium.arrow.fit(metric, references) of the whole corpus first"
        )
    return chosen


def _pyarrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError:
        raise MissingExtraError(
            "tertium.arrow: the package pyarrow is missing, "
            f"expected for its results: {install_hint('parquet')}"
        ) from None
