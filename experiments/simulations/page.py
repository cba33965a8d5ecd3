"""Sizes of all tests and coverage of all intervals, as tables."""

from experiments.data import Data
from experiments.running import main
from experiments.sections import Section
from experiments.simulations import metrics, pairs, runs
from experiments.simulations.shares import (
    INTERVAL_SIMULATIONS,
    RESAMPLES,
    SIMULATIONS,
    TRIALS,
    side_by_side,
)


def simulations(data: Data) -> Section:  # noqa: ARG001 - simulations need no data
    """Every simulation in turn."""
    settings = {"independent segments": False, "dependence in documents": True}
    sizes = {
        title: {
            **pairs.sizes(dependent=dependent),
            **pairs.verdict_sizes("segments", dependent=dependent),
            **pairs.verdict_sizes("documents", dependent=dependent),
        }
        for title, dependent in settings.items()
    }
    covered = {
        f"{documents} documents, {title}": pairs.coverage(dependent=dependent, documents=documents)
        for title, dependent in settings.items()
        for documents in (20, 40, 80)
    }
    return Section(
        title="Sizes and coverage",
        blocks=[
            (
                f"{SIMULATIONS} simulations of tests with {TRIALS} trials each, "
                f"{INTERVAL_SIMULATIONS} of intervals with {RESAMPLES} resamples."
            ),
            side_by_side(
                "test",
                sizes,
                "Should be 5.0 %; of the sign test, which is exact and can give only some shares, "
                f"{100 * pairs.attainable('sign test, segments'):.1f} % by segments and "
                f"{100 * pairs.attainable('sign test, documents'):.1f} % by documents.",
            ),
            side_by_side("interval", covered, "Should be 95 %."),
            side_by_side(
                "test",
                {title: runs.sizes(title) for title in runs.SETTINGS},
                "Should be 5.0 %.",
            ),
            side_by_side("test", {"found": metrics.sizes()}, "Should be 5.0 %."),
            side_by_side(
                "test",
                {f"{count} systems": metrics.exchanged_sizes(count) for count in (8, 12, 20, 40)},
                "Should be 5.0 %.",
            ),
            side_by_side("interval", {"found": metrics.worth_coverage()}, "Should be 95 %."),
        ],
    )


if __name__ == "__main__":
    main(simulations)
