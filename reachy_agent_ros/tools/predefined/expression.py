"""Showing an emotion, and dancing."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.core.arguments import OneOf, ToolArguments, WholeNumber
from reachy_agent_ros.core.names import DANCE, EXPRESS_EMOTION
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification

Intensity = Annotated[
    float,
    Field(gt=0.0, le=1.0, description="Size of the movement; 1 is full, 0.3 is subtle."),
]


def express_emotion(emotions: Sequence[str]) -> Tool:
    """The tool for a vocabulary of emotions."""

    class ExpressEmotionArguments(ToolArguments):
        emotion: Annotated[str, OneOf(emotions)] = Field(description="What to show.")
        intensity: Intensity = 1.0

    def run(arguments: ExpressEmotionArguments, context: ToolContext) -> dict[str, Any]:
        motion = NamedMotion(MoveLibrary.EMOTION, arguments.emotion, arguments.intensity)
        return motion_in_degrees(context.move(motion))

    specification = ToolSpecification(
        name="express_emotion",
        description="Shows an emotion with head, body and antennas, without words.",
        arguments=ExpressEmotionArguments,
        time_limit=30.0,
        moves_robot=True,
        reversible=True,
        action_name=EXPRESS_EMOTION,
    )
    return Tool(specification, run)


def dance(dances: Sequence[str]) -> Tool:
    """The tool for a vocabulary of dances."""

    class DanceArguments(ToolArguments):
        dance: Annotated[str, OneOf(dances)] = Field(description="Which dance.")
        repetitions: WholeNumber = Field(1, ge=1, le=5, description="How often it is danced in a row.")
        intensity: Intensity = 1.0

    def run(arguments: DanceArguments, context: ToolContext) -> dict[str, Any]:
        motion = NamedMotion(MoveLibrary.DANCE, arguments.dance, arguments.intensity)
        for _ in range(arguments.repetitions - 1):
            context.move(motion)
        return motion_in_degrees(context.move(motion))

    specification = ToolSpecification(
        name="dance",
        description="Dances with the whole body; a few seconds for each repetition.",
        arguments=DanceArguments,
        time_limit=60.0,
        moves_robot=True,
        reversible=True,
        action_name=DANCE,
    )
    return Tool(specification, run)
