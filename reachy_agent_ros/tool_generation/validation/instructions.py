"""What a model reads of a tool when it chooses one: it has to describe, and may not command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reachy_agent_ros.core.instructions_in_data import instructions_in
from reachy_agent_ros.tool_generation.validation.docstring import Docstring
from reachy_agent_ros.tool_generation.validation.outline import OutlinedParameter
from reachy_agent_ros.tool_generation.validation.rejection import Complaint
from reachy_agent_ros.tool_generation.validation.top_level import Function

_HONEST = frozenset({"tool call"})
"""What descriptions of tools rightly speak of."""


def instruction_complaints(
    function: Function, docstring: Docstring, parameters: Sequence[OutlinedParameter]
) -> Iterator[Complaint]:
    """A complaint of names, descriptions, choices and defaults that talk to the model instead of about the tool.

    They are looked at together, because a model reads them together.
    """
    shown = [function.name, docstring.summary, *_texts(list(parameters))]
    kinds = set(instructions_in("\n".join((*shown, *(text.replace("_", " ") for text in shown))))) - _HONEST
    if kinds:
        found = ", ".join(sorted(kinds))
        message = f"the docstring, a name or a default contains what looks like instructions to a model ({found})"
        yield Complaint(function.lineno, f"{message}; say there only what the tool does and what it takes")


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, but the names of an object's members."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
