"""What tuning on each genre and on all found, as text for people."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tertium.metrics.contract.base import Metric
from tertium.report.decoding.plain_table import plain_table
from tertium.results import headings
from tertium.tune.labelled import ALL, CrossLabelScore, LabelledTuning
from tertium.tune.outcomes import Outcome


def labelled_view(report: LabelledTuning, *, decimals: int = 2) -> Group:
    """For each metric tuned for, every system on the segments of every label."""
    whole = report.reports[ALL]
    shown = whole.metrics
    parts: list[RenderableType] = []
    for one in whole.tuned:
        cells = [cell for cell in report.cells if cell.metric == one.metric.spec]
        for title, held_out in (("dev set", False), ("held out", True)):
            if held_out and whole.held_out_before is None:
                continue
            heading = f"max-{one.metric.title}, {title}"
            parts += [Text(heading, style="bold"), _grid(cells, shown, decimals, held_out=held_out)]
            parts.append(Text(""))
    sizes = ", ".join(f"{label} {found.before.segments}" for label, found in report.reports.items())
    remarks = [f"segments by {report.by}: {sizes}; {whole.options}"]
    if whole.held_out_before is None:
        remarks.append("scores on segments that were tuned on flatter: hold some out")
    remarks.append("the weights of each are in -f json")
    remarks += (
        f"{metric.title}  {signature}"
        for metric, signature in zip(shown, whole.signatures, strict=True)
    )
    parts += [Text(line, style="dim") for line in remarks]
    return Group(*parts)


def _grid(
    cells: list[CrossLabelScore], metrics: tuple[Metric, ...], decimals: int, *, held_out: bool
) -> Table:
    table = plain_table()
    for name in ("scored on", "tuned on"):
        table.add_column(Text(name), overflow="fold")
    for name in (*headings(metrics), "length ratio", "words deleted %"):
        table.add_column(Text(name), justify="right", no_wrap=True)
    scored_on = list(dict.fromkeys(cell.scored_on for cell in cells))
    for place, label in enumerate(scored_on):
        own = [cell for cell in cells if cell.scored_on == label]
        for number, cell in enumerate(own):
            found = cell.held_out if held_out else cell.dev
            last = number == len(own) - 1 and place < len(scored_on) - 1
            table.add_row(
                Text(label if number == 0 else ""),
                Text(cell.tuned_on),
                *_numbers(found, len(metrics), decimals),
                end_section=last,
            )
    return table


def _numbers(found: Outcome | None, metrics: int, decimals: int) -> list[str]:
    if found is None:  # no segment of this label was held out
        return ["–"] * (metrics + 2)
    return [
        *(f"{score:.{decimals}f}" for score in found.scores),
        f"{found.length_ratio:.3f}",
        f"{100 * found.words_deleted:.1f}",
    ]
