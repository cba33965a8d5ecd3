"""The affix list of AMBER's text type 6: prefixes, roots and suffixes that split words."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from tertium import _native
from tertium.errors import InputError

SECTIONS: Final = ("prefixes", "roots", "suffixes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Affixes:
    """Word parts: English, and the Greek and Latin ones that English shares with others."""

    prefixes: tuple[str, ...]
    roots: tuple[str, ...]
    suffixes: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> "Affixes":
        """Read ``[section]`` headings with an entry a line; ``#`` begins a comment.

        >>> lines = ["[prefixes]", "un", "[roots]", "do  # as in redo", "[suffixes]", "ing"]
        >>> Affixes.parse(chr(10).join(lines)).roots
        ('do',)
        """
        sections: dict[str, list[str]] = {name: [] for name in SECTIONS}
        entries: list[str] | None = None
        for number, line in enumerate(text.splitlines(), 1):
            entry = line.partition("#")[0].strip()
            heading = entry.removeprefix("[").removesuffix("]")
            if entry == f"[{heading}]" and heading in sections:
                entries = sections[heading]
            elif entry and (entries is None or entry.startswith("[")):
                raise InputError(
                    f"affix list, line {number}: found '{entry}', "
                    "expected a heading [prefixes], [roots] or [suffixes]"
                )
            elif entry and entries is not None:
                entries.append(entry)
        return cls(**{name: tuple(entries) for name, entries in sections.items()})


def shipped_affixes() -> Affixes:
    """The list that comes with the package."""
    path = files("tertium") / "data" / "affixes.txt"
    return Affixes.parse(path.read_text(encoding="utf-8"))


@cache
def native_affixes() -> _native.AffixList:
    """The shipped list as the native core takes it."""
    affixes = shipped_affixes()
    return _native.AffixList(affixes.prefixes, affixes.roots, affixes.suffixes)
