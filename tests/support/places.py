"""Where things are in the checkout, and what stands in its pages."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
SAMPLE = REPOSITORY / "src" / "tertium" / "data" / "sample"
PAGES = sorted(DOCS.rglob("*.md"))

_LINES = re.DOTALL | re.MULTILINE


def page_name(page: Path) -> str:
    """A page as people call it, from the top of the checkout."""
    return page.relative_to(REPOSITORY).as_posix()


def blocks(page: Path, languages: str) -> list[str]:
    """What stands in the fenced blocks of some languages, in order."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```(?:{languages})\n(.*?)^```", text, flags=_LINES)


def unblocked(page: Path) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=_LINES)
