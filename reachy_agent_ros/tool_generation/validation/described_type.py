"""Types made from their descriptions, by us: no name of a tool's source is looked up or evaluated."""

from __future__ import annotations

from typing import Any, Literal, Union

from reachy_agent_ros.core.arguments import WholeNumber
from reachy_agent_ros.tool_generation.validation.annotation import TypeDescription

_PLAIN: dict[str, Any] = {"any": Any, "none": None, "bool": bool, "int": WholeNumber, "float": float, "str": str}

_LIST: Any = list
_DICT: Any = dict
_TUPLE: Any = tuple
_LITERAL: Any = Literal
_UNION: Any = Union


def type_of(description: TypeDescription) -> Any:
    """The type that was described.

    Raises:
        ValueError: It describes none.
    """
    match description:
        case str(name) if name in _PLAIN:
            return _PLAIN[name]
        case ["list", item]:
            return _LIST[type_of(item)]
        case ["dict", value]:
            return _DICT[str, type_of(value)]
        case ["tuple_of", item]:
            return _TUPLE[type_of(item), ...]
        case ["tuple", *items]:
            return _TUPLE[tuple(type_of(item) for item in items)]
        case ["literal", *values] if values and all(isinstance(value, (str, int)) for value in values):
            return _LITERAL[tuple(values)]
        case ["union", *options] if options:
            return _UNION[tuple(type_of(option) for option in options)]
    raise ValueError(f"{description!r:.60} describes no type")
