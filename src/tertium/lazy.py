"""Names that are imported when they are asked for: what packages offer, and tables of choices."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.machinery import PathFinder
from types import ModuleType
from typing import Final, Generic, TypeVar

from tertium.errors import OptionError

T = TypeVar("T")


_HOMES: Final[dict[str, Mapping[str, str]]] = {}
"""Package → its public names, and the module that each is in."""


def offered(
    package: str, homes: Mapping[str, str], *, call: str | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package that imports its public names on first use.

    ``homes`` says which module has each name. The package's imports of the form ``name as name``
    say the same to type checkers and editors; a test holds the two against each other. With
    ``call`` the package can be called as if it were the function of that name, which its import
    would hide.
    """
    _HOMES[package] = homes

    def get(name: str) -> object:
        if name == "__all__":
            return sorted(homes)
        if name == "__signature__" and call is not None:
            return import_module("inspect").signature(get(call))
        if name.startswith("__") or name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return getattr(import_module(homes[name]), name)

    special = {} if call is None else {"__call__": property(lambda _: get(call))}
    sys.modules[package].__class__ = type("Package", (_Package,), special)
    return get, lambda: sorted(homes)


def drawn(function: str, result: object) -> str:
    """What reports draw of a result, for notebooks; empty where Jinja2 is not installed.

    Results do not know the reports that are made of them. ``function`` is one of
    ``tertium.report.html.notebook``, imported when something is shown.
    """
    from tertium.errors import MissingExtraError

    try:
        made: str = getattr(import_module("tertium.report.html.notebook"), function)(result)
    except MissingExtraError:
        return ""
    return made


class _Package(ModuleType):
    """A package in which the import of a module does not hide a public name of the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and name in vars(value):
            hides = homes_of(self.__name__).get(name) == value.__name__
            if hides:
                return
        super().__setattr__(name, value)


def homes_of(package: str) -> Mapping[str, str]:
    """Every public name of a package, and the module that has it.

    >>> homes_of("tertium")["score"]
    'tertium.evaluation'
    """
    return _HOMES[package]


class LazyTable(Mapping[str, T], Generic[T]):
    """Choices by name: ours in one literal, and those of other packages by entry points.

    ``places`` say where each is, as ``module:name``; it is imported when asked for. ``group`` is
    that of the entry points, which are looked up only for a name that is not ours, or for all
    names: that takes longer than many a command.

    >>> table = LazyTable("number", {"pi": "math:pi"})
    >>> round(table["pi"], 2), list(table), "tau" in table
    (3.14, ['pi'], False)
    """

    def __init__(self, kind: str, places: Mapping[str, str], *, group: str | None = None) -> None:
        self.kind = kind
        self.own = dict(places)
        self._group = group
        self._others: tuple[object, tuple[tuple[str, str], ...]] | None = None

    def __getitem__(self, name: str) -> T:
        """What has the name; one that nobody knows is an error that says what is near."""
        place = self.own.get(name) or self.places().get(name)
        if place is None:
            from tertium.suggestions import did_you_mean

            raise UnknownNameError(did_you_mean(self.kind, name, self.places()))
        module, _, attribute = place.partition(":")
        value: T = getattr(import_module(module), attribute)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self.places()

    def __iter__(self) -> Iterator[str]:
        return iter(self.places())

    def __len__(self) -> int:
        return len(self.places())

    def places(self) -> dict[str, str]:
        """All names and where they are; two packages that offer one name are an error."""
        if self._group is None or not may_be_offered(self._group):
            return self.own
        known = dict(self.own)
        for name, location in self._offered(self._group):
            if known.setdefault(name, location) != location:
                raise OptionError(
                    f"{self.kind} '{name}': offered by '{location}' and '{known[name]}', "
                    "expected one"
                )
        return known

    def _offered(self, group: str) -> tuple[tuple[str, str], ...]:
        """What other packages have; going through all of them takes 20 ms, so it is done once."""
        from importlib.metadata import entry_points

        asked = (tuple(sys.path), entry_points)
        if self._others is None or self._others[0] != asked:
            points = entry_points(group=group)
            self._others = (asked, tuple((point.name, point.value) for point in points))
        return self._others[1]


def may_be_offered(group: str) -> bool:
    """Whether an installed package has entry points of the group, as far as a look at files says.

    The import of importlib.metadata takes longer than that of most commands: it brings email,
    sockets and archives. So it is left out where no package on the path mentions the group; what
    is no folder, such as a zip file, is left to it.
    """
    if "importlib.metadata" in sys.modules:
        return True
    others = (finder for finder in sys.meta_path if finder is not PathFinder)
    if any(hasattr(finder, "find_distributions") for finder in others):
        return True
    try:
        return any(_mentions(folder or ".", group.encode()) for folder in sys.path)
    except NotADirectoryError:
        return True


def _mentions(folder: str, group: bytes) -> bool:
    """Whether entry points of the packages that are installed in a folder have the word."""
    kinds = (".dist-info", ".egg-info", *(["egg-info"] if folder.endswith(".egg") else []))
    with suppress(FileNotFoundError, PermissionError), os.scandir(folder) as packages:
        for package in packages:
            # Most packages have no entry points, and some are single files.
            if package.name.lower().endswith(kinds):
                with suppress(OSError), open(f"{package.path}/entry_points.txt", "rb") as file:  # noqa: PTH123 - pathlib is what is to be saved
                    if group in file.read():
                        return True
    return False


class UnknownNameError(OptionError, KeyError):
    """A table does not have the name; as any mapping, it says so by a KeyError."""

    __str__ = OptionError.__str__
