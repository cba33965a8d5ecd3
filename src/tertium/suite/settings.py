"""``suite.toml``: the test sets of a suite, and how all of them are decided.

Keys at the top that a test set could have are defaults for all of them; ``{set}`` in a value is
the name of the test set. Paths start in the folder of the file.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from glob import escape, glob
from os import PathLike
from pathlib import Path
from typing import Any, Final

from tertium.choices import DEFAULT_SEED, TEST_TRIALS
from tertium.decide.decision import REQUIRED, Required
from tertium.errors import InputError
from tertium.suggestions import did_you_mean
from tertium.text.formats.table import system_name

METRICS: Final = ("bleu", "chrf")
SET: Final = "{set}"
SYSTEM: Final = "{system}"

_SET_KEYS: Final = {
    **dict.fromkeys(("references", "metrics", "scores"), "a string or a list of strings"),
    **dict.fromkeys(("source", "documents", "pair"), "a string"),
    "systems": "a string, a list of strings, or names and files",
}
_SUITE_KEYS: Final = {
    "sets": "a list of names, or a table for each",
    "baseline": "a string",
    "require": f"one of {', '.join(REQUIRED)}",
    "margin": "a number or a list of numbers",
    "llm": "a string or a list of strings",
    "alpha": "a number",
    "trials": "a whole number",
    "seed": "a whole number",
    "audit": "true or false",
    "budget": "seconds, or a table of seconds for each metric",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSet:
    """The files of one test set, and the metrics that its systems are scored by.

    ``systems`` are names and files; without any, the file of the references has them, too.
    """

    name: str
    references: tuple[str, ...]
    systems: tuple[tuple[str, str], ...]
    metrics: tuple[str, ...]
    scores: tuple[str, ...] = ()
    source: str | None = None
    documents: str | None = None
    pair: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Every file that the decision depends on."""
        paths = [*self.references, *(path for _, path in self.systems)]
        paths += [path for path in (self.source, self.documents) if path is not None]
        for score in self.scores:
            paths += _matches(score.replace(SYSTEM, "*")) if SYSTEM in score else [score]
        return tuple(dict.fromkeys(paths))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """What is compared with what, in which test sets, and what is required."""

    path: str
    sets: tuple[SuiteSet, ...]
    baseline: str | None = None
    require: Required | None = None
    margins: tuple[float, ...] = ()
    llms: tuple[str, ...] = ()
    alpha: float = 0.05
    trials: int = TEST_TRIALS
    seed: int = DEFAULT_SEED
    audit: bool = True
    budget: tuple[tuple[str, float], ...] = ()
    """Seconds that a metric may take in a run, by its name; the empty name is for all others."""

    def budget_of(self, *names: str) -> float:
        """The seconds of a metric by any of its names; infinite where none are set."""
        known = dict(self.budget)
        return next((known[name] for name in (*names, "") if name in known), float("inf"))

    @property
    def name(self) -> str:
        """What the suite is called: the file, or its folder where that is ``suite.toml``."""
        path = Path(self.path)
        return path.resolve().parent.name if path.name == "suite.toml" else path.stem

    @property
    def alpha_of_set(self) -> float:
        """The significance level of a test set: all of them share that of the suite equally."""
        return self.alpha / len(self.sets)


def read_suite(path: str | PathLike[str]) -> Suite:
    """Read a suite; every mistake is an error that names the file, the key and what was expected.

    Files are looked for at once, so that a wrong name does not end an hour of work.
    """
    import tomllib

    location = str(path)
    try:
        with Path(path).open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise InputError(f"{location}: {found[:1].lower()}{found[1:]}, expected a suite") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{location}: {error}, expected TOML") from None
    _check_keys(location, table, {**_SUITE_KEYS, **_SET_KEYS})
    sets = table.get("sets")
    if isinstance(sets, list) and sets and all(isinstance(name, str) for name in sets):
        tables: Mapping[str, Any] = {name: {} for name in sets}
    elif isinstance(sets, dict) and sets and all(isinstance(own, dict) for own in sets.values()):
        tables = sets
    else:
        raise InputError(
            f'{location}: sets: found {_shown(sets)}, expected names, sets = ["en-de", "en-cs"], '
            "or a table for each, [sets.en-de]"
        )
    defaults = {key: table[key] for key in _SET_KEYS if key in table}
    folder = Path(path).parent
    require = _text(location, table, "require")
    if require is not None and require not in REQUIRED:
        raise InputError(
            f"{location}: require: found '{require}', expected {_SUITE_KEYS['require']}"
        )
    margins = _numbers(location, table)
    budget = _budget(location, table)
    if margins and require is None:
        raise InputError(f"{location}: margin: found no requirement, expected require beside it")
    alpha = _typed(location, table, "alpha", float, 0.05)
    if not 0 < alpha <= 0.5:
        raise InputError(f"{location}: alpha: found {alpha:g}, expected a level such as 0.05")
    return Suite(
        path=location,
        sets=tuple(
            _test_set(location, folder, name, {**defaults, **own}) for name, own in tables.items()
        ),
        baseline=_text(location, table, "baseline"),
        require=require,
        margins=margins,
        llms=_texts(location, table, "llm"),
        alpha=alpha,
        trials=_typed(location, table, "trials", int, TEST_TRIALS),
        seed=_typed(location, table, "seed", int, DEFAULT_SEED),
        audit=_typed(location, table, "audit", bool, True),
        budget=budget,
    )


def _test_set(path: str, folder: Path, name: str, table: Mapping[str, Any]) -> SuiteSet:
    location = f"{path}: sets.{name}"
    _check_keys(location, table, _SET_KEYS)
    table = {key: _named(value, name) for key, value in table.items()}
    references = [
        file
        for pattern in _texts(location, table, "references")
        for file in _files_of(f"{location}: references", folder, pattern)
    ]
    if not references:
        raise InputError(f"{location}: references: found none, expected a file")
    source, documents = _text(location, table, "source"), _text(location, table, "documents")
    return SuiteSet(
        name=name,
        references=tuple(references),
        systems=tuple(
            (system, file)
            for system, file in _systems(location, folder, table.get("systems"))
            if file not in references  # a pattern may match them, too
        ),
        metrics=_texts(location, table, "metrics") or METRICS,
        scores=tuple(
            str(folder / score)
            if SYSTEM in score
            else _files_of(f"{location}: scores", folder, score)[0]
            for score in _texts(location, table, "scores")
        ),
        source=None if source is None else _files_of(f"{location}: source", folder, source)[0],
        documents=None
        if documents is None
        else _files_of(f"{location}: documents", folder, documents)[0],
        pair=_text(location, table, "pair"),
    )


def _named(value: Any, name: str) -> Any:
    """A value with the name of the test set in it."""
    if isinstance(value, str):
        return value.replace(SET, name)
    if isinstance(value, list):
        return [_named(item, name) for item in value]
    if isinstance(value, dict):
        return {key: _named(item, name) for key, item in value.items()}
    return value


def _systems(location: str, folder: Path, table: Any) -> Iterable[tuple[str, str]]:
    """Names and files of systems."""
    location = f"{location}: systems"
    systems: dict[str, str] = {}
    patterns = [table] if isinstance(table, str) else table
    if patterns is None:
        return systems.items()
    if isinstance(patterns, dict) and all(
        isinstance(pattern, str) for pattern in patterns.values()
    ):
        return {
            name: _files_of(location, folder, pattern)[0] for name, pattern in patterns.items()
        }.items()
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise InputError(f"{location}: found {_shown(table)}, expected {_SET_KEYS['systems']}")
    for pattern in patterns:
        for file in _files_of(location, folder, pattern):
            name = _name_in(pattern, folder, file)
            if name in systems:
                raise InputError(
                    f"{location}: found '{name}' twice ({systems[name]}, {file}), expected names "
                    "and files, or {system} where the name stands in the path"
                )
            systems[name] = file
    return systems.items()


def _name_in(pattern: str, folder: Path, path: str) -> str:
    """The name of a system: what stands for ``{system}`` in its path, else that of the file."""
    if SYSTEM not in pattern:
        return system_name(path)
    before, _, after = str(folder / pattern).partition(SYSTEM)
    parts = (re.escape(part).replace(r"\*", "[^/]*") for part in (before, after))
    match = re.fullmatch("([^/]+)".join(parts), path)
    return match[1] if match else system_name(path)


def _files_of(location: str, folder: Path, pattern: str) -> list[str]:
    """The files of a name or a pattern, sorted; at least one."""
    path = str(folder / pattern)
    if (folder / pattern).exists():
        return [path]
    files = _matches(str(Path(escape(str(folder))) / pattern.replace(SYSTEM, "*")))
    if not files:
        raise InputError(f"{location}: found no file '{path}', expected one at least")
    return files


def _matches(pattern: str) -> list[str]:
    return sorted(glob(pattern))  # noqa: PTH207 (the pattern begins with folders)


def _check_keys(location: str, table: Mapping[str, Any], known: Mapping[str, str]) -> None:
    for key in table:
        if key not in known:
            raise InputError(f"{location}: {did_you_mean('key', key, known)}")


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return f"'{value}'" if isinstance(value, str | int | float) else type(value).__name__


def _expected(location: str, key: str, value: object) -> InputError:
    known = {**_SUITE_KEYS, **_SET_KEYS}
    return InputError(f"{location}: {key}: found {_shown(value)}, expected {known[key]}")


def _text(location: str, table: Mapping[str, Any], key: str) -> str | None:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise _expected(location, key, value)
    return value


def _texts(location: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(text, str) for text in values):
        raise _expected(location, key, value)
    return tuple(values)


def _numbers(location: str, table: Mapping[str, Any]) -> tuple[float, ...]:
    value = table.get("margin", [])
    values = value if isinstance(value, list) else [value]
    if not all(
        isinstance(number, int | float) and not isinstance(number, bool) for number in values
    ):
        raise _expected(location, "margin", value)
    return tuple(map(float, values))


def _budget(location: str, table: Mapping[str, Any]) -> tuple[tuple[str, float], ...]:
    value = table.get("budget", {})
    seconds = value if isinstance(value, dict) else {"": value}
    for number in seconds.values():
        if isinstance(number, bool) or not isinstance(number, int | float) or number <= 0:
            raise _expected(location, "budget", value)
    return tuple((name, float(number)) for name, number in seconds.items())


def _typed(location: str, table: Mapping[str, Any], key: str, kind: type, usual: Any) -> Any:
    value = table.get(key, usual)
    kinds = (int, float) if kind is float else (kind,)
    if not isinstance(value, kinds) or (kind is not bool and isinstance(value, bool)):
        raise _expected(location, key, value)
    return value
