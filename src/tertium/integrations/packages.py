"""What integrations share: a package that may be missing, a metric that can score batches."""

from importlib import import_module
from typing import Any

from tertium.errors import MissingExtraError, OptionError
from tertium.installation import install_hint
from tertium.metrics.contract.base import Metric
from tertium.metrics.contract.table import AnyMetric, as_metric


def package(name: str, module: str, extra: str) -> Any:
    """A package of others that an integration is made for.

    >>> package("numpy", "example", "example").__name__
    'numpy'
    >>> package("no_such_package", "example", "example")
    Traceback (most recent call last):
    tertium.errors.MissingExtraError: tertium.integrations.example: the package no_such_package ...
    """
    top = name.partition(".")[0]
    try:
        import_module(top)
    except ModuleNotFoundError as error:
        if error.name != top:  # something that the package itself needs
            raise
        raise MissingExtraError(
            f"tertium.integrations.{module}: the package {top} is missing, "
            f"expected for this module: {install_hint(extra)}"
        ) from None
    return import_module(name)


def ready(metric: AnyMetric) -> Metric:
    """The metric, if a batch can be scored before all references are known.

    >>> ready("chrf").spec
    'chrf'
    >>> ready("nist")
    Traceback (most recent call last):
    tertium.errors.OptionError: nist: found a metric that has not seen the references, expected ...
    """
    chosen = as_metric(metric)
    if chosen.waits_for_fit:
        raise OptionError(
            f"{chosen.spec}: found a metric that has not seen the references, expected "
            f"tertium.parse_metric('{chosen.spec}').fit(references) with all of them"
        )
    return chosen
