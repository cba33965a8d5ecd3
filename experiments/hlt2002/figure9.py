"""Papineni et al. (HLT 2002), Figure 9: prediction error of BLEU against n-gram length."""

from experiments.data import Data
from experiments.hlt2002.prediction import section
from experiments.running import main
from experiments.sections import Section


def run(data: Data) -> Section:
    """The paper's Spanish systems stand here for Turkish ones."""
    return section(data, figure=9, names=("wmt17 tr-en",), paper="the Spanish systems of DARPA-94")


if __name__ == "__main__":
    main(run)
