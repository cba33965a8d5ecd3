"""What an experiment tells: text, tables beside the paper's, figures and claims put to the test."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MISSING = "–"
PAPERS_CLAIM: Final = "The paper's claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table of texts; ``note`` says what the columns are."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""

    def to_markdown(self) -> str:
        """The first column is text, the others are numbers."""
        aligned = [":--", *("--:" for _ in self.columns[1:])]
        lines = [self.columns, aligned, *self.rows]
        text = "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)
        return f"{text}\n\n{self.note}" if self.note else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure and what it shows, for those who do not see it."""

    name: str
    figure: "Figure"
    text: str

    def to_markdown(self) -> str:
        """A link to the file that the driver writes."""
        return f"![{self.text}](figures/{self.name}.svg)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What the paper says, and where the numbers of this run bear it out.

    ``original`` are the outcomes on data that the paper used, ``outcomes`` those on other data.
    """

    text: str
    outcomes: Mapping[str, bool] = field(default_factory=dict)
    original: Mapping[str, bool] = field(default_factory=dict)
    whose: str = PAPERS_CLAIM

    def to_markdown(self) -> str:
        """The claim, and a verdict on each kind of data, which follows from the outcomes."""
        if self.whose != PAPERS_CLAIM:
            return f"**{self.whose}:** {self.text} **{self.verdict}**"
        parts = {"original": self.original, "other": self.outcomes}
        found = [f"*{kind} data:* **{verdict_of(one)}**" for kind, one in parts.items() if one]
        verdicts = " ".join(found) or f"**{self.verdict}**"
        return f"**{self.whose}:** {self.text} {verdicts}"

    @property
    def verdict(self) -> str:
        """The verdict on other data than the paper's."""
        return verdict_of(self.outcomes)


def verdict_of(outcomes: Mapping[str, bool]) -> str:
    """In how many places a claim holds, and in which.

    >>> verdict_of({"de-en": True, "ru-en": False})
    'Holds in 1 of 2: de-en; not in ru-en.'
    """
    true = [place for place, outcome in outcomes.items() if outcome]
    false = [place for place, outcome in outcomes.items() if not outcome]
    if not outcomes:
        return "Could not be tested here."
    if not true:
        alone = len(false) == 1
        return "Does not hold here." if alone else f"Holds in none of {_list(false)}."
    if not false:
        return "Holds here." if len(true) == 1 else f"Holds in all {len(true)}: {_list(true)}."
    count = f"{len(true)} of {len(outcomes)}"
    return f"Holds in {count}: {_list(true)}; not in {_list(false)}."


Block: TypeAlias = str | Table | Picture | Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One table or figure of a paper."""

    title: str
    blocks: Sequence[Block]

    def to_markdown(self) -> str:
        """The section with its heading."""
        parts = [one if isinstance(one, str) else one.to_markdown() for one in self.blocks]
        return "\n\n".join([f"## {self.title}", *parts])

    @property
    def pictures(self) -> list[Picture]:
        """The figures of the section."""
        return [one for one in self.blocks if isinstance(one, Picture)]


def number(value: float | None, decimals: int = 1) -> str:
    """A number for a table, with a proper minus sign.

    >>> number(-1.25), number(None), number(float("nan"))
    ('−1.2', '–', '–')
    """
    if value is None or value != value:  # noqa: PLR0124 - NaN
        return MISSING
    return f"{value:.{decimals}f}".replace("-", "−")


def change(value: float, decimals: int = 1) -> str:
    """A difference, always with its sign.

    >>> change(0.25, 2), change(-3)
    ('+0.25', '−3.0')
    """
    text = f"{value:+.{decimals}f}"
    return text.replace("-", "−")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
