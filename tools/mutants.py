"""Plant faults one at a time, and see whether the tests notice them.

    make mutants SEED="1 2 3" SAMPLE=40                 # every area, three samples
    python tools/mutants.py --area python --seed 1 --sample 40
    python tools/mutants.py --area cpp --only cpp/metrics/amber --sample 10

A *mutant* is the source with one fault: a comparison turned, a constant off by one, `and` for `or`,
a guard or a statement removed, `None` returned, two arguments swapped. A sample of them is drawn
with a seed: first a line, so that long files get more of them, then one of its faults. Each is
written into a copy of the checkout in a temporary folder, never into the checkout itself, and the
tests most likely to notice it run first. A mutant is

- **killed** if a test fails that passes without the fault (that is tried, so that a test which
  fails in the copy for a reason of its own kills nothing), or if the tests no longer end;
- **equivalent** if `tools/mutants_equivalent.toml` names it with the reason why nobody could notice
  the fault; it does not count;
- **a survivor** otherwise: its diff is printed. Either a test is missing, or the code is.

To add an area: a function from a file's bytes to its `Mutant`s, one from a mutant to the `Stage`s
of commands that should fail, and a line in `AREAS`.
"""

import argparse
import ast
import builtins
import contextlib
import functools
import importlib.util
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
EQUIVALENT: Final = ROOT / "tools" / "mutants_equivalent.toml"
PATIENCE: Final = 6  # times the processor time: for tests that wait; more on a busy machine
MEMORY: Final = 16 * 2**30  # bytes of address space: a mutant may allocate without end


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One fault: the bytes from `start` to `end` of a file are replaced."""

    path: str  # from the top of the checkout, with slashes
    line: int
    start: int
    end: int
    replacement: bytes
    kind: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.replacement + source[self.end :]

    def changed_line(self, source: bytes) -> tuple[str, str]:
        """The line at which the fault begins, before and after."""
        begin = source.rfind(b"\n", 0, self.start) + 1
        before, after = source[begin:], self.applied(source)[begin:]
        return before.split(b"\n", 1)[0].decode().strip(), after.split(b"\n", 1)[0].decode().strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A command that should fail on a mutant; `{tree}` in it is the folder it runs in."""

    command: tuple[str, ...]
    limit: int  # seconds of processor time, so that a busy machine is no verdict
    variables: dict[str, str] = field(default_factory=dict)
    memory: int | None = MEMORY


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A part of the source with its own faults and tests."""

    sources: Callable[[Path], Iterable[str]]
    mutants: Callable[[str, bytes], Iterable[Mutant]]
    stages: Callable[[Path, Mutant], Iterable[Stage]]
    prepare: Callable[[Path], None] = lambda _: None
    build: Callable[[Path], bool] = lambda _: True  # false if a mutant does not compile
    viable: Callable[[bytes], bool] = lambda _: True  # the same, as far as its file tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a mutant."""

    mutant: Mutant
    status: str  # killed, timeout, survived, equivalent, unviable
    reason: str
    seconds: float


# --- Python -------------------------------------------------------------------------------------

NOT_MUTATED: Final = (
    "src/tertium/integrations/",  # tested where the packages of others are installed
    "src/tertium/scale/adapters/",
    "src/tertium/serve/store/migrations/",  # run once, and never changed
    "src/tertium/data/",
)
TURNED: Final[dict[type[ast.AST], bytes]] = {
    ast.Lt: b"<=",
    ast.LtE: b"<",
    ast.Gt: b">=",
    ast.GtE: b">",
    ast.Eq: b"!=",
    ast.NotEq: b"==",
    ast.In: b"not in",
    ast.NotIn: b"in",
    ast.Is: b"is not",
    ast.IsNot: b"is",
    ast.And: b"or",
    ast.Or: b"and",
    ast.Add: b"-",
    ast.Sub: b"+",
    ast.Mult: b"/",
    ast.Div: b"*",
    ast.FloorDiv: b"*",
    ast.Mod: b"*",
    ast.BitAnd: b"|",
    ast.BitOr: b"&",
}
OPERATOR: Final = re.compile(
    rb"(?<![\w=<>!])(not\s+in|is\s+not|and|or|in|is)(?!\w)|<=|>=|==|!=|//|[-<>+*/%&|]"
)
SYMMETRIC: Final = {"max", "min", "gcd", "isclose"}
# A difference of lengths is a mistake within tertium, which no input shows; what a value shows of
# itself in a debugger is no promise.
UNCHANGED_KEYWORDS: Final = {"strict", "repr"}


class _Faults(ast.NodeVisitor):
    """Collects the mutants of a module; texts of errors, annotations and decorators have none."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.mutants: list[Mutant] = []

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    def add(self, kind: str, start: int, end: int, replacement: bytes) -> None:
        line = self.source.count(b"\n", 0, start) + 1
        self.mutants.append(
            Mutant(
                path=self.path, line=line, start=start, end=end, replacement=replacement, kind=kind
            )
        )

    def turn(self, kind: str, left: ast.expr, right: ast.expr, operator: ast.AST) -> None:
        """Another operator between two operands."""
        start, end = self.span(left)[1], self.span(right)[0]
        between = re.sub(rb"#.*", lambda match: b" " * len(match[0]), self.source[start:end])
        match = OPERATOR.search(between)
        if match and type(operator) in TURNED:
            self.add(kind, start + match.start(), start + match.end(), TURNED[type(operator)])

    def negate(self, test: ast.expr) -> None:
        start, end = self.span(test)
        self.add("condition negated", start, end, b"not (" + self.source[start:end] + b")")

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, right, operator in zip(operands, operands[1:], node.ops, strict=False):
            self.turn("comparison", left, right, operator)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.turn("and/or", left, right, node.op)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = any(
            isinstance(side, ast.JoinedStr)
            or (isinstance(side, ast.Constant) and isinstance(side.value, (str, bytes)))
            for side in (node.left, node.right)
        )
        if not texts:
            self.turn("arithmetic", node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            start = self.span(node)[0]
            self.add("not removed", start, start + len(b"not"), b"")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        start, end = self.span(node)
        if isinstance(node.value, bool):
            self.add("constant", start, end, str(not node.value).encode())
        elif isinstance(node.value, (int, float)):
            self.add("constant", start, end, repr(node.value + 1).encode())

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        leaves = (ast.Raise, ast.Return, ast.Continue, ast.Break)
        if isinstance(node.body[0], leaves) and not node.orelse:
            self.add("guard removed", *self.span(node.test), b"False")
        self.negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            self.add("None returned", *self.span(node.value), b"None")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.add("statement removed", *self.span(node), b"pass")

    def visit_Break(self, node: ast.Break) -> None:
        self.add("break/continue", *self.span(node), b"continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self.add("break/continue", *self.span(node), b"break")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.add("statement removed", *self.span(node), b"pass")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets):
            self.add("statement removed", *self.span(node), b"pass")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.add("statement removed", *self.span(node), b"pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = ast.unparse(node.func).rpartition(".")[2]
        if len(node.args) > 1 and name not in SYMMETRIC:
            first, second = node.args[:2]
            starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
            if not starred and ast.dump(first) != ast.dump(second):
                (start, middle), (resumed, end) = self.span(first), self.span(second)
                text = self.source
                swapped = text[resumed:end] + text[middle:resumed] + text[start:middle]
                self.add("arguments swapped", start, end, swapped)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in UNCHANGED_KEYWORDS:
            self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        for statement in node.body:
            self.visit(statement)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for statement in node.body:
            self.visit(statement)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Before Python 3.12 the places of what stands in one are not those in the file."""


def python_mutants(path: str, source: bytes) -> list[Mutant]:
    """Every fault of a Python module; some may be no Python."""
    faults = _Faults(path, source)
    faults.visit(ast.parse(source))
    return faults.mutants


def _compiles(source: bytes) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def python_sources(tree: Path) -> Iterator[str]:
    """The modules of the package."""
    for path in sorted((tree / "src" / "tertium").rglob("*.py")):
        name = path.relative_to(tree).as_posix()
        if not name.startswith(NOT_MUTATED):
            yield name


WORD: Final = re.compile(r"[A-Za-z_]\w+")
NOT_SELECTED: Final = (
    "tests/project/",  # about the text of the source, not about what it does
    "tests/integrations/",
    "tests/scale/adapters/",
)


def _words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text))


@functools.cache
def _test_words(tree: Path) -> dict[str, frozenset[str]]:
    """The words of each test file."""
    return {
        name: _words(path.read_text(encoding="utf-8"))
        for path in sorted((tree / "tests").rglob("test_*.py"))
        if not (name := path.relative_to(tree).as_posix()).startswith(NOT_SELECTED)
    }


@functools.cache
def _word_counts(tree: Path) -> Counter[str]:
    """In how many test files each word stands."""
    return Counter(word for words in _test_words(tree).values() for word in words)


def _defined(source: bytes, line: int) -> tuple[set[str], set[str]]:
    """The public names of a module, and those around a line."""
    module = ast.parse(source)
    public, around = set(), set()
    for node in ast.walk(module):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            public.add(node.name)
            if node.lineno <= line <= (node.end_lineno or line):
                around.add(node.name)
    return public - set(dir(builtins)), around


@functools.cache
def _importers(tree: Path) -> dict[str, set[str]]:
    """For each module of tertium the names of those that import it, or a name of it."""
    importers: dict[str, set[str]] = {}
    for path in (tree / "src" / "tertium").rglob("*.py"):
        parts = path.relative_to(tree / "src").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        imported = r"^\s*(?:from|import) (tertium[\w.]*)"
        for module in re.findall(imported, path.read_text(encoding="utf-8"), re.MULTILINE):
            importers.setdefault(module, set()).add(name)
    return importers


def ranked_tests(tree: Path, path: str, line: int) -> list[str]:
    """Test files, those first that are likely to run a line of a module.

    What counts: names of the module that stand in the test, rare ones more, and most those around
    the line; the words of the two paths; the names of the modules that import this one.
    """
    source = (tree / path).read_bytes()
    public, around = _defined(source, line)
    parts = PurePosixPath(path).with_suffix("").parts[2:]
    module = ".".join(("tertium", *(part for part in parts if part != "__init__")))
    users = {name.rpartition(".")[2] for name in _importers(tree).get(module, ())}
    counts = _word_counts(tree)

    def score(name: str) -> float:
        words = _test_words(tree)[name]
        test = PurePosixPath(name).with_suffix("").parts[1:]
        mentioned = sum(1 / counts[word] for word in public & words)
        mentioned += sum(4 / counts[word] for word in around & words)
        mentioned += sum(1 / counts[word] for word in users & words)
        folders = sum(2.0 for ours, theirs in zip(parts[:-1], test[:-1], strict=False)
                      if ours == theirs)  # fmt: skip
        stem = set(test[-1].removeprefix("test_").split("_"))
        alike = len(stem & set(parts[-1].split("_"))) / len(stem)
        imported = 3.0 if parts[-1] in words else 0.0
        return mentioned * 2 + folders + alike * 3 + imported

    return sorted(_test_words(tree), key=lambda name: (-score(name), name))


FAST: Final = ("--hypothesis-profile=quick", "-m", "not slow and not browser and not shared")
SLOW: Final = ("--hypothesis-profile=quick", "-m", "slow and not browser and not shared")
NEAREST: Final = ("--hypothesis-profile=quick", "-m", "not browser and not shared")
OF_THE_WHOLE: Final = ("tests/test_public_parameters.py", "tests/cli/test_shared_flags.py")
PYTEST: Final = ("-m", "pytest", "-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider")


def pytest_stage(
    names: Sequence[str], limit: int, *flags: str, memory: int | None = MEMORY
) -> Stage:
    """Some test files, until one fails; a browser needs more addresses than there is memory."""
    return Stage(command=(sys.executable, *PYTEST, *flags, *names), limit=limit, memory=memory)


def python_stages(tree: Path, mutant: Mutant) -> Iterator[Stage]:
    """The two likeliest files with their slow tests, then more and more, at last all examples.

    Most faults are noticed at once, by tests whose files are few and so soon collected.
    """
    names = ranked_tests(tree, mutant.path, mutant.line)
    yield pytest_stage([mutant.path, *names[:2]], 120, *NEAREST)
    yield pytest_stage(names[2:8], 120, *FAST)
    yield pytest_stage(names[2:6], 120, *SLOW)
    yield pytest_stage([*names[8:30], *OF_THE_WHOLE], 240, *FAST)
    yield pytest_stage(names[:5], 360, memory=None)


def prepare_python(tree: Path) -> None:
    """The copy imports its own source, with the core that this Python has."""
    spec = importlib.util.find_spec("tertium._native")
    if spec is None or spec.origin is None:
        sys.exit("tertium._native: not found, expected a compiled core (run `make develop`)")
    shutil.copy2(spec.origin, tree / "src" / "tertium")
    # An editable installation would find the checkout before the copy.
    (tree / "site").mkdir()
    (tree / "site" / "sitecustomize.py").write_text(
        "import sys\n"
        "sys.meta_path[:] = [f for f in sys.meta_path if 'ScikitBuild' not in type(f).__name__]\n",
        encoding="utf-8",
    )


# --- C++ ----------------------------------------------------------------------------------------

CPP_NOT_MUTATED: Final = (
    *("cpp/tests/", "cpp/fuzz/", "cpp/portable/"),
    "cpp/text/tokens/unicode_tables.hpp",  # generated
)
# clang-format puts blanks around operators of two sides, and none within templates.
CPP_OPERATORS: Final = {
    b" < ": b" <= ",
    b" <= ": b" < ",
    b" > ": b" >= ",
    b" >= ": b" > ",
    b" == ": b" != ",
    b" != ": b" == ",
    b" && ": b" || ",
    b" || ": b" && ",
    b" + ": b" - ",
    b" - ": b" + ",
    b" * ": b" / ",
    b" / ": b" * ",
    b" % ": b" / ",
    b" += ": b" -= ",
    b" -= ": b" += ",
    b" *= ": b" += ",
    b" & ": b" | ",
    b" | ": b" & ",
    b" << ": b" >> ",
    b" >> ": b" << ",
}
CPP_WORDS: Final = {
    b"true": b"false",
    b"false": b"true",
    b"break;": b"continue;",
    b"continue;": b"break;",
    b"std::min": b"std::max",
    b"std::max": b"std::min",
}
CPP_HIDDEN: Final = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'"
    rb"|^\s*#[^\n]*|\bthrow\b[^;]*|\bstatic_assert\b[^;]*|\btemplate <[^\n]*"
    # What follows only costs time or room.
    rb"|[\w.>\[\]-]+(?:reserve|shrink_to_fit)\([^;]*|(?<=for_each_block\()[^\[\n]*",
    re.DOTALL | re.MULTILINE,
)
CPP_FAULTS: Final = re.compile(
    rb"(?P<operator>" + rb"|".join(map(re.escape, CPP_OPERATORS)) + rb")"
    rb"|(?<![\w:])(?P<word>" + rb"|".join(map(re.escape, CPP_WORDS)) + rb")(?!\w)"
    rb"|(?<![\w.'])(?P<number>\d+)(?![\w.'])"
    rb"|(?<=[(\s])(?P<negation>!)(?=[\w(])"
    rb"|(?P<step>\+\+|--)(?=\w)"
    rb"|\bif (?:constexpr )?\((?P<condition>)"
    rb"|^[ \t]+(?P<statement>(?!return|using|const|auto|else|case|delete|if|for|while|switch)"
    rb"[\w.>\[\]()*-]+(?: [-+*/|&]?= [^;{}]*|\([^;{}]*\)));$",
    re.MULTILINE,
)


def cpp_mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """Faults in the text of a C++ file, whose form clang-format has settled."""
    code = CPP_HIDDEN.sub(lambda match: re.sub(rb"[^\n]", b"\0", match[0]), source)
    for match in CPP_FAULTS.finditer(code):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        text = match[kind]
        replacement = {
            "operator": CPP_OPERATORS.get(text, b""),
            "word": CPP_WORDS.get(text, b""),
            "number": str(int(text) + 1).encode() if kind == "number" else b"",
            "negation": b"",
            "step": b"--" if text == b"++" else b"++",
            "statement": b"",
        }.get(kind, b"")
        if kind == "condition":
            end = _closing(code, start)
            inner = source[start:end]
            left = re.match(rb"\)\s*(?:\{\s*)?(?:return|throw|continue|break)?", code[end:])
            leaves = left is not None and not left[0].rstrip().endswith((b")", b"{"))
            # A condition is negated, and what guards the rest is also left out.
            replacements = [b"!(" + inner + b")", *([b"false"] if leaves else [])]
        else:
            replacements = [replacement]
        line = source.count(b"\n", 0, start) + 1
        for each in replacements:
            yield Mutant(path=path, line=line, start=start, end=end, replacement=each, kind=kind)


def _closing(code: bytes, start: int) -> int:
    """Where the parenthesis that was opened before `start` is closed."""
    depth = 1
    for position in range(start, len(code)):
        depth += {ord("("): 1, ord(")"): -1}.get(code[position], 0)
        if depth == 0:
            return position
    return len(code)


def cpp_sources(tree: Path) -> Iterator[str]:
    """The files of the core and of its bindings."""
    for path in sorted((tree / "cpp").rglob("*.?pp")):
        name = path.relative_to(tree).as_posix()
        if not name.startswith(CPP_NOT_MUTATED):
            yield name


def ranked_for_core(tree: Path, path: str) -> list[str]:
    """Test files, those first whose path and words are like those of a file of the core."""
    parts = PurePosixPath(path).with_suffix("").parts[1:]
    stem = set(parts[-1].split("_"))
    counts = _word_counts(tree)

    def score(name: str) -> float:
        test = PurePosixPath(name).with_suffix("").parts[1:]
        folders = sum(2.0 for ours, theirs in zip(parts[:-1], test[:-1], strict=False)
                      if ours == theirs)  # fmt: skip
        alike = len(stem & set("_".join(test).split("_")))
        mentioned = sum(16 / counts[word] for word in stem & _test_words(tree)[name])
        native = 1.0 if "_native" in _test_words(tree)[name] else 0.0
        return folders + 2 * alike + mentioned + native

    return sorted(_test_words(tree), key=lambda name: (-score(name), name))


REPLAY: Final = """
make --silent --no-print-directory -C cpp -f variants.mk OUT=../build/variant WARNINGS= \
    CXX="{compiler}" FLAGS='-O0 -D_GLIBCXX_ASSERTIONS' CORE=../build/mutants/libtertium_core.a \
    ../build/variant/unit-tests ../build/variant/replay &&
for vectors in none avx2 all; do
    TERTIUM_VECTORS=$vectors build/variant/unit-tests || exit 1
    for cases in cpp/fuzz/cases/*.txt; do
        TERTIUM_VECTORS=$vectors build/variant/replay $(basename $cases .txt) $cases 500 1 || exit 1
    done
done
"""


def _compiler() -> str:
    launcher = shutil.which("ccache")
    return f"{launcher} g++" if launcher else "g++"


def cpp_stages(tree: Path, mutant: Mutant) -> Iterator[Stage]:
    """Tests of the same folder, unit tests and kept cases of the fuzz targets, then more tests."""
    names = ranked_for_core(tree, mutant.path)
    yield pytest_stage(names[:3], 120, *NEAREST)
    yield pytest_stage(names[3:10], 120, *FAST)
    replay = REPLAY.replace("{compiler}", _compiler())
    yield Stage(command=("sh", "-c", replay), limit=300, variables=_ccache(tree))
    yield pytest_stage(names[10:30], 240, *FAST)
    yield pytest_stage(names[3:8], 240, *SLOW)
    yield pytest_stage(names[:8], 360, memory=None)


def _ccache(tree: Path) -> dict[str, str]:
    """Copies in several folders share what was compiled before."""
    return {"CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"}


def prepare_cpp(tree: Path) -> None:
    """A build of the core with the checks of the standard library, soon compiled."""
    prepare_python(tree)
    settings = tree / "CMakeLists.txt"
    # With bounds checked, the tables of Unicode take more steps than GCC allows by itself.
    flags = "-O1 -D_GLIBCXX_ASSERTIONS -fconstexpr-ops-limit=500000000"
    quick = settings.read_text(encoding="utf-8").replace("-O3", flags)
    settings.write_text(quick, encoding="utf-8")
    nanobind = importlib.util.find_spec("nanobind")
    if nanobind is None or nanobind.origin is None:
        sys.exit("nanobind: not found, expected for a build of the core (run `make develop`)")
    launcher = shutil.which("ccache")
    subprocess.run(
        ["cmake", "-S", tree, "-B", tree / "build" / "mutants", "-G", "Ninja",  # noqa: S607 - CMake
         "-DCMAKE_BUILD_TYPE=None", f"-DPython_EXECUTABLE={sys.executable}",
         f"-Dnanobind_DIR={Path(nanobind.origin).parent / 'cmake'}",
         *([f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}"] if launcher else [])],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    if not build_cpp(tree, shown=True):
        sys.exit("cpp: the core without a fault does not compile in a copy of the checkout")


def build_cpp(tree: Path, *, shown: bool = False) -> bool:
    """Whether the core compiles; then the copy's Python finds it."""
    made = subprocess.run(
        ["cmake", "--build", tree / "build" / "mutants", "--target", "_native", "-j1"],  # noqa: S607 - CMake
        check=False, capture_output=True, env={**os.environ, **_ccache(tree)},
    )  # fmt: skip
    if made.returncode:
        if shown:
            print(made.stdout.decode(errors="replace")[-2000:])
        return False
    for path in (tree / "build" / "mutants").glob("_native*.so"):
        for old in (tree / "src" / "tertium").glob("_native*.so"):
            old.unlink()
        shutil.copy2(path, tree / "src" / "tertium")
    return True


# --- Scripts of the pages -----------------------------------------------------------------------

SCRIPT_FOLDERS: Final = ("src/tertium/serve/web/static", "src/tertium/report/html/assets")
# As in the core, operators of two sides have blanks around them.
SCRIPT_OPERATORS: Final = {
    **{
        operator: CPP_OPERATORS[operator]
        for operator in (b" < ", b" <= ", b" > ", b" >= ", b" && ", b" || ", b" + ", b" - ", b" * ",
                         b" / ", b" % ", b" += ", b" -= ")
    },
    b" === ": b" !== ",
    b" !== ": b" === ",
    b" ?? ": b" && ",
    b" ? ": b" ? void ",  # the first of two values is not given
}  # fmt: skip
SCRIPT_WORDS: Final = {
    **{word: CPP_WORDS[word] for word in (b"true", b"false", b"break;", b"continue;")},
    b"Math.min(": b"Math.max(",
    b"Math.max(": b"Math.min(",
    b"await ": b"",
}
SCRIPT_FAULTS: Final = re.compile(
    rb"(?P<operator>" + rb"|".join(map(re.escape, SCRIPT_OPERATORS)) + rb")"
    rb"|(?<![\w.$])(?P<word>" + rb"|".join(map(re.escape, SCRIPT_WORDS)) + rb")(?!\w)"
    rb"|(?<![\w.$])(?P<number>\d[\d_]*)(?![\w.])"
    rb"|(?<=[(\s])(?P<negation>!)(?=[\w(])"
    rb"|\b(?:if|while) \((?P<condition>)"
    rb"|\breturn (?P<value>[^;\n]+)(?=;)"
    rb"|^[ \t]*(?P<statement>(?!return|const|let|else|case|if|for|while|function|async|class|export"
    rb"|import|try)[\w$.]+[^;\n]*);[ \t]*$",
    re.MULTILINE,
)


def script_mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """Faults in the text of a script, outside of its texts, comments and regular expressions."""
    code = _script_code(source)
    for match in SCRIPT_FAULTS.finditer(code):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        if kind == "condition":
            end = _closing(code, start)
            inner = source[start:end]
            leaves = re.match(rb"\)\s*(?:\{\s*)?(?:return|throw|continue|break)\b", code[end:])
            replacements = [b"!(" + inner + b")", *([b"false"] if leaves else [])]
        elif kind in {"value", "statement"} and not _balanced(match[kind]):
            continue  # one that goes on on another line
        elif kind == "statement" and code[:start].rstrip(b" \n\0")[-1:] not in b";{}":
            continue  # one that began on another line
        else:
            text = match[kind]
            replacements = [
                {
                    "operator": SCRIPT_OPERATORS.get(text, b""),
                    "word": SCRIPT_WORDS.get(text, b""),
                    "number": str(int(text) + 1).encode() if kind == "number" else b"",
                    "value": b"undefined",
                }.get(kind, b"")
            ]
        line = source.count(b"\n", 0, start) + 1
        for each in replacements:
            yield Mutant(path=path, line=line, start=start, end=end, replacement=each, kind=kind)
        if kind == "statement":  # which has faults inside, too
            yield from _within(path, source, code, start, end)


def _within(path: str, source: bytes, code: bytes, start: int, end: int) -> Iterator[Mutant]:
    """Faults in a statement that starts its line."""
    hidden = code[:start] + b"\0" + code[start + 1 : end]
    for match in SCRIPT_FAULTS.finditer(hidden, start):
        kind = match.lastgroup or ""
        table = {"operator": SCRIPT_OPERATORS, "word": SCRIPT_WORDS}.get(kind, {})
        begin, stop = match.span(kind)
        replacement = table.get(match[kind])
        if kind == "number":
            replacement = str(int(match[kind]) + 1).encode()
        if kind == "negation":
            replacement = b""
        if replacement is not None:
            line = source.count(b"\n", 0, begin) + 1
            yield Mutant(path=path, line=line, start=begin, end=stop, replacement=replacement,
                         kind=kind)  # fmt: skip


def _balanced(code: bytes) -> bool:
    return all(code.count(opened) == code.count(closed) for opened, closed in
               ((b"(", b")"), (b"{", b"}"), (b"[", b"]")))  # fmt: skip


SCRIPT_HIDDEN: Final = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    rb"|(?<=[(,=:!&|?;] )/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/\w*"
    rb"|(?<=[(!])/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/\w*"
    rb"|(?<=return )/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+/\w*",
    re.DOTALL,
)


def _script_code(source: bytes) -> bytes:
    """A script whose texts, comments and regular expressions are zeros; `${…}` stays."""
    code = bytearray()
    templates: list[int] = []  # for each open template, how many braces are open within its ${…}
    position = 0
    while position < len(source):
        if templates and templates[-1] == 0:  # in the text of a template
            if source.startswith(b"${", position):
                templates[-1] = 1
                code += b"\0\0"
                position += 2
            elif source[position] == ord("`"):
                templates.pop()
                code += b"\0"
                position += 1
            else:
                escaped = source[position] == ord("\\")
                code += re.sub(rb"[^\n]", b"\0", source[position : position + 1 + escaped])
                position += 1 + escaped
        elif hidden := SCRIPT_HIDDEN.match(source, position):
            code += re.sub(rb"[^\n]", b"\0", hidden[0])
            position = hidden.end()
        else:
            character = source[position]
            if character == ord("`"):
                templates.append(0)
            elif templates:
                templates[-1] += {ord("{"): 1, ord("}"): -1}.get(character, 0)
            ends = character == ord("`") or (templates and templates[-1] == 0)
            code.append(0 if ends else character)
            position += 1
    return bytes(code)


def script_sources(tree: Path) -> Iterator[str]:
    """The scripts of the server's pages and of reports."""
    for folder in SCRIPT_FOLDERS:
        for path in sorted((tree / folder).rglob("*.js")):
            yield path.relative_to(tree).as_posix()


def script_stages(tree: Path, mutant: Mutant) -> Iterator[Stage]:
    """Tests of the script itself, of all scripts, and of the pages that load it."""
    path = PurePosixPath(mutant.path)
    folder = tree / "tests" / "scripts"
    tests = {
        name.relative_to(folder).as_posix(): name.read_text(encoding="utf-8")
        for name in sorted(folder.glob("*/*.js"))
    }
    if mutant.path.startswith(SCRIPT_FOLDERS[1]):
        near = [name for name in tests if name.startswith("report/")]
        pages = ["tests/report/html", "tests/serve/evaluation/test_browser.py"]
    else:
        near = [name for name, text in tests.items()
                if f"/{path.name}" in text or f'module("{path.stem}"' in text]  # fmt: skip
        pages = {
            "names": ["tests/serve/annotation/test_browser.py"],
            "rating": ["tests/serve/rating/browser"],
        }.get(path.parent.name, ["tests/serve/accounts/test_browser.py",
                                 "tests/serve/evaluation/test_browser.py"])  # fmt: skip
    # Chromium reserves more address space than it uses.
    patient = {"TERTIUM_PATIENCE": "20"}
    for limit, names, flags in (
        *([(120, ["tests/scripts"], ["-k", " or ".join(near)])] if near else []),
        (240, ["tests/scripts"], []),
        (600, pages, ["-m", "browser and not shared"]),
    ):
        stage = pytest_stage(names, limit, *flags)
        yield replace(stage, variables=patient, memory=None)


AREAS: Final = {
    "python": Area(
        sources=python_sources,
        mutants=python_mutants,
        stages=python_stages,
        prepare=prepare_python,
        viable=_compiles,
    ),
    "cpp": Area(
        sources=cpp_sources,
        mutants=cpp_mutants,
        stages=cpp_stages,
        prepare=prepare_cpp,
        build=build_cpp,
    ),
    "scripts": Area(
        sources=script_sources,
        mutants=script_mutants,
        stages=script_stages,
        prepare=prepare_python,
    ),
}

# --- The same for every area --------------------------------------------------------------------


def copy_checkout(tree: Path) -> None:
    """What git knows of the checkout, with its changes; the data beside it stay where they are."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - git
        cwd=ROOT, capture_output=True, check=True, encoding="utf-8",
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name, follow_symlinks=False)
            if name.endswith(".py"):
                _copy_bytecode(ROOT / name, tree / name)
    shared = ROOT.parent / "shared"
    beside = tree.parent / "shared"
    if shared.is_dir() and not beside.exists():
        beside.symlink_to(shared)


def _copy_bytecode(source: Path, target: Path) -> None:
    """What Python and pytest have compiled; it is used as the copy has the time of its source."""
    for path in (source.parent / "__pycache__").glob(f"{source.stem}.*.pyc"):
        cache = target.parent / "__pycache__"
        cache.mkdir(exist_ok=True)
        shutil.copy2(path, cache)


def drawn(
    tree: Path, area: Area, only: Sequence[str], generator: random.Random
) -> Iterator[Mutant]:
    """Mutants at random lines, without end and without repetition."""
    lines = [
        (name, number)
        for name in area.sources(tree)
        if not only or any(name.startswith(prefix) for prefix in only)
        for number in range(1, (tree / name).read_bytes().count(b"\n") + 1)
    ]
    mutants: dict[str, dict[int, list[Mutant]]] = {}
    while lines:
        position = generator.randrange(len(lines))
        lines[position], lines[-1] = lines[-1], lines[position]
        name, number = lines.pop()
        source = (tree / name).read_bytes()
        if name not in mutants:
            mutants[name] = {}
            for mutant in area.mutants(name, source):
                mutants[name].setdefault(mutant.line, []).append(mutant)
        faults = mutants[name].get(number, [])
        if viable := [mutant for mutant in faults if area.viable(mutant.applied(source))]:
            yield generator.choice(viable)


def named_equivalent(mutant: Mutant, source: bytes) -> str | None:
    """The reason why nobody could notice this fault, if the list has one."""
    before, after = mutant.changed_line(source)
    for entry in _equivalent_entries():
        if (entry["file"], entry["line"]) == (mutant.path, before) and entry["mutant"] == after:
            return str(entry["reason"])
    return None


@functools.cache
def _equivalent_entries() -> list[dict[str, str]]:
    if not EQUIVALENT.exists():
        return []
    return list(tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("equivalent", []))


def _crowding() -> float:
    """How many times longer than alone a process of low priority may take."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1) / 2)


class Runner:
    """Runs stages in copies of the checkout, and knows what fails without any fault."""

    def __init__(self, clean: Path) -> None:
        self.clean = clean
        self.sound: dict[tuple[str, ...], bool] = {}
        self.broken: set[str] = set()
        self.lock = threading.Lock()

    def run(self, tree: Path, stage: Stage) -> tuple[str, str]:
        """How a command ends: passed, failed or timeout; and its last output."""
        command = [word.replace("{tree}", str(tree)) for word in stage.command]
        if "pytest" in command:
            command += [f"--deselect={test}" for test in sorted(self.broken)]
        paths = f"{tree / 'src'}{os.pathsep}{tree / 'site'}"
        environment = {**os.environ, "PYTHONPATH": paths}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        environment.update(stage.variables)

        def limit_memory() -> None:
            if stage.memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (stage.memory, stage.memory))
            resource.setrlimit(resource.RLIMIT_CPU, (stage.limit, stage.limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                command, cwd=tree, env=environment, stdout=log, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, start_new_session=True,
                preexec_fn=limit_memory,  # noqa: PLW1509 - it calls nothing that could lock
            )  # fmt: skip
            try:
                code: int | None = process.wait(stage.limit * PATIENCE * _crowding())
            except subprocess.TimeoutExpired:
                code = None
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # with what the tests left running
            process.wait()
            log.seek(0)
            said = log.read().decode(errors="replace")
        if code in {None, -signal.SIGXCPU, -signal.SIGKILL}:
            return "timeout", said
        no_tests = 5
        return ("passed" if code in {0, no_tests} else "failed"), said

    def passes_clean(self, stage: Stage) -> bool:
        """Whether a command passes, and in time, where there is no fault."""
        if stage.command not in self.sound:
            self.sound[stage.command] = self.run(self.clean, stage)[0] == "passed"
        return self.sound[stage.command]

    def killer(self, tree: Path, stage: Stage) -> tuple[str, str] | None:
        """What notices the fault in a stage: killed or timeout, and by which test."""
        for _ in range(20):  # a test that fails in any case is left out, and the rest run again
            status, said = self.run(tree, stage)
            if status == "passed":
                return None
            # All cases of a parametrized test: their names may hold anything.
            test = re.search(r"^(?:FAILED|ERROR) (\S+?\.py(?:::[\w.]+)*)", said, re.MULTILINE)
            with self.lock:
                if status == "timeout":
                    return ("timeout", "no end") if self.passes_clean(stage) else None
                if test is None or "pytest" not in stage.command:
                    lines = said.strip().splitlines() or ["no output"]
                    return ("killed", lines[-1]) if self.passes_clean(stage) else None
                words = stage.command[: stage.command.index("pytest") + 1]
                # The profiles are in tests/conftest.py, which examples in the source do not load.
                profile = "--hypothesis" if test[1].startswith("tests/") else "--none"
                flags = [word for word in stage.command if word.startswith(profile)]
                alone = replace(stage, command=(*words, *PYTEST[2:], *flags, test[1]))
                if self.passes_clean(alone):
                    return "killed", test[1]
                self.broken.add(test[1])
                print(f"fails without a fault, left out: {test[1]}", flush=True)
        return None

    def verdict(self, area: Area, tree: Path, mutant: Mutant) -> Verdict:
        """Plant a fault in a copy, run the tests, and take it out again."""
        begun = time.monotonic()

        def ended(status: str, reason: str = "") -> Verdict:
            seconds = time.monotonic() - begun
            return Verdict(mutant=mutant, status=status, reason=reason, seconds=seconds)

        path = tree / mutant.path
        source = path.read_bytes()
        if reason := named_equivalent(mutant, source):
            return ended("equivalent", reason)
        path.write_bytes(mutant.applied(source))
        try:
            if not area.build(tree):
                return ended("unviable", "does not compile")
            for stage in area.stages(self.clean, mutant):
                noticed = self.killer(tree, stage)
                if noticed is not None:
                    return ended(*noticed)
        finally:
            path.write_bytes(source)
        return ended("survived")


def judged(
    name: str, area: Area, folder: Path, *, seed: int, sample: int, jobs: int, only: Sequence[str]
) -> list[Verdict]:
    """The verdicts on a sample of an area's mutants, each printed when it is known.

    The copies in the folder serve every sample; the first call makes them.
    """
    clean = folder / "clean"
    trees: queue.Queue[Path] = queue.Queue()
    for job in range(jobs):
        trees.put(folder / f"job{job}")
    if not clean.exists():
        clean.mkdir(parents=True)
        copy_checkout(clean)
        for tree in list(trees.queue):
            area.prepare(Path(shutil.copytree(clean, tree, symlinks=True)))
        area.prepare(clean)
    runner = Runner(clean)
    mutants = drawn(clean, area, only, random.Random(f"{name} {seed}"))  # noqa: S311 - a sample
    lock = threading.Lock()
    counted: list[Verdict] = []
    pending = sample

    def work(_: int) -> None:
        nonlocal pending
        tree = trees.get()
        while True:
            with lock:
                mutant = next(mutants, None) if pending > 0 else None
                pending -= 1
            if mutant is None:
                break
            verdict = runner.verdict(area, tree, mutant)
            with lock:
                if verdict.status in {"equivalent", "unviable"}:
                    pending += 1
                counted.append(verdict)
                report(verdict, clean)
        trees.put(tree)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return counted


def report(verdict: Verdict, tree: Path) -> None:
    """One line for a mutant, and its diff if it survived."""
    mutant = verdict.mutant
    print(
        f"{verdict.status:10} {mutant.path}:{mutant.line} {mutant.kind} "
        f"({verdict.seconds:.0f} s{', ' if verdict.reason else ''}{verdict.reason[:120]})",
        flush=True,
    )
    if verdict.status == "survived":
        before, after = mutant.changed_line((tree / mutant.path).read_bytes())
        print(f"  - {before}\n  + {after}", flush=True)


def percent(verdicts: Iterable[Verdict]) -> tuple[int, int, float]:
    """Mutants that were noticed, all that count, and their share in percent."""
    counts = Counter(verdict.status for verdict in verdicts)
    noticed = counts["killed"] + counts["timeout"]
    total = noticed + counts["survived"]
    return noticed, total, 100 * noticed / total if total else 100.0


def main() -> int:
    """Exit code 1 if an area has fewer killed mutants than was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--area", choices=AREAS, action="append", help="one or more (all)")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of each sample (1)")
    parser.add_argument("--sample", type=int, default=40, help="mutants of each area (40)")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time (2)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="PREFIX", help="files that begin like this"
    )
    parser.add_argument(
        "--least", type=float, default=0, metavar="PERCENT", help="fail below this share"
    )
    arguments = parser.parse_args()
    below = False
    for name in arguments.area or AREAS:
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            for seed in arguments.seed:
                begun = time.monotonic()
                verdicts = judged(
                    name, AREAS[name], Path(folder),
                    seed=seed, sample=arguments.sample, jobs=arguments.jobs, only=arguments.only,
                )  # fmt: skip
                noticed, total, share = percent(verdicts)
                equivalent = sum(verdict.status == "equivalent" for verdict in verdicts)
                print(
                    f"{name}, seed {seed}: {noticed} of {total} mutants noticed ({share:.1f} %), "
                    f"{equivalent} equivalent, {time.monotonic() - begun:.0f} s",
                    flush=True,
                )
                below |= share < arguments.least
    return int(below)


if __name__ == "__main__":
    sys.exit(main())
