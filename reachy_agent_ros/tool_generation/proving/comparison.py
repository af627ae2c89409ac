"""Whether a result is the expected one, decided on the host by the types of JSON alone."""

from __future__ import annotations

import builtins
import json
import math
from typing import Any

RELATIVE = 1e-6
"""Difference between two numbers that are the same, as a share of them."""

_ABSOLUTE = 1e-9
"""The same near zero, where a sine of pi ends."""

_LONGEST = 120
"""Letters of a value in a message."""

_KINDS = {bool: "a boolean", str: "a text", list: "a list", dict: "an object", type(None): "null"}


def difference(expected: Any, got: Any, place: str = "result") -> str | None:
    """Where a result first differs from what was expected.

    An object must have every expected key, with a value that matches; more keys do no harm. Lists match item by item,
    numbers within `RELATIVE`, everything else exactly; true is no 1.

    Args:
        expected: JSON value.
        got: JSON value, from whoever.
        place: How to call it.

    Returns:
        A sentence that names the place, None where they match.
    """
    if kind(expected) != kind(got):
        return f"{place}: expected {kind(expected)}, {shown(expected)}, got {kind(got)}, {shown(got)}"
    if isinstance(expected, dict):
        return _in_object(expected, got, place)
    if isinstance(expected, list):
        return _in_list(expected, got, place)
    same = math.isclose(expected, got, rel_tol=RELATIVE, abs_tol=_ABSOLUTE) if _number(expected) else expected == got
    return None if same else f"{place}: expected {shown(expected)}, got {shown(got)}"


def kind(value: Any) -> str:
    """A JSON value's type, in words."""
    return _KINDS.get(type(value), "a number")


def shown(value: Any) -> str:
    """A JSON value as a message shows it, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}... ({len(text)} letters)"


def is_kind_of(raised: str, wanted: str) -> bool:
    """Whether an exception of the type called `raised` is one that is called `wanted`, or of a built-in base of it."""
    if raised == wanted or (raised and wanted in ("Exception", "BaseException")):
        return True
    one, other = getattr(builtins, raised, None), getattr(builtins, wanted, None)
    return isinstance(one, type) and isinstance(other, type) and issubclass(one, other)


def _in_object(expected: dict[str, Any], got: dict[str, Any], place: str) -> str | None:
    for key, value in expected.items():
        inside = f"{place}[{json.dumps(key, ensure_ascii=False)}]"
        if key not in got:
            keys = ", ".join(map(repr, got)) or "no keys"
            return f"{inside} is missing; there is {keys:.120}"
        found = difference(value, got[key], inside)
        if found is not None:
            return found
    return None


def _in_list(expected: list[Any], got: list[Any], place: str) -> str | None:
    if len(expected) != len(got):
        return f"{place}: expected {len(expected)} items, {shown(expected)}, got {len(got)}, {shown(got)}"
    found = (difference(one, other, f"{place}[{n}]") for n, (one, other) in enumerate(zip(expected, got, strict=True)))
    return next(filter(None, found), None)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
