"""How this copy of tertium was installed, and so how the rest of it can be."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from tertium.errors import MissingExtraError

Installer: TypeAlias = Literal["pip", "uv", "uv tool", "pipx", "conda"]

LOST: Final = "in the folder of tertium's source"
"""Said where the folder or file that was installed is there no more."""


def install_hint(extra: str) -> str:
    """The command that brings an extra, in words that work for this installation."""
    return this_copy().command(extra)


@contextmanager
def scipy_for(work: str, *, extra: str = "stats", otherwise: str = "") -> Iterator[None]:
    """Import SciPy in here: it is an extra, and takes longer to import than all the rest.

    Most commands do without it; where it is missing, the error says what needs it, and perhaps
    what can be had ``otherwise``.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "scipy":
            raise
        raise MissingExtraError(
            f"{work}: package 'scipy' is not installed; {install_hint(extra)}{otherwise}"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """An installed copy: by which program, and from what."""

    installer: Installer = "pip"
    origin: str = ""
    """The folder, file or URL that the program was given; empty for a name in an index."""
    editable: bool = False
    requirements: tuple[str, ...] = ()
    """What the metadata asks for, such as ``plotly>=6; extra == "report"``."""

    def command(self, extra: str) -> str:
        """What is to be typed for an extra."""
        if self.installer == "conda":
            return f"conda install -c conda-forge {' '.join(self._packages(extra))}"
        if self._lost():
            return f"{self._program()} {_quoted(f'.[{extra}]')} {LOST}"
        editable = "-e " if self.editable and self.installer in {"pip", "uv"} else ""
        return f"{self._program()} {editable}{_quoted(self._wanted(extra))}"

    def _lost(self) -> bool:
        from pathlib import Path

        return bool(self.origin) and "://" not in self.origin and not Path(self.origin).exists()

    def _program(self) -> str:
        match self.installer:
            case "pipx":
                return "pipx install --force"
            case "uv tool":
                return "uv tool install"
            case "uv":
                active = os.environ.get("VIRTUAL_ENV") == sys.prefix
                return "uv pip install" + ("" if active else f" --python {_shown(sys.executable)}")
            case _:
                return f"{_pip()} install"

    def _wanted(self, extra: str) -> str:
        if not self.origin:
            return f"tertium[{extra}]"
        if "://" in self.origin:
            return f"tertium[{extra}] @ {self.origin}"
        from pathlib import Path

        return f".[{extra}]" if Path(self.origin) == Path.cwd() else f"{self.origin}[{extra}]"

    def _packages(self, extra: str) -> list[str]:
        """Names without versions: conda knows no extras."""
        import re

        parts = (requirement.partition(";") for requirement in self.requirements)
        mark = re.compile(rf"""\bextra\s*==\s*['"]{extra}['"]""")
        return [re.split(r"[\s\[<>=!~]", name)[0] for name, _, when in parts if mark.search(when)]


@cache
def this_copy() -> Copy:
    """The copy that is running."""
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path

    try:
        installed = distribution("tertium")
    except PackageNotFoundError:  # run from the source itself, or from a copy of the package
        source = Path(__file__).resolve().parents[2]
        return Copy(origin=str(source) if (source / "pyproject.toml").exists() else "")
    return copy_of(
        installer=installed.read_text("INSTALLER") or "",
        direct_url=installed.read_text("direct_url.json") or "",
        requirements=tuple(installed.requires or ()),
        prefix=sys.prefix,
    )


def copy_of(*, installer: str, direct_url: str, requirements: tuple[str, ...], prefix: str) -> Copy:
    """What is known from the notes that installers leave in a package's metadata.

    >>> copy_of(installer="uv", direct_url="", requirements=(), prefix="/env").installer
    'uv'
    """
    import json

    note = json.loads(direct_url) if direct_url else {}
    return Copy(
        installer=_installer(installer.strip(), prefix),
        origin=_origin(note),
        editable=bool(note.get("dir_info", {}).get("editable")),
        requirements=requirements,
    )


def _installer(name: str, prefix: str) -> Installer:
    from pathlib import Path

    if Path(prefix, "pipx_metadata.json").exists():
        return "pipx"
    if Path(prefix, "uv-receipt.toml").exists():
        return "uv tool"
    return "uv" if name == "uv" else "conda" if name == "conda" else "pip"


def _origin(note: Mapping[str, Any]) -> str:
    """What was installed, as an installer takes it: a path, or a URL."""
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    url = str(note.get("url", ""))
    if version_control := note.get("vcs_info"):
        revision = version_control.get("requested_revision")
        return f"{version_control['vcs']}+{url}" + (f"@{revision}" if revision else "")
    if urlsplit(url).scheme == "file":
        return url2pathname(urlsplit(url).path).rstrip("/\\")
    return url


def _pip() -> str:
    """``pip`` if that is the one of this environment, which need not be an active one."""
    from pathlib import Path
    from shutil import which

    program = which("pip")
    if program and Path(program).parent == Path(sys.executable).parent:
        return "pip"
    return f"{_shown(sys.executable)} -m pip"


def _shown(path: str) -> str:
    """A path as a shell takes it, in quotes where it needs them."""
    from shlex import quote

    if os.name != "nt":
        return quote(path)
    return f'"{path}"' if " " in path else path


def _quoted(text: str) -> str:
    """In quotes, for brackets mean something to shells; Windows' own knows double ones only."""
    from shlex import quote

    return f'"{text}"' if os.name == "nt" else quote(text)
