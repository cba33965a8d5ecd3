"""Write src/tertium/_native.pyi from the built module; `--check` only compares."""

import sys
from pathlib import Path

from nanobind.stubgen import StubGen

import tertium._native

STUB = Path(__file__).resolve().parents[1] / "src" / "tertium" / "_native.pyi"


def generated() -> str:
    """The stub of the native module as it is now."""
    generator = StubGen(tertium._native, include_docstrings=False)  # noqa: SLF001 - our own module
    generator.put(tertium._native)  # noqa: SLF001
    return str(generator.get())


if __name__ == "__main__":
    text = generated()
    if "--check" in sys.argv:
        if STUB.read_text(encoding="utf-8") != text:
            sys.exit(f"{STUB.name}: differs from the built module, expected the same; make stubs")
    else:
        STUB.write_text(text, encoding="utf-8")
        print(f"wrote {STUB.name}")
