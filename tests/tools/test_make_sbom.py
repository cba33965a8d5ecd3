"""The bill of materials is valid CycloneDX, complete, and the same twice."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra 'serve' is not installed")
pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")

from tools.make_sbom import bill_of_materials, main

from tests.support.places import REPOSITORY


def test_the_document_is_valid() -> None:
    """By the schema of CycloneDX, and package URLs by their own parser."""
    schemas = pytest.importorskip("cyclonedx.schema", reason="cyclonedx-python-lib is missing")
    validator = pytest.importorskip("jsonschema_rs", reason="jsonschema-rs is missing")
    urls = pytest.importorskip("packageurl", reason="packageurl-python is missing")
    folder = Path(schemas.__file__).parent / "_res"

    def schema(name: str) -> dict[str, object]:
        text = (folder / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8")
        found: dict[str, object] = json.loads(text)
        return found

    bom = schema("bom-1.5")
    others = [
        (re.sub(r"[^/]+$", f"{name}.SNAPSHOT.schema.json", str(bom["$id"])), schema(name))
        for name in ("spdx", "jsf-0.82")
    ]
    check = validator.validator_for(bom, registry=validator.Registry(others))
    document = bill_of_materials()
    assert [error.message for error in check.iter_errors(document)] == []
    assert not check.is_valid({**document, "specVersion": 1})
    for component in document["components"]:
        if "purl" in component:
            url = urls.PackageURL.from_string(component["purl"])
            assert (url.name, url.version) == (component["name"], component["version"])


def test_the_document_has_what_a_server_installs_and_links() -> None:
    document = bill_of_materials()
    own = document["metadata"]["component"]
    components = {component["name"]: component for component in document["components"]}
    pins = (REPOSITORY / "deploy" / "requirements.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"^([a-z0-9-]+)==", pins, re.MULTILINE)) <= set(components)
    assert {"nanobind", "robin-map", "unicode-character-database"} <= set(components)
    assert own["name"] == "tertium"
    assert all("licenses" in component for component in components.values())
    references = {component["bom-ref"] for component in (own, *components.values())}
    dependencies = {entry["ref"]: entry.get("dependsOn", []) for entry in document["dependencies"]}
    assert set(dependencies) == references
    assert all(set(needed) <= references for needed in dependencies.values())
    near = {reference.partition("@")[0] for reference in dependencies[own["bom-ref"]]}
    assert {"pkg:pypi/fastapi", "pkg:pypi/psycopg", "linked:nanobind"} <= near


def test_the_command_writes_the_same_file_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b" / "b.json"
    assert main([str(first)]) == main([str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()
    count = len(bill_of_materials()["components"])
    assert capsys.readouterr().out.startswith(f"{first}: {count} components\n")
