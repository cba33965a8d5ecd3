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

from tertium.decide.decision import REQUIRED, Required
from tertium.errors import InputError
from tertium.inference.choices import DEFAULT_SEED, TEST_TRIALS
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

    place = str(path)
    try:
        with Path(path).open("rb") as file:
            given = tomllib.load(file)
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise InputError(f"{place}: {found[:1].lower()}{found[1:]}, expected a suite") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{place}: {error}, expected TOML") from None
    _check_keys(place, given, {**_SUITE_KEYS, **_SET_KEYS})
    sets = given.get("sets")
    if isinstance(sets, list) and sets and all(isinstance(name, str) for name in sets):
        tables: Mapping[str, Any] = {name: {} for name in sets}
    elif isinstance(sets, dict) and sets and all(isinstance(one, dict) for one in sets.values()):
        tables = sets
    else:
        raise InputError(
            f'{place}: sets: found {_shown(sets)}, expected names, sets = ["en-de", "en-cs"], or '
            "a table for each, [sets.en-de]"
        )
    defaults = {key: given[key] for key in _SET_KEYS if key in given}
    folder = Path(path).parent
    require = _text(place, given, "require")
    if require is not None and require not in REQUIRED:
        raise InputError(f"{place}: require: found '{require}', expected {_SUITE_KEYS['require']}")
    margins = _numbers(place, given)
    if margins and require is None:
        raise InputError(f"{place}: margin: found no requirement, expected require beside it")
    alpha = _typed(place, given, "alpha", float, 0.05)
    if not 0 < alpha <= 0.5:
        raise InputError(f"{place}: alpha: found {alpha:g}, expected a level such as 0.05")
    return Suite(
        path=place,
        sets=tuple(
            _test_set(place, folder, name, {**defaults, **table}) for name, table in tables.items()
        ),
        baseline=_text(place, given, "baseline"),
        require=require,
        margins=margins,
        llms=_texts(place, given, "llm"),
        alpha=alpha,
        trials=_typed(place, given, "trials", int, TEST_TRIALS),
        seed=_typed(place, given, "seed", int, DEFAULT_SEED),
        audit=_typed(place, given, "audit", bool, True),
    )


def _test_set(path: str, folder: Path, name: str, given: Mapping[str, Any]) -> SuiteSet:
    place = f"{path}: sets.{name}"
    _check_keys(place, given, _SET_KEYS)
    given = {key: _named(value, name) for key, value in given.items()}
    references = [
        found
        for pattern in _texts(place, given, "references")
        for found in _found(f"{place}: references", folder, pattern)
    ]
    if not references:
        raise InputError(f"{place}: references: found none, expected a file")
    source, documents = _text(place, given, "source"), _text(place, given, "documents")
    return SuiteSet(
        name=name,
        references=tuple(references),
        systems=tuple(_systems(place, folder, given.get("systems"))),
        metrics=_texts(place, given, "metrics") or METRICS,
        scores=tuple(
            str(folder / score) if SYSTEM in score else _found(f"{place}: scores", folder, score)[0]
            for score in _texts(place, given, "scores")
        ),
        source=None if source is None else _found(f"{place}: source", folder, source)[0],
        documents=None
        if documents is None
        else _found(f"{place}: documents", folder, documents)[0],
        pair=_text(place, given, "pair"),
    )


def _named(value: Any, name: str) -> Any:
    """A value with the name of the test set in it."""
    if isinstance(value, str):
        return value.replace(SET, name)
    if isinstance(value, list):
        return [_named(one, name) for one in value]
    if isinstance(value, dict):
        return {key: _named(one, name) for key, one in value.items()}
    return value


def _systems(place: str, folder: Path, given: Any) -> Iterable[tuple[str, str]]:
    """Names and files of systems."""
    place = f"{place}: systems"
    systems: dict[str, str] = {}
    patterns = [given] if isinstance(given, str) else given
    if patterns is None:
        return systems.items()
    if isinstance(patterns, dict) and all(isinstance(one, str) for one in patterns.values()):
        return {
            name: _found(place, folder, pattern)[0] for name, pattern in patterns.items()
        }.items()
    if not isinstance(patterns, list) or not all(isinstance(one, str) for one in patterns):
        raise InputError(f"{place}: found {_shown(given)}, expected {_SET_KEYS['systems']}")
    for pattern in patterns:
        for found in _found(place, folder, pattern):
            name = _name_in(pattern, folder, found)
            if name in systems:
                raise InputError(
                    f"{place}: found '{name}' twice ({systems[name]}, {found}), expected names and "
                    "files, or {system} where the name stands in the path"
                )
            systems[name] = found
    return systems.items()


def _name_in(pattern: str, folder: Path, path: str) -> str:
    """The name of a system: what stands for ``{system}`` in its path, else that of the file."""
    if SYSTEM not in pattern:
        return system_name(path)
    before, _, after = str(folder / pattern).partition(SYSTEM)
    parts = (re.escape(part).replace(r"\*", "[^/]*") for part in (before, after))
    found = re.fullmatch("([^/]+)".join(parts), path)
    return found[1] if found else system_name(path)


def _found(place: str, folder: Path, pattern: str) -> list[str]:
    """The files of a name or a pattern, sorted; at least one."""
    path = str(folder / pattern)
    if (folder / pattern).exists():
        return [path]
    found = _matches(str(Path(escape(str(folder))) / pattern.replace(SYSTEM, "*")))
    if not found:
        raise InputError(f"{place}: found no file '{path}', expected one at least")
    return found


def _matches(pattern: str) -> list[str]:
    return sorted(glob(pattern))  # noqa: PTH207 (the pattern begins with folders)


def _check_keys(place: str, given: Mapping[str, Any], known: Mapping[str, str]) -> None:
    for key in given:
        if key not in known:
            raise InputError(f"{place}: {did_you_mean('key', key, known)}")


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return f"'{value}'" if isinstance(value, str | int | float) else type(value).__name__


def _expected(place: str, key: str, value: object) -> InputError:
    known = {**_SUITE_KEYS, **_SET_KEYS}
    return InputError(f"{place}: {key}: found {_shown(value)}, expected {known[key]}")


def _text(place: str, given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    if value is not None and not isinstance(value, str):
        raise _expected(place, key, value)
    return value


def _texts(place: str, given: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = given.get(key, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise _expected(place, key, value)
    return tuple(values)


def _numbers(place: str, given: Mapping[str, Any]) -> tuple[float, ...]:
    value = given.get("margin", [])
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
        raise _expected(place, "margin", value)
    return tuple(map(float, values))


def _typed(place: str, given: Mapping[str, Any], key: str, kind: type, usual: Any) -> Any:
    value = given.get(key, usual)
    kinds = (int, float) if kind is float else (kind,)
    if not isinstance(value, kinds) or (kind is not bool and isinstance(value, bool)):
        raise _expected(place, key, value)
    return value
