"""Tools for the voice: speech and its volume."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from reachy_agent_ros.core.arguments import WHOLE, ToolArguments
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.tool import ToolSpecification

_STEP = 20
"""Change of the volume if a person only asks for more or less, percentage points."""

_QUIETEST = 10
"""Lowest volume that a step leads to, percent: "quieter" must not make the robot mute."""


class SpeakArguments(ToolArguments):
    """Arguments of `speak`."""

    text: str = Field(min_length=1, max_length=1000, description="Plain text to speak.")


@ToolSpecification(
    name="speak",
    description="Speaks a text and returns when it has been spoken.",
    arguments=SpeakArguments,
    time_limit=120.0,
).implemented_by
def _speak(arguments: SpeakArguments, context: ToolContext) -> dict[str, Any]:
    return {"spoken": context.body.say(arguments.text, context)}


class SetVolumeArguments(ToolArguments):
    """Arguments of `set_volume`."""

    level_percent: Annotated[int, Field(ge=0, le=100), WHOLE] | None = Field(
        None, description="New volume, percent of the loudest voice; 0 is mute."
    )
    change: Literal["up", "down"] | None = Field(
        None, description="Raises or lowers the volume by one step, if there is no level_percent."
    )


@ToolSpecification(
    name="set_volume",
    description="Sets the volume of the voice until a restart. Without arguments, only returns the volume.",
    arguments=SetVolumeArguments,
    time_limit=5.0,
).implemented_by
def _set_volume(arguments: SetVolumeArguments, context: ToolContext) -> dict[str, Any]:
    before = round(100.0 * context.body.volume())
    after = _changed(before, arguments)
    if after != before:
        context.body.set_volume(after / 100.0)
    return {"level_percent": after, "previous_percent": before}


def _changed(percent: int, arguments: SetVolumeArguments) -> int:
    """Returns the volume (percent) that results from a change of the current volume."""
    if arguments.level_percent is not None:
        return arguments.level_percent
    if arguments.change == "up":
        return min(percent + _STEP, 100)
    if arguments.change == "down":
        return min(percent, max(percent - _STEP, _QUIETEST))
    return percent


VOICE_TOOLS = (_speak, _set_volume)
