"""Imports between the layers point one way."""

import ast
from pathlib import Path

import pytest

import tertium

PACKAGE = Path(tertium.__file__).parent

# From the bottom to the top; a module may import its own layer and those below it.
LAYERS = [
    {
        "choices",
        "version",
        "errors",
        "suggestions",
        "plurals",
        "installation",
        "lazy",
        "build_cache",
        "threads",
        "plain",
        "tables",
        "_native",
    },
    {"client", "data"},
    {"text"},
    {"metrics"},
    {"arrow"},
    {"results"},
    {"scored"},
    {"evaluation", "explanation"},
    {"inference"},
    {"compare"},
    {"audit"},
    {"meta"},
    {"decide"},
    {"decode"},
    {"tune"},
    {"scale"},
    {"study", "suite"},
    {"report", "compat", "integrations"},
    {"serve"},
    {"cli", "__main__"},
]


def layer(module: str) -> int:
    name = module.split(".")[1]
    return next(level for level, names in enumerate(LAYERS) if name in names)


def imported_modules(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "tertium":
            found += [f"tertium.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    return [name for name in found if name.startswith("tertium.")]


PARTS = [
    *sorted(PACKAGE.glob("*.py")),
    *sorted(path.parent for path in PACKAGE.glob("*/__init__.py")),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(part: Path) -> None:
    for path in [part] if part.is_file() else part.rglob("*.py"):
        if path != PACKAGE / "__init__.py":
            module = ".".join(["tertium", *path.relative_to(PACKAGE).with_suffix("").parts])
            for name in imported_modules(path):
                assert layer(name) <= layer(module), f"{module} imports {name}, which lies above it"


def test_core_knows_no_python() -> None:
    core = Path(__file__).resolve().parents[2] / "cpp"
    sources = list(core.rglob("*.[ch]pp"))
    assert len(sources) > 50
    for path in sources:
        if "bindings" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert "nanobind" not in text, path
            assert "Python.h" not in text, path
