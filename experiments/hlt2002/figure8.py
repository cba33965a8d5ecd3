"""Papineni et al. (HLT 2002), Figure 8: prediction error of BLEU against n-gram length."""

from experiments.data import Data
from experiments.hlt2002.prediction import section
from experiments.running import main
from experiments.sections import Section


def run(data: Data) -> Section:
    """The paper's French systems stand here for German and Russian ones."""
    return section(
        data, figure=8, names=("wmt17 de-en", "wmt17 ru-en"), paper="the French systems of DARPA-94"
    )


if __name__ == "__main__":
    main(run)
