"""Saying something with the head alone, and going to sleep and waking up."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.core.arguments import OneOf, ToolArguments, WholeNumber
from reachy_agent_ros.motion.gesture import GO_TO_SLEEP, WAKE_UP, gestures
from reachy_agent_ros.motion.gesture import gesture as move_of
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class GestureArguments(ToolArguments):
    """Which gesture, and how often."""

    gesture: Annotated[str, OneOf(gestures())] = Field(description="Which one.")
    repetitions: WholeNumber = Field(1, ge=1, le=5, description="How often in a row, of nod and shake above all.")


def _gesture(arguments: GestureArguments, context: ToolContext) -> dict[str, Any]:
    motion = _motion(arguments.gesture, context)
    for _ in range(arguments.repetitions - 1):
        context.move(motion)
    return motion_in_degrees(context.move(motion))


def _motion(name: str, context: ToolContext) -> NamedMotion:
    """The gesture as people like it; falling asleep and waking up say nothing to them."""
    if name in (GO_TO_SLEEP, WAKE_UP):
        return NamedMotion(MoveLibrary.GESTURE, name)
    style = context.manner.style()
    duration = 0.0 if style.tempo == 1.0 else move_of(name).duration / style.tempo
    return NamedMotion(MoveLibrary.GESTURE, name, style.size, duration)


gesture = Tool(
    ToolSpecification(
        name="gesture",
        description="Nods, shakes or tilts the head or looks around, then looks where it looked before; "
        "go_to_sleep lies down and stays so, wake_up rises.",
        arguments=GestureArguments,
        time_limit=60.0,
        moves_robot=True,
        reversible=True,
    ),
    _gesture,
)
