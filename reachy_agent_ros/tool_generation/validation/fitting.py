"""Whether a JSON value is of a described type."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.tool_generation.validation.annotation import TypeDescription


def fits(value: Any, described: TypeDescription) -> bool:
    """Whether a call could give this value for an argument of that type."""
    match described:
        case "any":
            return True
        case "none":
            return value is None
        case "bool":
            return isinstance(value, bool)
        case "str":
            return isinstance(value, str)
        case "int":
            return isinstance(value, int) and not isinstance(value, bool)
        case "float":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case ["literal", *values]:
            return any(type(one) is type(value) and one == value for one in values)
        case ["union", *options]:
            return any(fits(value, option) for option in options)
        case ["dict", part]:
            return isinstance(value, dict) and all(fits(one, part) for one in value.values())
        case ["tuple", *parts]:
            return isinstance(value, list) and len(value) == len(parts) and all(map(fits, value, parts))
        case ["list" | "tuple_of", part]:
            return isinstance(value, list) and all(fits(one, part) for one in value)
    return False
