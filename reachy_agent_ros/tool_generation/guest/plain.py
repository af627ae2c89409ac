"""A tool's result as JSON has it, or a sentence about what cannot be."""

from __future__ import annotations

import math
import sys
from typing import Any

DEEPEST = 24
"""Lists and dicts within one another; some fewer than the wire lets through."""

_ADVICE = {
    "set": "make it a sorted list",
    "frozenset": "make it a sorted list",
    "bytes": "decode it, or return its length",
    "datetime": "call isoformat()",
    "date": "call isoformat()",
    "timedelta": "call total_seconds()",
    "Decimal": "call float() or str()",
    "Fraction": "call float() or str()",
    "coroutine": "await it",
}


def plain(value: Any, where: str = "result", left: int = DEEPEST) -> Any:
    """Turns a value into None, booleans, numbers, strings, lists and dicts.

    Numpy's scalars and arrays become numbers and lists, tuples become lists.

    Args:
        value: Any.
        where: What it is called in complaints.
        left: How many lists and dicts it may have within one another.

    Raises:
        TypeError: It is, or has in it, something else.
        ValueError: A number is not finite, or it is too deep.
    """
    numpy = sys.modules.get("numpy")  # who has not read it has no values of it
    if numpy is not None and isinstance(value, (numpy.generic, numpy.ndarray)):
        value = value.tolist()  # a scalar's is Python's own number
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return _finite(float(value), where)
    if isinstance(value, str):
        return _whole(str(value), where)
    if left == 0:
        raise ValueError(f"{where} is nested more than {DEEPEST} deep")
    if isinstance(value, (list, tuple)):
        return [plain(part, f"{where}[{index}]", left - 1) for index, part in enumerate(value)]
    if isinstance(value, dict):
        return {_key(key, where): plain(part, f"{where}[{key!r:.40}]", left - 1) for key, part in value.items()}
    kind = type(value).__name__
    advice = _ADVICE.get(kind, "return numbers, strings, lists and dicts")
    raise TypeError(f"{where} is a {kind}, which is no JSON: {advice}")


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{where} has the key {key!r:.40}: keys are strings, write str(...)")
    return _whole(str(key), f"a key of {where}")


def _finite(number: float, where: str) -> float:
    if not math.isfinite(number):
        raise ValueError(f"{where} is {number}: numbers must be finite, return None instead")
    return number


def _whole(text: str, where: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{where} has half a character in it (a lone surrogate)") from None
    return text
