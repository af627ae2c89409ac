"""A tool's source after it was read: everything known of it without running it."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import Field, create_model

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tool_generation.job import Limits, Need

# A tool may well have a parameter `copy` or `json`; nobody calls pydantic's methods of these names on its arguments.
warnings.filterwarnings("ignore", 'Field name ".*" in ".*_arguments" shadows an attribute', UserWarning)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a tool's function.

    Attributes:
        name: Its name.
        annotation: Its type, made by us from the text of the annotation, which is never evaluated.
        description: From the docstring.
        required: Whether it has no default.
        default: The default where it has one.
    """

    name: str
    annotation: Any
    description: str
    required: bool = True
    default: Any = None


@dataclass(frozen=True)
class Program:
    """A source that passed the text gate and the validator.

    Attributes:
        source: The text, as it was checked and as it will run.
        name: Of its one public function, and so of the tool.
        summary: What it does: the docstring's first paragraph, on one line.
        parameters: Of the function, in order.
        limits: What a run may use.
        needs: Capabilities, derived from the source; it may name one that it does not use, never the reverse.
    """

    source: str
    name: str
    summary: str
    parameters: tuple[Parameter, ...] = ()
    limits: Limits = field(default_factory=Limits)
    needs: frozenset[Need] = frozenset()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the source, hexadecimal: the name of this very text."""
        return hashlib.sha256(self.source.encode()).hexdigest()

    @cached_property
    def arguments(self) -> type[ToolArguments]:
        """Model of the arguments object, from which its JSON Schema and the validation of calls come."""
        fields: Mapping[str, Any] = {
            one.name: (
                one.annotation,
                Field(... if one.required else one.default, description=one.description),
            )
            for one in self.parameters
        }
        return create_model(f"{self.name}_arguments", __base__=ToolArguments, **fields)
