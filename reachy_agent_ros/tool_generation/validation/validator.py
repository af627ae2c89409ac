"""The validator: a tool's text becomes a `Program`, or is refused with what must be changed.

It is fast feedback and defence in depth. What keeps a tool from harm is the box that it runs in.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, Union

from reachy_agent_ros.core.arguments import WholeNumber
from reachy_agent_ros.tool_generation.job import Limits, Need
from reachy_agent_ros.tool_generation.program import Parameter, Program
from reachy_agent_ros.tool_generation.validation.annotation import TypeDescription
from reachy_agent_ros.tool_generation.validation.examination import examine
from reachy_agent_ros.tool_generation.validation.signature import Outline

_PLAIN: dict[str, Any] = {"any": Any, "none": None, "bool": bool, "int": WholeNumber, "float": float, "str": str}

_LIST: Any = list
_DICT: Any = dict
_TUPLE: Any = tuple
_LITERAL: Any = Literal
_UNION: Any = Union


def validate(text: str, taken: Collection[str] = ()) -> Program:
    """Checks a source against the allow-lists; for texts of strangers use `reader.read_program`.

    Args:
        text: Of the source, as `text_gate.read_text` gave it.
        taken: Names that the tool may not have, nor imitate.

    Raises:
        Rejection: With every complaint there is.
    """
    return program_of(text, examine(text, taken))


def program_of(text: str, outline: Outline) -> Program:
    """The program that an outline describes.

    Raises:
        ValueError: The outline is none.
    """
    parameters = tuple(
        Parameter(one["name"], type_of(one["type"]), one["description"], one["required"], one["default"])
        for one in outline["parameters"]
    )
    limits = Limits(outline["time"], outline["memory"])
    needs = frozenset(Need(need) for need in outline["needs"])
    return Program(text, outline["name"], outline["summary"], parameters, limits, needs)


def type_of(description: TypeDescription) -> Any:
    """The type that was described, made by us: no name of a tool's source is looked up or evaluated.

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
