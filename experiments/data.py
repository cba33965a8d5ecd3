"""Test sets with their systems and ratings; what one experiment computed, the next one reuses."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Final, TypeVar, cast

import numpy as np

from tertium import Corpus, InputError, Metric, References, System, parse_metric
from tertium.meta.agreement.agreement_table import agree
from tertium.meta.ratings.files import read_judgments
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.meta.spans.segments import RatedCorpus
from tertium.metrics.contract.base import Rows
from tertium.text.input_files import open_inputs
from tertium.text.references import column_of

Built = TypeVar("Built")


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSet:
    """Where the files of a test set lie.

    ``frame`` is what surrounds a system's name in a file's name; ``escaped`` says that characters
    are written as ``&apos;`` and the like, which is undone.
    """

    references: tuple[str, ...]
    outputs: str
    frame: tuple[str, str] = ("", ".txt")
    not_systems: tuple[str, ...] = ()
    documents: str | None = None
    escaped: bool = False


def _wmt12(pair: str) -> TestSet:
    return TestSet(
        references=("wmt12/newstest2012-ref.en",),
        outputs=f"wmt12/system-outputs/{pair}",
        frame=(f"newstest2012.{pair}.", ""),
    )


def _from_english(pair: str) -> TestSet:
    return TestSet(
        references=(f"wmt12/from-english/newstest2012-ref.{pair[-2:]}",),
        outputs="wmt12/from-english",
        frame=(f"newstest2012.{pair}.", ""),
    )


def _wmt08(pair: str) -> TestSet:
    return TestSet(
        references=("wmt08/reference.en",),
        outputs="wmt08/system-outputs",
        frame=(f"{pair.replace('cs', 'cz')}.newstest2008.", ""),
    )


def _wmt17(pair: str, *, escaped: bool = True) -> TestSet:
    return TestSet(
        references=(f"wmt17/newstest2017-{pair.replace('-', '')}-ref.en",),
        outputs=f"wmt17/system-outputs/{pair}",
        frame=("newstest2017.", f".{pair}"),
        escaped=escaped,
    )


def _wmt23(pair: str, *references: str) -> TestSet:
    return TestSet(
        references=tuple(f"wmt23/references/{pair}.{one}.txt" for one in references),
        outputs=f"wmt23/system-outputs/{pair}",
        not_systems=("refA", "refB", "synthetic_ref"),
        documents=f"wmt23/documents/{pair}.docs",
    )


def _wmt24(pair: str) -> TestSet:
    return TestSet(
        references=(f"wmt24/references/{pair}.refA.txt",),
        outputs=f"wmt24/system-outputs/{pair}",
        documents=f"wmt24/documents/{pair}.docs",
    )


WMT08: Final = ("wmt08 cs-en", "wmt08 de-en", "wmt08 es-en", "wmt08 fr-en")
WMT08_CONSTITUENTS: Final = WMT08[1:]
"""Where people judged constituents, too."""
WMT08_TOGETHER: Final = "wmt08 all-en"
"""The outputs of all language pairs as one list, which people ranked as such: they are translations
of the same text, with one reference. Systems are called as there, ``uedin_fr``."""
WMT10: Final = ("wmt10 de-en",)
FROM_ENGLISH: Final = ("wmt12 en-cs", "wmt12 en-de", "wmt12 en-es", "wmt12 en-fr")

TEST_SETS: Final = {
    **{name: _wmt08(name.partition(" ")[2]) for name in WMT08},
    "wmt10 de-en": TestSet(
        references=("wmt10/reference.en",),
        outputs="wmt10/system-outputs",
        frame=("newssyscombtest2010.de-en.", ""),
    ),
    **{name: _from_english(name.partition(" ")[2]) for name in FROM_ENGLISH},
    **{f"wmt12 {pair}": _wmt12(pair) for pair in ("cs-en", "de-en", "es-en")},
    **{f"wmt17 {pair}": _wmt17(pair) for pair in ("de-en", "ru-en", "tr-en")},
    **{
        f"wmt17 {pair}, as it is": _wmt17(pair, escaped=False)
        for pair in ("de-en", "ru-en", "tr-en")
    },
    "wmt23 he-en": _wmt23("he-en", "refA"),
    "wmt23 he-en, 2 references": _wmt23("he-en", "refA", "refB"),
    "wmt23 he-en, refB": replace(_wmt23("he-en", "refB"), not_systems=("refB", "synthetic_ref")),
    "wmt23 he-en, systems by refB": _wmt23("he-en", "refB"),
    "wmt23 zh-en": _wmt23("zh-en", "refA"),
    **{f"wmt24 {pair}": _wmt24(pair) for pair in ("en-cs", "en-hi", "en-ru")},
}

WMT12: Final = ("wmt12 cs-en", "wmt12 de-en", "wmt12 es-en")
WMT17: Final = ("wmt17 de-en", "wmt17 ru-en", "wmt17 tr-en")
WMT23: Final = ("wmt23 he-en", "wmt23 zh-en")
WMT24: Final = ("wmt24 en-cs", "wmt24 en-hi")
CRITERIA: Final = {
    "adequacy": WMT17,
    "fluency": WMT17,
    "rank": WMT12,
    "da": WMT17,
    "mqm": WMT23,
}
"""What people were asked, and on which test sets: adequacy, fluency, rank, direct assessment,
errors by the multidimensional quality metrics."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loaded:
    """A corpus and its systems."""

    corpus: Corpus
    systems: tuple[System, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(one.name for one in self.systems)

    def system(self, name: str) -> System:
        """One system by its name."""
        return self.systems[self.names.index(name)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counted:
    """A metric bound to a corpus, and the statistics of all systems, (systems, segments, K)."""

    metric: Metric
    rows: Rows

    @property
    def sign(self) -> int:
        """+1 where more is better, −1 for error rates."""
        return 1 if self.metric.higher_is_better else -1

    @property
    def values(self) -> Rows:
        """The corpus score of every system."""
        return self.metric.score(self.rows.sum(axis=1))


class Data:
    """The folder of test sets. Everything is made once per process and kept."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "wmt12").is_dir():
            raise InputError(f"{folder}: found no folder wmt12, expected the folder of test sets")
        self.folder = folder
        self._kept: dict[Hashable, object] = {}

    def kept(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """``build()``, made on first use."""
        if key not in self._kept:
            self._kept[key] = build()
        return cast("Built", self._kept[key])

    def test_set(self, name: str) -> Loaded:
        """The corpus and all systems of a test set."""
        if name == WMT08_TOGETHER:
            return self.kept(("test set", name), self._together)
        return self.kept(("test set", name), lambda: self._load(TEST_SETS[name]))

    def _together(self) -> Loaded:
        parts = {name.partition(" ")[2][:2]: self.test_set(name) for name in WMT08}
        systems = [
            replace(one, name=f"{one.name}_{language.replace('cs', 'cz')}")
            for language, part in parts.items()
            for one in part.systems
        ]
        return Loaded(corpus=self.test_set(WMT08[0]).corpus, systems=tuple(systems))

    def _load(self, files: TestSet) -> Loaded:
        start, end = files.frame
        paths = {
            path.name.removeprefix(start).removesuffix(end): path
            for path in sorted((self.folder / files.outputs).iterdir())
            if path.name.startswith(start) and path.name.endswith(end)
        }
        systems = {name: path for name, path in paths.items() if name not in files.not_systems}
        chunk = open_inputs(
            [self.folder / one for one in files.references],
            list(systems.values()),
            documents=None if files.documents is None else self.folder / files.documents,
            format="text",
            names=list(systems),
        ).load()
        if not files.escaped:
            return Loaded(corpus=chunk.corpus, systems=chunk.systems)
        [reference] = chunk.corpus.references.columns
        unescaped = References.of(_unescaped(reference.to_list()))
        named = [
            System(
                name=one.name, hypotheses=column_of(_unescaped(one.hypotheses.to_list()), one.name)
            )
            for one in chunk.systems
        ]
        return Loaded(corpus=replace(chunk.corpus, references=unescaped), systems=tuple(named))

    def judgments(self, name: str, criterion: str) -> Judgments:
        """What people said of the systems of a test set, under one criterion."""
        return self.kept(("judgments", name, criterion), lambda: self._judge(name, criterion))

    def _judge(self, name: str, criterion: str) -> Judgments:
        campaign, _, rest = name.partition(" ")
        pair = rest.partition(",")[0]
        if criterion == "esa":
            return self._esa(pair)
        if campaign in ("wmt08", "wmt10"):
            return self._ranked(name, campaign, pair, criterion)
        folder = self.folder / campaign
        files = {
            "rank": [f"{'from-english/' if name in FROM_ENGLISH else ''}RNK_results.csv"],
            "da": ["DA-syslevel.csv"],
            "da-segments": ["DA-seglevel.csv"],
            "adequacy": ["DA-seglevel.csv", f"adequacy-fluency/adequacy.{pair}"],
            "fluency": ["DA-seglevel.csv", f"adequacy-fluency/fluency.{pair}"],
        } | {
            one: [f"human-scores/{pair}.{one}.{level}.score" for level in ("sys", "seg")]
            for one in ("mqm", "da-sqm")
        }

        [found] = read_judgments(
            [folder / file for file in files[criterion]],
            pair=pair,
            criteria=[{"da": "human", "da-segments": "human"}.get(criterion, criterion)],
            segments=len(self.test_set(name).corpus),
        )
        return found

    def _ranked(self, name: str, campaign: str, pair: str, criterion: str) -> Judgments:
        """The rankings of WMT08 and WMT10; systems stand by how often they are at least as good.

        That is how both years counted. WMT10's file has the judged texts, by which its sentences
        are found among those of the test set.
        """
        loaded = self.test_set(name)
        file = {"wmt08": "judgments.csv.gz", "wmt10": "de-en.jcml.gz"}[campaign]
        [found] = read_judgments(
            self.folder / campaign / file,
            pair=pair,
            criteria=[criterion],
            testset="news" if campaign == "wmt08" else None,
            ranks="better-or-equal",
            texts=RatedCorpus(corpus=loaded.corpus, systems=loaded.systems),
        )
        return found

    def _esa(self, pair: str) -> Judgments:
        """WMT24's mean ESA scores of systems, references left out, as the task's scripts have them.

        They lie beside the folder of test sets, made from the export that is in it.
        """
        path = self.folder.parent / "oracles/esa/wmt24-wave2.tsv"
        lines = [one.split("\t") for one in path.read_text(encoding="utf-8").splitlines()]
        target = {"en-cs": "ces", "en-hi": "hin"}[pair]
        means = {one[1]: float(one[5]) for one in lines if one[0] == target and one[1] != "refA"}
        return Judgments(
            name=pair, criterion="esa", systems=tuple(means), values=np.array([*means.values()])
        )

    def agreement(
        self, name: str, criterion: str, metric: str | MetricScores, measure: str = "spearman"
    ) -> float:
        """How far a metric agrees with people on a test set."""
        segments = measure not in ("spearman", "pearson", "kendall", "accuracy")
        scores = self.scores(name, metric, segments=segments) if isinstance(metric, str) else metric
        judgments = self.judgments(name, criterion)
        return agree(judgments, scores, measures=[measure])[measure].value

    def counted(self, name: str, spec: str) -> Counted:
        """The statistics of all systems of a test set under a metric."""
        return self.kept(("counted", name, spec), lambda: self._count(name, parse_metric(spec)))

    def _count(self, name: str, metric: Metric) -> Counted:
        loaded = self.test_set(name)
        bound = metric.bind(loaded.corpus)
        references = loaded.corpus.references
        rows = [bound.statistics(one.hypotheses, references) for one in loaded.systems]
        return Counted(metric=bound, rows=np.stack(rows))

    def scores(self, name: str, metric: str, *, segments: bool = False) -> MetricScores:
        """The scores of all systems, and of their segments if asked for."""
        if not segments and ("scores", name, metric, True) in self._kept:
            segments = True
        key = ("scores", name, metric, segments)
        return self.kept(
            key, lambda: self.variants(name, metric, {metric: metric}, segments=segments)[metric]
        )

    def variants(
        self, name: str, source: str, metrics: Mapping[str, str], *, segments: bool = False
    ) -> dict[str, MetricScores]:
        """Scores under metrics whose statistics are all among those of ``source``."""
        loaded = self.test_set(name)
        counting = parse_metric(source).bind(loaded.corpus)
        bound = {key: parse_metric(spec).bind(loaded.corpus) for key, spec in metrics.items()}
        columns = {
            key: [counting.columns.index(column) for column in metric.columns]
            for key, metric in bound.items()
        }
        values: dict[str, list[float]] = {key: [] for key in bound}
        parts: dict[str, list[Rows]] = {key: [] for key in bound}
        for system in loaded.systems:  # one at a time: AMBER's rows are long
            every = counting.statistics(system.hypotheses, loaded.corpus.references)
            for key, metric in bound.items():
                rows = every[:, columns[key]]
                values[key].append(float(metric.score(rows.sum(axis=0))))
                if segments:
                    parts[key].append(metric.for_segments().score(rows))
        return {
            key: MetricScores(
                metric=metric.spec,
                systems=loaded.names,
                values=np.array(values[key]),
                segments=np.stack(parts[key]) if segments else None,
                higher_is_better=metric.higher_is_better,
            )
            for key, metric in bound.items()
        }


def _unescaped(texts: Sequence[str | None]) -> list[str]:
    return [unescape(text or "") for text in texts]


def length_ratio(
    counted: Counted, system: int, chosen: Sequence[int] | slice = slice(None)
) -> float:
    """Words of a system over the effective reference length, from BLEU's statistics."""
    columns = counted.metric.columns
    total = counted.rows[system][chosen].sum(axis=0)
    return float(
        total[columns.index("hypothesis_length")] / total[columns.index("reference_length")]
    )
