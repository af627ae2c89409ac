"""Source of a tool after validation, with all properties that are known before the tool runs.

The validator gives fast feedback and defense in depth. The actual protection is the sandbox in which the tool runs.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Union

from pydantic import Field, create_model

from reachy_agent_ros.core.arguments import ToolArguments, WholeNumber
from reachy_agent_ros.tool_generation.job import Limits, Need
from reachy_agent_ros.tool_generation.validation.annotation import TypeDescription
from reachy_agent_ros.tool_generation.validation.signature import Outline

# A tool may have a parameter `copy` or `json`; nothing calls pydantic's methods of these names on its arguments.
warnings.filterwarnings("ignore", 'Field name ".*" in ".*_arguments" shadows an attribute', UserWarning)

_PLAIN: dict[str, Any] = {"any": Any, "none": None, "bool": bool, "int": WholeNumber, "float": float, "str": str}

_LIST: Any = list
_DICT: Any = dict
_TUPLE: Any = tuple
_LITERAL: Any = Literal
_UNION: Any = Union


@dataclass(frozen=True)
class Parameter:
    """Parameter of a tool's function.

    Attributes:
        name: Name of the parameter.
        annotation: Type, derived from the syntax of the annotation, which is never evaluated.
        description: Description from the docstring, or the name in words.
        required: Whether the parameter has no default.
        default: Default value, if the parameter has one.
    """

    name: str
    annotation: Any
    description: str
    required: bool = True
    default: Any = None


@dataclass(frozen=True)
class Program:
    """Source that has passed the text gate and the validator.

    Attributes:
        source: Text that was checked and that will run.
        name: Name of the only public function, and of the tool.
        summary: First paragraph of the docstring, on one line.
        parameters: Parameters of the function, in order.
        limits: Limits of a run.
        needs: Capabilities derived from the source, which uses no others.
    """

    source: str
    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    limits: Limits = field(default_factory=Limits)
    needs: frozenset[Need] = frozenset()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the source as a hexadecimal text."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @cached_property
    def arguments(self) -> type[ToolArguments]:
        """Model of the tool's arguments. It provides their JSON Schema and validates calls."""
        fields: Mapping[str, Any] = {
            one.name: (
                one.annotation,
                Field(... if one.required else one.default, description=one.description),
            )
            for one in self.parameters
        }
        return create_model(f"{self.name}_arguments", __base__=ToolArguments, **fields)


def program_of(text: str, outline: Outline) -> Program:
    """Creates the program that an outline describes.

    Raises:
        ValueError: The outline is invalid.
    """
    parameters = tuple(
        Parameter(one["name"], type_of(one["type"]), one["description"], one["required"], one["default"])
        for one in outline["parameters"]
    )
    limits = Limits(outline["time"], outline["memory"])
    needs = frozenset(Need(need) for need in outline["needs"])
    return Program(text, outline["name"], outline["summary"], parameters, limits, needs)


def type_of(description: TypeDescription) -> Any:
    """Returns the Python type for a type description.

    No name from the source is evaluated.

    Raises:
        ValueError: The description is invalid.
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
    raise ValueError(f"{description!r:.60} does not describe a type")
