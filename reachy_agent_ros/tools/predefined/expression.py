"""Tools for expression: emotions, dances, gestures and recorded moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from reachy_agent_ros.core.arguments import OneOf, ToolArguments, WholeNumber
from reachy_agent_ros.core.names import DANCE, EXPRESS_EMOTION
from reachy_agent_ros.motion.gesture import GO_TO_SLEEP, WAKE_UP, gestures
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined.posture import motion_in_degrees
from reachy_agent_ros.tools.tool import Tool, ToolSpecification

_Intensity = Annotated[float, Field(gt=0.0, le=1.0, description="Size of the movement: 1 is full size, 0.3 is subtle.")]


def expression_tools(emotions: Sequence[str], dances: Sequence[str]) -> list[Tool]:
    """Returns the expression tools.

    Args:
        emotions: Names of the emotions that the bridge can play.
        dances: Names of the dances that the bridge can play.
    """
    return [_express_emotion(emotions), _dance(dances), _gesture, _play_move]


def _express_emotion(emotions: Sequence[str]) -> Tool:
    class ExpressEmotionArguments(ToolArguments):
        emotion: Annotated[str, OneOf(emotions)] = Field(description="Emotion to show.")
        intensity: _Intensity = 1.0

    @ToolSpecification(
        name="express_emotion",
        description="Shows an emotion with head, body and antennas, without words.",
        arguments=ExpressEmotionArguments,
        time_limit=30.0,
        moves_robot=True,
        reversible=True,
        action_name=EXPRESS_EMOTION,
    ).implemented_by
    def run(arguments: ExpressEmotionArguments, context: ToolContext) -> dict[str, Any]:
        motion = _styled(MoveLibrary.EMOTION, arguments.emotion, context, arguments.intensity)
        return motion_in_degrees(context.move(motion), context.body.heading)

    return run


def _dance(dances: Sequence[str]) -> Tool:
    class DanceArguments(ToolArguments):
        dance: Annotated[str, OneOf(dances)] = Field(description="Name of the dance.")
        repetitions: WholeNumber = Field(1, ge=1, le=5, description="Number of repetitions.")
        intensity: _Intensity = 1.0

    @ToolSpecification(
        name="dance",
        description="Dances with the whole body. Each repetition takes a few seconds.",
        arguments=DanceArguments,
        time_limit=120.0,  # five repetitions at half the tempo
        moves_robot=True,
        reversible=True,
        action_name=DANCE,
    ).implemented_by
    def run(arguments: DanceArguments, context: ToolContext) -> dict[str, Any]:
        motion = _styled(MoveLibrary.DANCE, arguments.dance, context, arguments.intensity)
        return _repeat(motion, arguments.repetitions, context)

    return run


class GestureArguments(ToolArguments):
    """Arguments of `gesture`."""

    gesture: Annotated[str, OneOf(gestures())] = Field(description="Name of the gesture.")
    repetitions: WholeNumber = Field(1, ge=1, le=5, description="Number of repetitions, mostly for nod and shake.")


@ToolSpecification(
    name="gesture",
    description="Nods, shakes or tilts the head or looks around, then returns to the previous gaze. go_to_sleep lowers "
    "the head and keeps it down, wake_up raises it.",
    arguments=GestureArguments,
    time_limit=60.0,
    moves_robot=True,
    reversible=True,
).implemented_by
def _gesture(arguments: GestureArguments, context: ToolContext) -> dict[str, Any]:
    name = arguments.gesture
    motion = (
        NamedMotion(MoveLibrary.GESTURE, name)
        if name in (GO_TO_SLEEP, WAKE_UP)
        else _styled(MoveLibrary.GESTURE, name, context)
    )
    return _repeat(motion, arguments.repetitions, context)


class PlayMoveArguments(ToolArguments):
    """Arguments of `play_move`. The folder of moves can change at run time, so the schema cannot list them."""

    name: str = Field(
        min_length=1, max_length=100, description="Name of the move. The error for an unknown name lists all names."
    )


@ToolSpecification(
    name="play_move",
    description="Plays a recorded or downloaded move.",
    arguments=PlayMoveArguments,
    time_limit=130.0,
    moves_robot=True,
).implemented_by
def _play_move(arguments: PlayMoveArguments, context: ToolContext) -> dict[str, Any]:
    return motion_in_degrees(context.move(NamedMotion(MoveLibrary.RECORDED, arguments.name)), context.body.heading)


def _repeat(motion: NamedMotion, repetitions: int, context: ToolContext) -> dict[str, Any]:
    for _ in range(repetitions - 1):
        context.move(motion)
    return motion_in_degrees(context.move(motion), context.body.heading)


def _styled(library: MoveLibrary, name: str, context: ToolContext, intensity: float = 1.0) -> NamedMotion:
    """Creates a named move in the style that people have taught.

    Args:
        library: Library of the move.
        name: Name of the move.
        context: Context of the call.
        intensity: Requested size, of which the taught size is a fraction.
    """
    style = context.manner.style(library)
    return NamedMotion(library, name, intensity * style.size, style.tempo)
