"""Results as JSON."""

import json
import math
from typing import Any


def json_text(value: dict[str, Any]) -> str:
    """JSON that every parser takes: numbers that JSON does not know become ``null``."""
    return json.dumps(_finite(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
