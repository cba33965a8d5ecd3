"""Names that are imported when asked for: public names of packages, and tables of choices."""

import ast
import inspect
import py_compile
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.audit.table import AUDITS
from tertium.decode.formats.kinds import KINDS
from tertium.errors import OptionError
from tertium.lazy import LazyTable, homes_of
from tertium.metrics.contract.table import METRICS
from tertium.version import __version__
from tests.support.commands import printed

SOURCE = Path(tertium.__file__).parent
LAZY = [
    path for path in sorted(SOURCE.rglob("__init__.py")) if "offered(" in path.read_text("utf-8")
]
PACKAGES = [
    "tertium",
    "tertium.audit",
    "tertium.compare",
    "tertium.decode",
    "tertium.inference",
    "tertium.meta",
    "tertium.report.plots",
    "tertium.study",
    "tertium.text",
    "tertium.tune",
]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_where_the_package_says(package: str) -> None:
    module = import_module(package)
    homes = homes_of(package)
    assert len(homes) > 4
    assert module.__all__ == dir(module) == sorted(homes)
    for name, home in homes.items():
        if name != "__version__":
            found = getattr(module, name)
            assert found is getattr(import_module(home), name) or found is sys.modules.get(
                f"{package}.{name}"  # a package that is called as a function
            )


@pytest.mark.parametrize("path", LAZY, ids=lambda path: path.parent.name)
def test_type_checkers_know_the_names_that_a_package_offers(path: Path) -> None:
    package = ".".join(path.parent.relative_to(SOURCE.parent).parts)
    import_module(package)
    typed = {
        alias.name: node.module
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert homes_of(package) == typed


def test_names_are_offered_where_sources_are_stripped(tmp_path: Path) -> None:
    folder = tmp_path / "stripped"
    folder.mkdir()
    source = folder / "__init__.py"
    source.write_text(
        "from tertium.lazy import offered\n"
        "__getattr__, __dir__ = offered(__name__, {'counted': 'tertium.plurals'})\n"
    )
    py_compile.compile(str(source), str(folder / "__init__.pyc"), doraise=True)
    source.unlink()
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import stripped; "
    shown = printed("-c", program + "print(stripped.__all__, stripped.counted(2, 'name'))")
    assert shown == "['counted'] 2 names\n"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_imported_without_its_parts(package: str) -> None:
    program = f"import sys, {package}; print([m for m in ('numpy', 'rich') if m in sys.modules])"
    assert printed("-c", program) == "[]\n"


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'tertium' has no attribute 'scor'"):
        _ = tertium.scor  # type: ignore[attr-defined]


@pytest.mark.parametrize(("package", "name"), [("tune", "mert")])
def test_a_module_does_not_hide_a_function_of_its_name(package: str, name: str) -> None:
    module = import_module(f"tertium.{package}.{name}")
    assert getattr(import_module(f"tertium.{package}"), name) is getattr(module, name)


@pytest.mark.parametrize(
    ("package", "function"),
    [
        ("audit", "audit.audit"),
        ("compare", "compare.compare"),
        ("decode.mbr", "decode.mbr.lists"),
        ("decode.oracle", "decode.oracle.oracles"),
        ("meta.fit", "meta.fit.fits"),
        ("study", "study.study"),
    ],
)
def test_a_package_that_is_called_has_the_signature_of_its_function(
    package: str, function: str
) -> None:
    module: Any = import_module(f"tertium.{package}")
    wanted = getattr(import_module(f"tertium.{function}"), package.rsplit(".", maxsplit=1)[-1])
    assert inspect.signature(module) == inspect.signature(wanted)
    with pytest.raises(TypeError, match=r"missing \d required positional argument"):
        module()


@pytest.mark.parametrize("table", [METRICS, AUDITS, KINDS], ids=["metrics", "audits", "formats"])
def test_every_name_of_a_table_can_be_had(table: LazyTable[object]) -> None:
    for name in table:
        assert name in table
        assert callable(table[name])
    assert table.get("nobody") is None


def test_what_a_table_lacks_is_said_with_what_is_near() -> None:
    with pytest.raises(OptionError, match=r"^unknown audit 'licens'; did you mean 'licence'\?"):
        AUDITS["licens"]


def test_the_version_stands_in_one_place() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert __version__ not in text
    assert 'dynamic = ["version"]' in text
