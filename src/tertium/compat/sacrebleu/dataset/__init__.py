"""The test sets that sacreBLEU downloads: none, since nothing is downloaded here."""

from typing import Any, Final

DATASETS: Final[dict[str, Any]] = {}
SUBSETS: Final[dict[str, dict[str, str]]] = {}
