"""The validator: a tool's text becomes a `Program`, or is refused with what must be changed.

It is fast feedback and defence in depth. What keeps a tool from harm is the box that it runs in.
"""

from __future__ import annotations

from collections.abc import Collection

from reachy_agent_ros.tool_generation.limits import Limits
from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tool_generation.program import Parameter, Program
from reachy_agent_ros.tool_generation.validation.described_type import type_of
from reachy_agent_ros.tool_generation.validation.examination import examine
from reachy_agent_ros.tool_generation.validation.outline import Outline


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
