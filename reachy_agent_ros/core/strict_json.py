"""Strict parsing of untrusted JSON. Rejects duplicate names and non-finite numbers."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""Forbidden control characters. ROS messages truncate a string at a NUL, so a checked name could change."""


def unambiguous_json(text: str | bytes) -> Any:
    """Parses JSON (RFC 8259) and rejects text that other parsers could interpret differently.

    Raises:
        ValueError: The text is not JSON, an object has a duplicate name (parsers differ in which one counts), a number
            is not finite as a double, or the nesting is too deep.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_object, parse_constant=_refuse, parse_float=_finite, parse_int=_integer
        )
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def strict_json(text: str | bytes) -> Any:
    """Parses JSON with `unambiguous_json`, and also rejects control characters in strings.

    Raises:
        ValueError: The text is rejected by `unambiguous_json`, or a string has a control character other than tabs and
            line ends.
    """
    value = unambiguous_json(text)
    _require_plain_texts(value)
    return value


def _require_plain_texts(value: Any) -> None:
    parts = [value]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            parts += [*part.keys(), *part.values()]
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, str) and _CONTROL.search(part):
            raise ValueError(f"the text {part!r:.60} contains a control character")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        name, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"the name {name!r:.60} occurs twice in an object")
    return members


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits:.40} is too large a number")
    return number


def _integer(digits: str) -> int:
    _finite(digits)
    return int(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a valid JSON number")
