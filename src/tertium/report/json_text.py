"""Results as JSON."""

import json
import math
from typing import Any


def json_text(value: dict[str, Any]) -> str:
    """JSON that every parser takes: numbers that JSON does not know become ``null``."""
    return json.dumps(finite(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def finite(value: Any) -> Any:
    """The value with ``None`` for each number that JSON does not know."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
