"""Where METEOR's tables come from, and the cache that makes them quick to open.

The text tables are turned once into files that are used where they lie (memory-mapped); a
file is named after its source's path, size and time, so a changed source makes a new one.
"""

import gzip
import hashlib
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from tertium._native import (
    MeteorLexicon,
    MeteorPhrases,
    PhraseTableBuilder,
    build_meteor_lexicon,
)
from tertium.errors import InputError
from tertium.metrics.meteor.presets import Language

STEMMER: Final = "PyStemmer"

Table = TypeVar("Table")

_FORMAT: Final = 1  # of the cached files; a change of the native format needs another number
_PIECE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What METEOR can use on this machine; None is what it cannot."""

    stemmer: str | None
    """The stemmer's version."""
    jar: Path | None
    """Meteor's program file, which holds synonyms, function words and abbreviations."""
    paraphrases: Path | None

    @property
    def names(self) -> tuple[str, ...]:
        """What the parts are called in a signature."""
        stemmer = (STEMMER,) if self.stemmer else ()
        return (*stemmer, *(path.name for path in (self.jar, self.paraphrases) if path))

    @property
    def state(self) -> tuple[object, ...]:
        """Changes when a table is written anew."""
        files = [path.stat() for path in (self.jar, self.paraphrases) if path]
        return tuple((file.st_size, file.st_mtime_ns) for file in files)

    def only(self, names: tuple[str, ...]) -> "Resources":
        """The parts of these names."""

        def named(path: Path | None) -> Path | None:
            return path if path and path.name in names else None

        return Resources(
            stemmer=self.stemmer if STEMMER in names else None,
            jar=named(self.jar),
            paraphrases=named(self.paraphrases),
        )


def find_resources(language: Language, *, folder: str, paraphrases: str) -> Resources:
    """The stemmer if it is installed, and the tables in a folder or in ``pycocoevalcap``.

    A folder or file that is given must exist; what is merely not installed is left out.
    """
    home = _given_folder(folder) if folder else _installed_folder()
    jars = sorted(home.glob("meteor-*.jar")) if home else []
    if folder and not jars:
        raise InputError(f"{folder}: found no meteor-*.jar, expected the files of Meteor 1.5")
    table = home / "data" / f"paraphrase-{language.code}.gz" if home else None
    if paraphrases:
        table = Path(paraphrases)
        if not table.is_file():
            raise InputError(f"{paraphrases}: no such file, expected a table of paraphrases")
    return Resources(
        stemmer=_stemmer_version() if language.has_stemmer else None,
        jar=jars[-1] if jars else None,
        paraphrases=table if table and table.is_file() else None,
    )


def _given_folder(folder: str) -> Path:
    path = Path(folder)
    if not path.is_dir():
        raise InputError(f"{folder}: no such folder, expected one with the files of Meteor 1.5")
    return path


def _installed_folder() -> Path | None:
    spec = find_spec("pycocoevalcap")  # finds the package, does not import it
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / "meteor" if places else None


def _stemmer_version() -> str | None:
    if find_spec("Stemmer") is None:
        return None
    try:
        return _version_of(STEMMER)
    except PackageNotFoundError:  # somebody else's module of that name
        return None


_version_of = cache(version)
"""Reads a file of the package; what is imported stays what it was."""


def open_lexicon(
    jar: Path, language: Language, function_words: Language | None = None
) -> MeteorLexicon:
    """Synonyms, abbreviations and function words of a language; the latter of another if given."""
    list_name = (function_words or language).name

    def build(checksum: str) -> bytes:
        try:
            with zipfile.ZipFile(jar) as archive:
                members = set(archive.namelist())

                def part(name: str) -> bytes:
                    return archive.read(name) if name in members else b""

                return build_meteor_lexicon(
                    synsets=part(f"synonym/{language.name}.synsets"),
                    exceptions=part(f"synonym/{language.name}.exceptions"),
                    function_words=part(f"function/{list_name}.words"),
                    abbreviations=part(f"nonbreaking/{language.name}.prefixes"),
                    checksum=checksum,
                )
        except (zipfile.BadZipFile, ValueError) as error:
            raise InputError(f"{jar}: {error}, expected the program file of Meteor 1.5") from None

    return _cached(jar, f"{language.name}-{list_name}", build, MeteorLexicon)


def open_paraphrases(table: Path) -> MeteorPhrases:
    """A table of three lines an entry: probability, phrase, paraphrase; gzip or plain."""

    def build(checksum: str) -> bytes:
        builder = PhraseTableBuilder()
        try:
            for piece in _pieces(table):
                builder.feed(piece)
            return builder.finish(checksum)
        except (EOFError, OSError, ValueError, zlib.error) as error:
            raise InputError(f"{table}: {error}, expected a table of paraphrases") from None

    return _cached(table, "phrases", build, MeteorPhrases)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        with gzip.open(file) if packed else file as source:
            while piece := source.read(_PIECE):
                yield piece


def _cached(
    source: Path,
    part: str,
    build: Callable[[str], bytes],
    read: Callable[[NDArray[np.uint8]], Table],
) -> Table:
    """The table made from a source, from the cache if it is there and whole."""
    state = source.stat()
    key = f"{source.resolve()}|{state.st_size}|{state.st_mtime_ns}|{part}|{_FORMAT}"
    name = f"meteor-{part}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.table"
    path = cache_folder() / name
    with suppress(OSError, ValueError):
        return read(np.memmap(path, dtype=np.uint8, mode="r"))
    with source.open("rb") as file:
        content = build(hashlib.file_digest(file, "sha256").hexdigest())
    with suppress(OSError):  # without a place to write, the table stays in memory
        _write(path, content)
        return read(np.memmap(path, dtype=np.uint8, mode="r"))
    return read(np.frombuffer(content, dtype=np.uint8))


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, whoever else writes the same file at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/tertium``, or ``~/.cache/tertium``."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "tertium"
