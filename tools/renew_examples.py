"""Run the examples of README and documentation again, and write what they print now.

`python tools/renew_examples.py [PAGE…]` renews the given pages, or all; with `--check` it changes
nothing, names the pages whose examples print something else, and fails. Examples are the `$ …`
lines of console blocks, which run in the folder of the sample, and `>>> …` sessions of Python
blocks. Read the diff before you commit it: a renewed example shows what happens, not what should.
"""

import argparse
import contextlib
import doctest
import importlib.util
import io
import os
import re
import subprocess
import sys
import tempfile
import traceback
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

REPOSITORY: Final = Path(__file__).resolve().parents[1]
DOCS: Final = REPOSITORY / "docs"
SAMPLE: Final = REPOSITORY / "src" / "tertium" / "data" / "sample"
ONE_FOLDER: Final = DOCS / "first-steps" / "own-files.md"
"""The page whose commands follow one another in a folder of their own."""
BLOCK: Final = re.compile(r"^```(console|python|pycon)\n(.*?)^```", re.DOTALL | re.MULTILINE)
IMPORT: Final = re.compile(r"^>>> (?:import|from) (\w+)", re.MULTILINE)
MODULE: Final = re.compile(r"# (\w+\.py)\n")


def main(arguments: list[str] | None = None) -> int:
    """Renew or check pages; the exit code is 1 if a checked page is stale."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=Path, help="Markdown files; all by default")
    parser.add_argument("--check", action="store_true", help="change nothing, fail if stale")
    options = parser.parse_args(arguments)
    pages = [page.resolve() for page in options.pages]
    pages = pages or [REPOSITORY / "README.md", *sorted(DOCS.rglob("*.md"))]
    stale = 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        renewed = renew(page, text)
        if renewed != text:
            stale += 1
            print(f"{'stale' if options.check else 'renewed'}: {page.relative_to(REPOSITORY)}")
            if not options.check:
                page.write_text(renewed, encoding="utf-8")
    pages_text = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
    print(f"{pages_text}, {stale} {'stale' if options.check else 'renewed'}")
    return int(options.check and stale > 0)


def renew(page: Path, text: str) -> str:
    """The text of a page with the outputs that its examples print now."""
    with tempfile.TemporaryDirectory() as folder:
        one_folder = page == ONE_FOLDER
        directory = Path(folder) if one_folder else SAMPLE
        for block in BLOCK.finditer(text):
            if named := MODULE.match(block[2]):
                Path(folder, named[1]).write_text(block[2], encoding="utf-8")
        with ThreadPoolExecutor(1 if one_folder else 2) as pool:
            blocks = list(pool.map(partial(_console_block, directory=directory), _blocks(text)))
        waiting = iter(blocks)
        text = BLOCK.sub(lambda block: f"```{block[1]}\n{next(waiting)}```", text)
        return text if one_folder else _sessions(text, Path(folder))


def _blocks(text: str) -> list[tuple[str, str]]:
    return [(language, content) for language, content in BLOCK.findall(text)]


def _console_block(block: tuple[str, str], *, directory: Path) -> str:
    language, content = block
    if language != "console":
        return content
    start, *examples = re.split(r"^\$ ", content, flags=re.MULTILINE)
    renewed = [start]
    for example in examples:
        command, _, _ = example.partition("\n")
        lines = (line.rstrip() for line in _printed(command, directory).splitlines())
        renewed.append("\n".join([f"$ {command}", *lines, ""]))
    return "".join(renewed)


def _printed(command: str, directory: Path) -> str:
    """Standard output, then standard error, as the tests of pages compare them."""
    programs = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path[1:]]),
    }
    typed = command.replace("tertium ", f"{sys.executable} -m tertium ", 1)
    done = subprocess.run(
        ["bash", "-c", typed],  # noqa: S607 - the shell that users type into
        input=b"",
        capture_output=True,
        cwd=directory,
        env=environment,
        check=False,
    )
    return done.stdout.decode() + done.stderr.decode()


def _sessions(text: str, modules: Path) -> str:
    """Python sessions of a page are one session, in the folder of the sample.

    Sessions that need a package that is not installed stay as they are.
    """
    missing = [name for name in IMPORT.findall(text) if _is_missing(name, modules)]
    if missing:
        print(f"sessions left alone, as a package is not installed: {missing[0]}")
        return text
    names: dict[str, Any] = {}
    before = Path.cwd()
    sys.path.insert(0, str(modules))
    os.chdir(SAMPLE)
    try:
        return BLOCK.sub(partial(_session_block, names=names), text)
    finally:
        os.chdir(before)
        sys.path.remove(str(modules))
        for name in [path.stem for path in modules.glob("*.py")]:
            sys.modules.pop(name, None)


def _is_missing(package: str, modules: Path) -> bool:
    return importlib.util.find_spec(package) is None and not (modules / f"{package}.py").exists()


def _session_block(block: "re.Match[str]", *, names: dict[str, Any]) -> str:
    language, content = block[1], block[2]
    if language == "console" or MODULE.match(content) or ">>> " not in content:
        return block[0]
    renewed = []
    for part in doctest.DocTestParser().parse(content):
        if isinstance(part, str):
            renewed.append(part)
            continue
        first, *rest = part.source.splitlines(keepends=True)
        renewed.append(f">>> {first}" + "".join(f"... {line}" for line in rest))
        printed = _run(part, names)
        checker = doctest.OutputChecker()
        flags = sum(flag for flag, chosen in part.options.items() if chosen)
        same = part.exc_msg is not None or checker.check_output(part.want, printed, flags)
        renewed.append(part.want if same else printed.replace("\n\n", "\n<BLANKLINE>\n"))
    return f"```{language}\n{''.join(renewed)}```"


def _run(example: doctest.Example, names: dict[str, Any]) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(example.source, "<example>", "single"), names)  # noqa: S102 - our own pages
        except Exception:
            if example.exc_msg is None:
                traceback.print_exc()
                raise
    return output.getvalue()


if __name__ == "__main__":
    sys.exit(main())
