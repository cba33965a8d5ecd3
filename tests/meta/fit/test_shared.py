"""AMBER fitted to the judgments of WMT."""

from pathlib import Path

import numpy as np
import pytest

from tertium._native import Texts
from tertium.meta.fit.cases import FitCase
from tertium.meta.fit.fits import fit
from tertium.meta.ratings.judgments import Judgments
from tertium.text.corpus import Corpus, System
from tertium.text.references import References


@pytest.mark.shared
def test_amber_on_wmt(shared_data: Path) -> None:
    """Fitted on two pairs of WMT12 and tried on the third, and on WMT17; a short search."""
    first = [wmt12(shared_data / "wmt12", pair) for pair in ("cs-en", "de-en", "es-en")]
    later = [wmt17(shared_data / "wmt17", pair) for pair in ("de-en", "ru-en", "tr-en")]
    found = fit("amber", first, tests=later, evaluations=120)
    assert found.systems == 34
    assert [one.systems for one in found.tests] == [11, 9, 10]
    assert found.in_sample > found.in_sample_default + 0.02
    assert found.held_out > found.held_out_default
    assert np.mean([one.gain for one in found.tests]) > 0
    assert found.warnings[0].startswith("34 systems for 15 parameters")


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def systems_in(folder: Path, pair: str) -> tuple[System, ...]:
    """Names as the ratings have them: newstest2012.es-en.NAME, newstest2017.NAME.es-en."""
    return tuple(
        System(
            name=path.name.split(".", 1)[1].removeprefix(f"{pair}.").removesuffix(f".{pair}"),
            hypotheses=Texts(lines(path)),
        )
        for path in sorted((folder / "system-outputs" / pair).iterdir())
    )


def wmt12(folder: Path, pair: str) -> FitCase:
    """Ratings are the share of comparisons won among those not tied."""
    language = {"cs-en": "Czech", "de-en": "German", "es-en": "Spanish"}[pair]
    systems = systems_in(folder, pair)
    names = [one.name for one in systems]
    won, lost = np.zeros(len(names)), np.zeros(len(names))
    for line in lines(folder / "RNK_results.csv")[1:]:
        cells = line.split(",")
        if cells[:2] != [language, "English"]:
            continue
        ranks = [(cells[7 + 2 * n], int(cells[16 + n])) for n in range(5)]
        known = [(names.index(name), rank) for name, rank in ranks if name in names and rank > 0]
        for a, rank in known:
            won[a] += sum(rank < other for _, other in known)
            lost[a] += sum(rank > other for _, other in known)
    return FitCase(
        judgments=Judgments(
            name=pair, criterion="rank", systems=tuple(names), values=won / (won + lost)
        ),
        corpus=Corpus(references=References.of(lines(folder / "newstest2012-ref.en")), name="ref"),
        systems=systems,
    )


def wmt17(folder: Path, pair: str) -> FitCase:
    rows = [line.split() for line in lines(folder / "DA-syslevel.csv")[1:]]
    ratings = {system: float(rating) for name, rating, system in rows if name == pair}
    reference = folder / f"newstest2017-{pair.replace('-', '')}-ref.en"
    return FitCase(
        judgments=Judgments(
            name=f"{pair} 2017",
            criterion="DA",
            systems=tuple(ratings),
            values=np.array(list(ratings.values())),
        ),
        corpus=Corpus(references=References.of(lines(reference)), name="ref"),
        systems=systems_in(folder, pair),
    )
