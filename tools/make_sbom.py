"""Write what is in a server: a software bill of materials, as CycloneDX 1.5 in JSON.

    python -m tools.make_sbom [FILE]     # or: make sbom

Lists tertium with the extras `serve` and `postgres`: every package of this environment that it
needs, with version, license, package URL and what it needs in turn, and the code of others that is
compiled into the core. Equal environments give equal files: no time and no random number is in it.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tertium.version import __version__
from tools.pin_requirements import EXTRAS, ROOT, server_requirements

OUTPUT: Final = ROOT / "build" / "sbom.cdx.json"
LINKED: Final = (
    ("nanobind", "BSD-3-Clause", "licenses/nanobind.txt"),
    ("robin-map", "MIT", "licenses/robin-map.txt"),
    ("unicode-character-database", "Unicode-3.0", "licenses/unicode.txt"),
)
"""What is compiled into the core; NOTICE says the same in words."""
LONGEST_NAME: Final = 100
"""Some packages have the whole text of their license where its name is expected."""


def main(words: list[str]) -> int:
    """Write the file."""
    path = Path(words[0]) if words else OUTPUT
    path.parent.mkdir(parents=True, exist_ok=True)
    document = bill_of_materials()
    path.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{path}: {len(document['components'])} components")
    return 0


def bill_of_materials() -> dict[str, Any]:
    """The document."""
    needed = dict(needed_packages())
    needed_itself = needed_by("tertium", frozenset(EXTRAS))
    packages = [package_component(name) for name in sorted(needed)]
    linked = [linked_component(*entry) for entry in LINKED]
    own = package_component("tertium") | {"type": "application"}
    references = {component["name"]: component["bom-ref"] for component in (own, *packages)}
    dependencies = [
        {
            "ref": references[name],
            "dependsOn": sorted(
                [references[other] for other in others]
                + ([part["bom-ref"] for part in linked] if name == "tertium" else [])
            ),
        }
        for name, others in sorted({**needed, "tertium": needed_itself}.items())
    ]
    body = {
        "components": [*packages, *linked],
        "dependencies": [*dependencies, *({"ref": part["bom-ref"]} for part in linked)],
        "metadata": {"component": own},
    }
    identity = uuid5(NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        **body,
    }


def needed_packages() -> Iterator[tuple[str, list[str]]]:
    """Each package that the server needs, near and far, with those that it needs itself."""
    wanted: dict[str, frozenset[str]] = {}
    waiting = list(requirements_of("tertium", frozenset(EXTRAS)))
    while waiting:
        name, extras = waiting.pop()
        before = wanted.get(name)
        if before is not None and extras <= before:
            continue
        wanted[name] = extras | (before or frozenset())
        waiting += requirements_of(name, wanted[name])
    for name, extras in wanted.items():
        yield name, needed_by(name, extras)


def needed_by(name: str, extras: frozenset[str]) -> list[str]:
    """The names of the packages that one needs itself."""
    return sorted({other for other, _ in requirements_of(name, extras)})


def requirements_of(name: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """The packages that one asks for in this environment, with the extras of each."""
    # What an editable installation says of tertium itself may be older than the source.
    asked = server_requirements(project()) if name == "tertium" else installed(name).requires
    for text in asked or ():
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": e}) for e in ("", *sorted(extras))):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def project() -> dict[str, Any]:
    """The settings of tertium."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def installed(name: str) -> Distribution:
    """A package of this environment."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        sys.exit(f"{name}: not installed, expected tertium[serve,postgres] (make test installs it)")


def package_component(name: str) -> dict[str, Any]:
    """A package, as CycloneDX has it."""
    found = installed(name)
    version = __version__ if name == "tertium" else found.version
    url = f"pkg:pypi/{canonicalize_name(name)}@{version}"
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": url,
        "name": canonicalize_name(name),
        "version": version,
        "purl": url,
    }
    licenses = licenses_of(found)
    return component | ({"licenses": licenses} if licenses else {})


def licenses_of(found: Distribution) -> list[dict[str, Any]]:
    """What a package says of its license: an SPDX expression, or names."""
    about = found.metadata
    if expressions := about.get_all("License-Expression"):
        return [{"expression": expressions[0]}]
    classified = [
        text.rpartition(" :: ")[2]
        for text in about.get_all("Classifier") or ()
        if text.startswith("License :: ") and text.count(" :: ") > 1
    ]
    stated = "".join(about.get_all("License") or ()).strip()
    names = classified or ([stated] if stated and len(stated) <= LONGEST_NAME else [])
    return [{"license": {"name": name}} for name in names]


def linked_component(name: str, license_id: str, file: str) -> dict[str, Any]:
    """Code or data that is compiled in; the build's pins know the version, if anything does."""
    pinned = re.search(
        rf"^{re.escape(name)}==(\S+)",
        (ROOT / "constraints.txt").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    text = (ROOT / file).read_text(encoding="utf-8")
    license_ = {"id": license_id, "text": {"contentType": "text/plain", "content": text}}
    component = {
        "type": "data" if license_id.startswith("Unicode") else "library",
        "bom-ref": f"linked:{name}",
        "name": name,
        "licenses": [{"license": license_}],
    }
    return component | ({"version": pinned[1]} if pinned else {})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
