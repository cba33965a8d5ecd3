"""Print the shape of the code as a table: how many pieces, how long, how far a command walks.

    python tools/shape.py                  # the table
    python tools/shape.py --list           # and the modules, classes and names behind its counts
    python tools/shape.py --source DIR     # of another checkout, without the rows that run it

The table says where to look, and no test holds its sizes: a module that one other imports may be an
idea of its own, as are those that a table names (a command, an audit, a format), which are counted
apart. Only class names have to be unique, which `tests/project/test_names.py` holds.

Rows about the source are counted in the syntax trees of its files. Rows about a run come from a
process of its own: `score` of one system of the sample under `sys.setprofile`, which sees the
functions of tertium that are called, and an audit hook, which sees the files that are opened.
"""

import argparse
import ast
import io
import json
import re
import statistics
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[1]
VAGUE_NAMES: Final = ("one", "found", "place", "kept")
TABLE_ENTRY: Final = re.compile(r"tertium(\.\w+)+(:\w+)?")
SHOWN: Final = 12  # names of a list that stand in one line

TRACED_SCORE: Final = """
import inspect, json, os, sys
from pathlib import Path

import tertium

package = str(Path(tertium.__file__).parent)
sample = Path(package, "data", "sample")
files = [str(sample / "reference.1.en"), str(sample / "systems" / "elm.txt")]
functions, opened, depth = set(), [], [0, 0]


def audit(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        path = os.fsdecode(arguments[0])
        if path in files:
            opened.append(path)


def profile(frame, event, argument):
    code = frame.f_code
    if event in ("call", "return") and code.co_filename.startswith(package):
        depth[0] += 1 if event == "call" else -1
        depth[1] = max(depth[1], depth[0])
        is_function = code.co_flags & inspect.CO_OPTIMIZED  # and no body of a class or module
        if event == "call" and is_function and not code.co_name.startswith("<"):
            functions.add((code.co_filename, code.co_qualname))


from tertium.cli.main import main

sys.stdout = open(os.devnull, "w", encoding="utf-8")
sys.addaudithook(audit)
sys.setprofile(profile)
status = main(["score", files[0], "-i", files[1], "-m", "bleu"])
sys.setprofile(None)
modules = {file for file, _ in functions}
numbers = [status, len(functions), len(modules), depth[1], len(opened)]
print(json.dumps(numbers), file=sys.__stdout__)
"""

TIMED_DECIDE: Final = """
import json, sys, time
import numpy, tertium

start = time.process_time()
import tertium.decide.decide
seconds = time.process_time() - start
print(json.dumps([sum(name.startswith("tertium.") for name in sys.modules), 1000 * seconds]))
"""

FLAGS: Final = """
import json
from argparse import SUPPRESS
from importlib import import_module

from tertium.cli.main import COMMANDS
from tertium.cli.shell.parser import SELDOM, CommandParser


def walk(table, parent):
    for name, (module, line) in table.items():
        yield f"{parent} {name}", module
        yield from walk(getattr(import_module(module), "ACTIONS", {}), f"{parent} {name}")


flags, spellings, commands, score, usual = 0, set(), 0, 0, 0
for words, module in walk(COMMANDS, "tertium"):
    parser = CommandParser(words, words)
    import_module(module).configure(parser)
    shown = [
        action
        for action in parser._actions
        if action.option_strings and action.help != SUPPRESS and action.dest != "help"
    ]
    commands += 1
    flags += len(shown)
    spellings.update(spelling for action in shown for spelling in action.option_strings)
    if words == "tertium score":
        score = len(shown)
        usual = sum(not SELDOM.intersection(action.option_strings) for action in shown)
print(json.dumps([flags, commands, len(spellings), score, usual]))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceModule:
    """A file of the package: its dotted name, text and syntax tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"


def read_modules(package: Path) -> list[SourceModule]:
    """Every module of the package, in the order of names."""
    modules = []
    for path in sorted(package.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules.append(SourceModule(name=name, path=path, text=text, tree=ast.parse(text)))
    return modules


def imported_names(module: SourceModule) -> Iterator[str]:
    """Dotted names that a module imports, or names in a table as 'module:attribute'."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Constant) and TABLE_ENTRY.fullmatch(str(node.value)):
            yield str(node.value).partition(":")[0]


def table_entries(modules: Sequence[SourceModule]) -> set[str]:
    """Modules that a table names in text, such as commands, audits and formats."""
    return {
        str(node.value).partition(":")[0]
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and TABLE_ENTRY.fullmatch(str(node.value))
    }


def importers(modules: Sequence[SourceModule]) -> dict[str, set[str]]:
    """Module → those that import it; a package that offers a name of it is none."""
    users: dict[str, set[str]] = {module.name: set() for module in modules}
    for module in modules:
        if not module.is_package:
            for name in imported_names(module):
                if name in users and name != module.name:
                    users[name].add(module.name)
    return users


def with_one_importer(modules: Sequence[SourceModule]) -> list[tuple[SourceModule, str]]:
    """Modules that one other of the same folder imports, and nothing else."""
    users = importers(modules)
    single = []
    for module in modules:
        if not module.is_package and len(users[module.name]) == 1:
            (user,) = users[module.name]
            if user.rpartition(".")[0] == module.name.rpartition(".")[0]:
                single.append((module, user))
    return single


def repeated_classes(modules: Sequence[SourceModule]) -> dict[str, list[str]]:
    """Names of module-level classes that several modules define, and those modules."""
    homes = defaultdict(list)
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module.name)
    return {name: homes[name] for name in sorted(homes) if len(homes[name]) > 1}


def bindings(modules: Sequence[SourceModule], names: Sequence[str]) -> dict[str, Counter[str]]:
    """Name → how often each module binds it, as a variable or a parameter."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in names}
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound = node.id
            elif isinstance(node, ast.arg):
                bound = node.arg
            else:
                continue
            if bound in counts:
                counts[bound][module.name] += 1
    return counts


def python_comment_lines(modules: Sequence[SourceModule]) -> int:
    """Lines that hold a comment and nothing else."""
    lines = 0
    for module in modules:
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
            if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
                lines += 1
    return lines


def cpp_lines(folder: Path) -> tuple[int, int]:
    """Lines of C++ in a folder, and those of them that begin with a comment."""
    lines = [
        line.strip()
        for path in sorted([*folder.rglob("*.cpp"), *folder.rglob("*.hpp")])
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return len(lines), sum(line.startswith(("//", "/*", "* ")) for line in lines)


def run(program: str) -> list[float]:
    """The numbers that a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    numbers: list[float] = json.loads(done.stdout.splitlines()[-1])
    return numbers


def source_rows(modules: Sequence[SourceModule], root: Path) -> dict[str, str]:
    """What can be said without a run."""
    files = [module for module in modules if not module.is_package]
    packages = len(modules) - len(files)
    folders = {module.path.parent for module in modules}
    largest = max(files, key=lambda module: module.lines)
    single = with_one_importer(modules)
    rows = table_entries(modules)
    python = sum(module.lines for module in modules)
    cpp, cpp_comments = cpp_lines(root / "cpp")
    counts = bindings(modules, VAGUE_NAMES)
    median = statistics.median(module.lines for module in files)
    return {
        "modules (+ __init__) / folders": f"{len(files)} (+{packages}) / {len(folders)}",
        "lines of the median file": f"{median:.0f}",
        "lines of the largest": f"{largest.lines} ({largest.name})",
        "modules with one importer in their folder": (
            f"{len(single)} ({sum(module.lines for module, _ in single)} lines)"
        ),
        "of which a table names": str(sum(module.name in rows for module, _ in single)),
        "comment lines, Python": f"{python_comment_lines(modules) / python:.1%} of {python}",
        "comment lines, C++": f"{cpp_comments / cpp:.1%} of {cpp}",
        "class names defined twice or more": str(len(repeated_classes(modules))),
        f"names {' / '.join(VAGUE_NAMES)} bound": " / ".join(
            str(counts[name].total()) for name in VAGUE_NAMES
        ),
    }


def run_rows() -> dict[str, str]:
    """What a run of the installed tertium shows."""
    status, functions, walked, depth, opened = run(TRACED_SCORE)
    imported, milliseconds = run(TIMED_DECIDE)
    flags, commands, spellings, score, usual = run(FLAGS)
    if status:
        raise SystemExit(f"tertium score: exit code {status:.0f}, expected 0")
    return {
        "functions / modules run by score, depth": f"{functions:.0f} / {walked:.0f}, {depth:.0f}",
        "opens of its two input files": f"{opened:.0f}",
        "own modules imported by decide": f"{imported:.0f}, {milliseconds:.0f} ms processor time",
        "flags / commands / spellings": f"{flags:.0f} / {commands:.0f} / {spellings:.0f}",
        "flags of score, of its --help": f"{score:.0f}, {usual:.0f}",
    }


def lists(modules: Sequence[SourceModule]) -> Iterator[str]:
    """What the counts count, for who wants to make them smaller."""
    yield "Modules with one importer in their folder"
    for module, user in sorted(with_one_importer(modules), key=lambda pair: -pair[0].lines):
        yield f"  {module.lines:4} {module.name} <- {user.rpartition('.')[2]}"
    yield "Class names defined twice or more"
    for name, homes in repeated_classes(modules).items():
        yield f"  {name}: {', '.join(homes)}"
    for name, counts in bindings(modules, VAGUE_NAMES).items():
        yield f"Where '{name}' is bound most often"
        yield from (f"  {count:4} {module}" for module, count in counts.most_common(SHOWN))


def show(rows: Mapping[str, str]) -> None:
    """Print the rows with their values in one column."""
    width = max(map(len, rows))
    for label, value in rows.items():
        print(f"{label:{width}}  {value}")


def main() -> None:
    """Print the table, and what it counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="also the modules and names counted")
    parser.add_argument("--source", type=Path, metavar="DIR", help="another checkout to count")
    arguments = parser.parse_args()
    root = arguments.source or REPOSITORY
    modules = read_modules(root / "src" / "tertium")
    if not modules:
        raise SystemExit(f"{root}: found no src/tertium, expected a checkout")
    show(source_rows(modules, root) | ({} if arguments.source else run_rows()))
    if arguments.list:
        print("", *lists(modules), sep="\n")


if __name__ == "__main__":
    main()
