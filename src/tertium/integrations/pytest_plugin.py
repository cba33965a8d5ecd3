"""Tests that fail if a translation system scores lower than another: a plug-in of pytest.

A project switches it on by ``pytest_plugins = ["tertium.integrations.pytest_plugin"]`` in its
``conftest.py``; every run of pytest would load it otherwise. The fixtures `assert_not_lower` and
`assert_higher` are the functions of the same names here; the message of a failure is the decision,
its evidence, and the segments with the largest contributions.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from tertium.decide.decision import Decision, Required
    from tertium.metrics.contract.table import AnyMetrics
    from tertium.text.references import AnyReferences, Hypotheses

BASELINE: Final = "baseline"
NEW: Final = "new"


def assert_not_lower(
    new: "Hypotheses",
    baseline: "Hypotheses",
    references: "AnyReferences",
    metrics: "AnyMetrics | None" = None,
    *,
    margin: float | Sequence[float] = (),
    alpha: float = 0.05,
) -> "Decision":
    """Fail unless the new system scores no lower than the baseline, by any of the metrics.

    Without a ``margin`` a significant drop fails. With one the test passes only if a drop by that
    many points or more can be ruled out, which takes a test set that is large enough. The metrics
    are BLEU and chrF by default.

    >>> references = ["the cat sat on the mat", "a dog ran home"] * 20
    >>> decision = assert_not_lower(references, references, references, "chrf")
    >>> decision.requirement.holds
    True
    """
    __tracebackhide__ = True
    return _assert("not-lower", new, baseline, references, metrics, margin=margin, alpha=alpha)


def assert_higher(
    new: "Hypotheses",
    baseline: "Hypotheses",
    references: "AnyReferences",
    metrics: "AnyMetrics | None" = None,
    *,
    margin: float | Sequence[float] = (),
    alpha: float = 0.05,
) -> "Decision":
    """Fail unless the new system scores significantly higher than the baseline, by all metrics.

    With a ``margin`` the lower end of the interval must lie above it.
    """
    __tracebackhide__ = True
    return _assert("higher", new, baseline, references, metrics, margin=margin, alpha=alpha)


@pytest.fixture(name="assert_not_lower")
def _not_lower() -> Callable[..., "Decision"]:
    """`assert_not_lower(new, baseline, references)`: fails if the new system scores lower."""
    return assert_not_lower


@pytest.fixture(name="assert_higher")
def _higher() -> Callable[..., "Decision"]:
    """`assert_higher(new, baseline, references)`: fails unless the new system scores higher."""
    return assert_higher


def _assert(
    required: "Required",
    new: "Hypotheses",
    baseline: "Hypotheses",
    references: "AnyReferences",
    metrics: "AnyMetrics | None",
    *,
    margin: float | Sequence[float],
    alpha: float,
) -> "Decision":
    __tracebackhide__ = True
    from tertium.decide.decide import decide
    from tertium.text.references import References

    shared = References.of(references)
    decision = decide(
        {BASELINE: baseline, NEW: new},
        shared,
        metrics,
        alpha=alpha,
        require=required,
        margins=(margin,) if isinstance(margin, int | float) else tuple(margin),
    )
    if decision.requirement is None or not decision.requirement.holds:
        texts = {BASELINE: baseline, NEW: new}
        raise AssertionError("\n".join(_message(decision, shared, texts)))
    return decision


def _message(decision: "Decision", references: Any, texts: "dict[str, Any]") -> Iterator[str]:
    """The decision as people read it, then the segments that weigh most, side by side."""
    from tertium.report.console import view_text
    from tertium.report.decision import decision_view

    yield view_text(decision_view(decision)).rstrip()
    for pair in decision.verdicts[0].segments:
        yield f"\nsegment {pair.number}"
        for reference in references.of_segment(pair.number - 1):
            yield f"  reference  {reference}"
        for name, segments in texts.items():
            yield f"  {name:9}  {list(segments)[pair.number - 1]}"
