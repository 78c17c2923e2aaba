"""Numbers as JSON can hold them."""

import math
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """A copy for JSON: no infinities, no not-a-numbers, no numpy types."""
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
