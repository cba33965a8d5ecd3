"""METEOR against what Meteor 1.5 printed: golden outputs, a WMT system, MultEval's table."""

import re
from pathlib import Path

import numpy as np
import pytest

from tertium.metrics.contract.table import parse_metric
from tertium.metrics.meteor.metric import Meteor
from tertium.metrics.meteor.presets import LANGUAGES
from tertium.metrics.meteor.table_cache import STEMMER, find_resources
from tertium.text.references import References
from tests.support.golden import lines, read_golden

pytestmark = pytest.mark.shared

MEASURES = {
    "METEOR.default": "meteor",
    # Made with Meteor 1.5 and the parameters of 0.6: its stemmer, and its search of all stages.
    "METEOR.like06": "meteor-0.6[stemmer=snowball,alignment=global]",
    "METEOR.exact06": "meteor-0.6[stages=exact,alignment=global]",
}


@pytest.fixture(scope="module", autouse=True)
def _whole() -> None:
    """Only with everything that the program has can its numbers be met."""
    found = find_resources(LANGUAGES["en"], folder="", paraphrases="")
    if not (found.jar and found.paraphrases and found.stemmer == "2.2.0.3"):
        pytest.skip(f"{STEMMER} 2.2.0.3 and Meteor's tables are not installed")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("system", ["GPT4-5shot", "ONLINE-B"])
@pytest.mark.parametrize(
    ("folder", "tool", "sets"),
    [("heen", "meteor-1.5", 2), ("heen-tok", "meteor-1.5", 2), ("heen-tok", "meteor-1.5-1ref", 1)],
)
def test_golden(
    shared_oracles: Path, folder: str, tool: str, sets: int, system: str, measure: str
) -> None:
    root = shared_oracles / folder
    golden = read_golden(root, f"{tool}.{system}")
    # The tokenised set was scored without -norm, lower-cased beforehand.
    end, normalize = (".lc.txt", "no") if folder == "heen-tok" else (".txt", "yes")
    columns = [lines(root / f"ref.{i}{end}") for i in range(sets)]
    references = References.of(list(zip(*columns, strict=True)))
    hypotheses = lines(root / f"hyp.{system}{end}")
    metric = parse_metric(MEASURES[measure]).with_options(normalize=normalize)
    assert isinstance(metric, Meteor)
    rows = metric.statistics(hypotheses, references)
    total = rows.sum(axis=0)

    np.testing.assert_allclose(metric.score(rows) / 100, golden.column(measure), atol=1e-12)
    np.testing.assert_allclose(
        metric.penalty(rows), golden.column(f"{measure}.penalty"), atol=1e-12
    )
    for rate, name in zip(metric.rates(rows), ("precision", "recall"), strict=True):
        np.testing.assert_allclose(rate, golden.column(f"{measure}.{name}"), atol=1e-12)
    assert metric.score(total) / 100 == pytest.approx(float(golden.corpus[measure]), abs=1e-12)
    assert total[0] == int(golden.corpus[f"{measure}.test_words"])
    assert total[1] == int(golden.corpus[f"{measure}.ref_words"])
    assert total[4] == int(golden.corpus[f"{measure}.chunks"])


def test_a_whole_wmt_system(shared_data: Path) -> None:
    """2525 segments of WMT09 with the scores that come with Meteor's own distribution."""
    hypotheses, references = (
        sgml_segments(shared_data / "meteor" / name) for name in ("test.sgm", "ref.sgm")
    )
    scored = [line.split("\t") for line in lines(shared_data / "meteor" / "meteor-seg.scr")]
    keys = [(document, number) for _, _, document, number, _ in scored]
    assert len(keys) == len(hypotheses) == 2525
    metric = Meteor()
    rows = metric.statistics([hypotheses[key] for key in keys], [references[key] for key in keys])
    expected = [float(score) for *_, score in scored]
    np.testing.assert_allclose(metric.score(rows) / 100, expected, atol=1e-12)
    system = lines(shared_data / "meteor" / "meteor-sys.scr")[0].split("\t")[-1]
    assert metric.score(rows.sum(axis=0)) / 100 == pytest.approx(float(system), abs=1e-12)


def sgml_segments(path: Path) -> dict[tuple[str, str], str]:
    """Text by document and segment number; entities undone in the order in which Meteor does."""
    found = {}
    document = ""
    entities = (("&quot;", '"'), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
    for line in lines(path):
        if name := re.search(r'docid="([^"]*)"', line):
            document = name[1]
        for number, text in re.findall(r'<seg id="?(\d+)"?>(.*?)</seg>', line):
            plain = text
            for entity, character in entities:
                plain = re.sub(entity, character, plain, flags=re.IGNORECASE)
            found[document, number] = plain
    return found


@pytest.mark.parametrize(
    ("system", "printed"), [("baseline", 29.3), ("sys1", 30.3), ("sys2", 29.3)]
)
def test_the_table_of_multeval(shared_data: Path, system: str, printed: float) -> None:
    """The mean over three optimiser runs that MultEval's README shows (made with Meteor 1.4)."""
    folder = shared_data / "multeval" / "example"
    references = lines(folder / "refs.test2010.lc.tok.en.0")
    metric = Meteor(normalize="no")
    scores = [
        metric.score(
            metric.statistics(lines(folder / f"hyps.lc.tok.en.{system}.opt{run}"), references).sum(
                axis=0
            )
        )
        for run in range(3)
    ]
    assert np.mean(scores) == pytest.approx(printed, abs=0.05)
