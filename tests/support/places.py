"""Where things are in the checkout."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DOCS = REPOSITORY / "docs"
SAMPLE = REPOSITORY / "src" / "tertium" / "data" / "sample"
