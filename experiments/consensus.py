"""Could output that was chosen by minimum Bayes risk be known by how typical of a pool it is?

``python -m experiments.consensus ../shared/data`` prints the table of docs/audits.md.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from experiments.data import WMT12, WMT17, WMT23, Data
from experiments.running import main
from experiments.sections import Section, Table, number
from tertium._native import Texts
from tertium.audit.copied_references import all_alike
from tertium.decode import NBest, mbr
from tertium.metrics.contract.base import Scores

UTILITIES: Final = ("bleu", "chrf", "ter", "ribes")
PLANTED: Final = ("wmt12 de-en", "wmt17 ru-en", "wmt23 zh-en")
SEGMENTS: Final = 500
SMALL: Final = 4
FEWEST: Final = 3
"""Different texts of a segment, without which there is no rank among them."""


def consensus(data: Data) -> Section:
    """The most typical systems of WMT beside what minimum Bayes risk chooses from all of them."""
    rows = []
    for name in (*WMT12, *WMT17, *WMT23):
        systems = data.test_set(name).systems
        texts = [[text or "" for text in one.hypotheses.to_list()] for one in systems]
        places = np.linspace(0, len(texts[0]) - 1, SEGMENTS).astype(int).tolist()
        texts = [[one[place] for place in places] for one in texts]
        honest = typicality(texts)
        first, second = np.argsort(-honest)[:2].tolist()
        chosen = [_chosen(texts, size) for size in (SMALL, len(texts)) if name in PLANTED]
        cells = [f"{number(min(one), 3)} to {number(max(one), 3)}" for one in chosen] or ["", ""]
        rows.append(
            [name, systems[first].name, number(honest[first], 3), number(honest[second], 3), *cells]
        )
    return Section(
        title="Consensus of a pool",
        blocks=[
            Table(
                columns=[
                    "test set",
                    "most typical",
                    "its rank",
                    "the next",
                    f"MBR from {SMALL} systems",
                    "from all",
                ],
                rows=rows,
                note="Mean rank of an output among all different ones of its segment, from 0 to 1, "
                "by how many trigrams it has in common with the others. "
                f"MBR by {', '.join(UTILITIES)}; {SEGMENTS} segments.",
            )
        ],
    )


def _chosen(texts: Sequence[Sequence[str]], size: int) -> list[float]:
    """The rank of what each utility chooses from the first so many systems, in the pool of all."""
    lists = [
        NBest(segment=i, hypotheses=tuple(one[i] for one in texts[:size]), scores=np.zeros(size))
        for i in range(SEGMENTS)
    ]
    outputs = ([mbr(one, spec).text for one in lists] for spec in UTILITIES)
    return [float(typicality([*texts, one])[-1]) for one in outputs]


def typicality(texts: Sequence[Sequence[str]]) -> Scores:
    """The mean rank of each system's outputs among the different ones of their segments."""
    places = np.arange(len(texts[0]), dtype=np.int32)
    alike = all_alike([Texts(list(one)) for one in texts], places)
    ranks, counted = np.zeros(len(texts)), 0
    for place in places.tolist():
        own = [one[place] for one in texts]
        different = [own.index(text) for text in dict.fromkeys(own)]
        if len(different) < FEWEST:
            continue
        table = alike[np.ix_(different, different, [place])][..., 0]
        order = (table.sum(axis=1) - 1).argsort().argsort() / (len(different) - 1)
        rank = {own[k]: one for k, one in zip(different, order.tolist(), strict=True)}
        ranks += [rank[text] for text in own]
        counted += 1
    return ranks / max(1, counted)


if __name__ == "__main__":
    main(consensus)
