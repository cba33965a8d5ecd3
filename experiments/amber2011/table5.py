"""Chen and Kuhn (2011), Table 5: AMBER with n-grams weighted by tf-idf."""

from typing import Final

from experiments.amber2011.variants import AS_BEFORE, Paper, agreements, better, table
from experiments.data import Data
from experiments.running import main
from experiments.sections import Section

SOURCE: Final = "amber[tfidf=none+tf-idf]"
VARIANTS: Final = {
    "none": "amber",
    "tf-idf only": "amber[tfidf=tf-idf]",
    "none+tf-idf": "amber[tfidf=none+tf-idf]",
}
PAPER: Final = {
    "none": Paper(systems=("0.84", "0.86", "N/A"), segments=("0.62", "0.60", "N/A")),
    "tf-idf only": Paper(systems=("0.81", "0.88", "+0.02"), segments=("0.62", "0.61", "+0.01")),
    "none+tf-idf": Paper(systems=("0.82", "0.87", "+0.01"), segments=("0.62", "0.61", "+0.01")),
}


def run(data: Data) -> Section:
    """Without, with, and both."""
    found = agreements(data, SOURCE, VARIANTS)
    return Section(
        title="Chen and Kuhn (2011), Table 5: tf-idf",
        blocks=[
            f"{AS_BEFORE} The frequencies are those of the references.",
            table(found, PAPER, "tf-idf"),
            better(
                "tf-idf benefits agreement slightly.",
                found,
                {key: (key, "none") for key in ("tf-idf only", "none+tf-idf")},
            ),
        ],
    )


if __name__ == "__main__":
    main(run)
