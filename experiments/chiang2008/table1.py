"""Chiang et al. (2008), Table 1: correlation of metrics with human judgments."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from experiments.data import CRITERIA, WMT08_CONSTITUENTS, WMT17, Data
from experiments.running import main
from experiments.sections import Claim, Picture, Section, Table, number
from tertium.meta.agreement.agreement_table import williams

METRICS: Final = {
    "ParaEval recall": "paraeval",
    "METEOR": "meteor-0.6",
    "BLEU": "bleu[reference_length=shortest]",
    "WER": "wer",
    "BLEU-SBP": "bleu-sbp",
    "4-GRR": "grr",
}
PAPER: Final = {
    "Sem. role overlap": ("77.4", "83.9", "80.3", "74.1", "78.9"),
    "ParaEval recall": ("71.2", "74.2", "76.8", "79.8", "75.5"),
    "METEOR": ("70.1", "71.9", "74.5", "66.9", "70.9"),
    "BLEU": ("68.9", "72.1", "67.2", "60.2", "67.1"),
    "WER": ("51.0", "54.2", "34.5", "52.4", "48.0"),
    "BLEU-SBP": ("73.9", "76.7", "73.5", "63.4", "71.9"),
    "4-GRR": ("72.3", "75.5", "74.3", "64.2", "71.6"),
}
SETS: Final = [(name, criterion) for criterion, names in CRITERIA.items() for name in names]
INTRODUCTION: Final = (
    "Spearman's ρ (×100) between the metrics' and the people's ranking of systems, averaged over "
    "language pairs, case-sensitive as in the paper. The paper's data are the submissions to "
    "WMT07 (Europarl and news); here ranks are those of WMT12 (cs-en, de-en, es-en; wins ratio), "
    "adequacy and fluency the means of grades that Sudoh et al. (2021) gave to the segments of "
    "WMT17 (de-en, ru-en, tr-en) which had been assessed directly, DA the official direct "
    "assessments of these systems, MQM that of WMT23 (he-en, zh-en). Judgments of constituents are "
    "those of WMT08, in the second table. Semantic-role overlap needs a parser that is not here. "
    "WMT17's texts at hand are lower-cased. METEOR is version 0.6 with its parameters of 2007."
)


def run(data: Data) -> Section:
    """Averages in the paper's shape, then every test set in a heat map."""
    values = {
        title: {
            (name, criterion): 100 * data.agreement(name, criterion, spec)
            for name, criterion in SETS
        }
        for title, spec in METRICS.items()
    }
    means = {
        title: {
            criterion: float(np.mean([found[name, criterion] for name in names]))
            for criterion, names in CRITERIA.items()
        }
        for title, found in values.items()
    }
    earlier = wmt08(data, METRICS)
    return Section(
        title="Chiang et al. (2008), Table 1: correlation with people",
        blocks=[
            INTRODUCTION,
            _table(means),
            *_wmt08_blocks(earlier),
            _picture(values),
            *_scatters(data),
            _significance(data),
            *_as_it_is(data, means),
            *(
                Claim(
                    text=f"{title} correlates better with people than BLEU.",
                    outcomes={
                        TITLES[one]: means[title][one] > means["BLEU"][one] for one in CRITERIA
                    }
                    | {
                        f"WMT08 {name}": earlier[title][name] > earlier["BLEU"][name]
                        for name in WMT08_TITLES.values()
                    },
                )
                for title in ("BLEU-SBP", "4-GRR")
            ),
        ],
    )


TITLES: Final = {
    "adequacy": "Adq",
    "fluency": "Flu",
    "rank": "Rank",
    "da": "DA",
    "mqm": "MQM",
}


WMT08_TITLES: Final = {
    "rank": "Rank",
    "constituent": "Con",
    "constituent-accept": "Yes/No",
}
"""What people were asked of WMT08: the order of sentences, that of constituents, and whether the
translation of a constituent is acceptable."""


def wmt08(data: Data, metrics: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Spearman's ρ ×100 on WMT08, averaged over the language pairs with constituents."""
    return {
        title: {
            name: 100
            * float(np.mean([data.agreement(one, kind, spec) for one in WMT08_CONSTITUENTS]))
            for kind, name in WMT08_TITLES.items()
        }
        for title, spec in metrics.items()
    }


def _wmt08_blocks(found: dict[str, dict[str, float]]) -> list[str | Table]:
    rows = []
    for title, (_, _, rank, constituent, _) in PAPER.items():
        ours = [number(found.get(title, {}).get(name)) for name in WMT08_TITLES.values()]
        rows.append([title, ours[0], rank, ours[1], constituent, ours[2]])
    return [
        (
            "WMT08 asked as WMT07 did: systems are ranked by how often their sentences (Rank) and "
            "their translations of constituents (Con) were at least as good as others'; besides "
            "the share of acceptable constituents (Yes/No). News into English from German, Spanish "
            "and French, whose constituents were judged; 11, 12 and 13 systems, without the "
            "combinations, whose outputs are not here."
        ),
        Table(columns=["WMT08", "Rank", "paper", "Con", "paper", "Yes/No"], rows=rows),
    ]


def _table(means: dict[str, dict[str, float]]) -> Table:
    rows = []
    for title, (adequacy, fluency, rank, constituent, average) in PAPER.items():
        ours = means.get(title, {})
        here = {one: number(ours.get(one)) for one in CRITERIA}
        mean = number(float(np.mean(list(ours.values()))) if ours else None)
        rows.append(
            [
                title,
                here["adequacy"],
                adequacy,
                here["fluency"],
                fluency,
                here["rank"],
                rank,
                constituent,
                here["da"],
                here["mqm"],
                mean,
                average,
            ]
        )
    columns = ["metric", "Adq", "paper", "Flu", "paper", "Rank", "paper", "Con (paper)"]
    return Table(columns=[*columns, "DA", "MQM", "Avg", "paper"], rows=rows)


def _picture(values: dict[str, dict[tuple[str, str], float]]) -> Picture:
    from tertium.report.plots import heat_map

    figure = heat_map(
        list(values),
        [f"{name.partition(' ')[2]} {TITLES[criterion]}" for name, criterion in SETS],
        [[found[one] / 100 for one in SETS] for found in values.values()],
        title="Spearman's ρ by metric, language pair and criterion",
    )
    text = "Heat map of Spearman's ρ for every metric, language pair and criterion"
    return Picture(name="chiang_table1", figure=figure, text=text)


def _scatters(data: Data) -> list[Picture]:
    from tertium.report.plots import rated_points, styles_of

    name = "wmt12 de-en"
    judgments = data.judgments(name, "rank")
    styles = styles_of(judgments.systems)
    pictures = []
    for title in ("BLEU", "4-GRR"):
        scores = data.scores(name, METRICS[title])
        by_name = dict(zip(scores.systems, scores.values.tolist(), strict=True))
        figure = rated_points(
            judgments.systems,
            judgments.values,
            [by_name.get(system, np.nan) for system in judgments.systems],
            metric=title,
            criterion="share of comparisons won (%)",
            title=f"{name}: {title} against people's rank",
            styles=styles,
        ).figure()
        slug = title.lower().replace("-", "")
        text = f"Scatter of {title} against the share of comparisons won, {name}"
        pictures.append(Picture(name=f"chiang_table1_{slug}", figure=figure, text=text))
    return pictures


def _as_it_is(data: Data, means: dict[str, dict[str, float]]) -> list[str | Table]:
    """How much hangs on a small step of preparation."""
    columns = ("adequacy", "fluency", "da")
    rows = []
    for title in ("BLEU", "BLEU-SBP", "4-GRR"):
        other = [
            np.mean([data.agreement(f"{name}, as it is", one, METRICS[title]) for name in WMT17])
            for one in columns
        ]
        pairs = zip(columns, other, strict=True)
        cells = [(number(means[title][one]), number(100 * float(raw))) for one, raw in pairs]
        rows.append([title, *(cell for pair in cells for cell in pair)])
    headings = (text for one in columns for text in (TITLES[one], f"{TITLES[one]}, as it is"))
    return [
        (
            "How much hangs on preparation: WMT17's texts have characters escaped (`&apos;`), "
            "which is undone here. The same averages with the texts taken as they are, beside "
            "those above:"
        ),
        Table(columns=["metric", *headings], rows=rows),
    ]


def _significance(data: Data) -> str:
    better = {"BLEU-SBP": 0, "4-GRR": 0}
    worse = dict(better)
    for name, criterion in SETS:
        scores = [data.scores(name, METRICS[title]) for title in ("BLEU", *better)]
        tests = williams(data.judgments(name, criterion), scores)
        for place, title in enumerate(better, 1):
            better[title] += bool(tests.p_values[place, 0] < 0.05)
            worse[title] += bool(tests.p_values[0, place] < 0.05)
    counts = "; ".join(
        f"{title}: significantly better than BLEU on {better[title]}, worse on {worse[title]}"
        for title in better
    )
    return (
        "With so few systems a difference may be chance. By Williams' test (Pearson's r, "
        f"p < 0.05) on {len(SETS)} sets of ratings: {counts}."
    )


if __name__ == "__main__":
    main(run)
