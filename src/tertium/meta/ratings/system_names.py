"""Systems go by one name in a table of ratings and by another in a folder of outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tertium.errors import InputError
from tertium.meta.ratings.judgments import Judgments, MetricScores
from tertium.text.files import TextFile
from tertium.text.lines import numbered_lines


def match_names(
    given: Sequence[str], rated: Sequence[str], names: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The rated name of every given one that has any.

    ``names`` decides where it says something; else equal names match, and then a rated name
    that stands between the dots of a file's name, the longest of them.

    >>> match_names(["newstest2017.KIT.4951.de-en", "x"], ["KIT", "KIT.4951", "online-A.0"])
    {'newstest2017.KIT.4951.de-en': 'KIT.4951'}
    """
    found: dict[str, str] = {}
    for name in given:
        match = _match(name, rated, names or {})
        if match is None:
            continue
        other = next((one for one, taken in found.items() if taken == match), None)
        if other is not None:
            raise InputError(
                f"systems '{other}' and '{name}': both match the rated '{match}', "
                "expected one; a file of names can tell them apart"
            )
        found[name] = match
    return found


def _match(name: str, rated: Sequence[str], names: Mapping[str, str]) -> str | None:
    if name in names:
        if names[name] not in rated:
            raise InputError(
                f"names: '{name}' is to be '{names[name]}', expected a rated system: "
                f"{', '.join(sorted(rated))}"
            )
        return names[name]
    if name in rated:
        return name
    inside = [one for one in rated if f".{one}." in f".{name}."]
    longest = max(map(len, inside), default=0)
    best = [one for one in inside if len(one) == longest]
    if len(best) > 1:
        raise InputError(
            f"system '{name}': the rated {' and '.join(best)} are both in its name, expected one"
        )
    return best[0] if best else None


def with_rated_names(
    scores: Sequence[MetricScores],
    judgments: Sequence[Judgments],
    names: Mapping[str, str] | None = None,
) -> tuple[MetricScores, ...]:
    """The scores with the names that the ratings use; unmatched systems keep their own."""
    rated = list(dict.fromkeys(name for one in judgments for name in (*one.systems, *one.omitted)))
    renamed = []
    for one in scores:
        found = match_names(one.systems, rated, names)
        systems = tuple(found.get(name, name) for name in one.systems)
        renamed.append(replace(one, systems=systems))
    return tuple(renamed)


def read_names(path: str) -> dict[str, str]:
    """A file with a tab between a system's name and its name among the ratings."""
    names: dict[str, str] = {}
    for number, line in numbered_lines(TextFile.find(path)):
        if not line.strip():
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != 2 or not all(cells):
            raise InputError(f"{path}:{number}: found '{line}', expected name, tab, rated name")
        if cells[0] in names:
            raise InputError(f"{path}:{number}: '{cells[0]}' again, expected it once")
        names[cells[0]] = cells[1]
    return names
