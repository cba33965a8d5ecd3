"""Prediction error of BLEU by the length of its n-grams, for Figures 8 and 9 of HLT 2002."""

from typing import Final

from experiments.data import Data
from experiments.sections import Claim, Picture, Section, Table, number
from tertium.meta.agreement.prediction_error import prediction_errors

ORDERS: Final = tuple(range(1, 17))
CRITERIA: Final = ("adequacy", "fluency", "da")


def section(data: Data, *, figure: int, names: tuple[str, ...], paper: str) -> Section:
    """The curves of some test sets."""
    from tertium.report.plots import prediction_error

    blocks: list[str | Table | Picture | Claim] = [
        (
            "100 (1 − R²) between human judgments and BLEU with n-grams up to n, n = 1 to 16. The "
            f"paper shows {paper}, as a plot without numbers. Data as in Table 1 above."
        )
    ]
    best: dict[tuple[str, str], int] = {}
    rising, falling = {}, {}
    for name in names:
        loaded = data.test_set(name)
        judgments = [data.judgments(name, one) for one in CRITERIA]
        found = prediction_errors("bleu", loaded.corpus, loaded.systems, judgments, orders=ORDERS)
        errors = dict(zip(("adequacy", "fluency", "DA"), found.errors.tolist(), strict=True))
        best |= {(name, one): found.best_order(row) for row, one in enumerate(errors)}
        rising[name] = best[name, "adequacy"] == 1
        falling[name] = best[name, "fluency"] > best[name, "adequacy"]
        rows = [[one, *(number(value) for value in values)] for one, values in errors.items()]
        blocks += [
            Table(columns=[name, *map(str, ORDERS)], rows=rows),
            Picture(
                name=f"hlt_figure{figure}_{name.replace(' ', '_')}",
                figure=prediction_error(ORDERS, errors, title=f"{name}: prediction error of BLEU"),
                text=f"Prediction error of BLEU against n for adequacy, fluency and DA, {name}",
            ),
        ]
    blocks += [
        "The n with the smallest error: "
        + "; ".join(f"{name} {one} {order}" for (name, one), order in best.items())
        + ".",
        Claim(text="n = 1 is the best predictor of adequacy.", outcomes=rising),
        Claim(
            text="fluency is predicted best with longer n-grams than adequacy.", outcomes=falling
        ),
    ]
    title = f"Papineni et al. (HLT 2002), Figure {figure}: prediction error against n"
    return Section(title=title, blocks=blocks)
