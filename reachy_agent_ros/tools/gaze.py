"""Closed-loop gaze: centers an object in the camera image by repeated detection and turning."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform, wrap_angle
from reachy_agent_ros.tools.body import PoseMotion, SeenThing, Sight
from reachy_agent_ros.tools.context import Progress, ToolContext
from reachy_agent_ros.tools.execution_style import Direction

CENTERED = math.radians(1.0)
"""Angle from the camera axis within which no correction is needed: a third of the guaranteed accuracy."""

NEAR = math.radians(3.0)
"""Angle within which an object counts as centered if further corrections do not help."""

CORRECTIONS = 4
"""Maximum number of corrections. The first leaves a few degrees of error, because the camera moves; the second less."""

SETTLING = 0.6
"""Seconds that the head needs to settle after a motion."""

SCAN_PITCHES = (math.radians(15.0), math.radians(-25.0))
"""Pitch of each row of a search, rad: the table first, then above it. The image is 80 degrees high."""

FACE_PITCHES = (math.radians(-15.0),)
"""Pitch of the single row of a search for people, rad: their faces are above the table, near or far."""

SCAN_STEP = math.radians(60.0)
"""Angle between two pictures of a row. An image is 96 degrees wide, so neighboring pictures overlap."""


@dataclass(frozen=True)
class Centered:
    """Object that has been centered in the camera image.

    Attributes:
        thing: The object as last seen.
        error: Angle between the camera axis and its target direction, rad.
    """

    thing: SeenThing
    error: float


def look_towards(direction: Direction, context: ToolContext) -> None:
    """Turns the head toward a direction. If the neck cannot reach the direction, also turns the body.

    Raises:
        AgentError: The motion failed or was canceled.
    """
    context.move(PoseMotion(head=head_transform(pitch=direction.pitch, yaw=direction.yaw)))


def _settle(context: ToolContext) -> None:
    """Waits until the head has come to rest.

    Raises:
        AgentError: `CANCELED`.
    """
    context.cancel.wait(SETTLING)
    context.cancel.raise_if_cancelled()


def center(name: str, sight: Sight, context: ToolContext) -> Centered:
    """Turns until an object is at the center of the image. If people have taught an offset, adds the offset.

    Args:
        name: Class of the object.
        sight: Latest detections; they must contain the object.
        context: Context of the call.

    Raises:
        AgentError: `NOT_FOUND` if the object is not or no longer visible, `NOT_REACHED` if the neck cannot reach it, or
            the error of a motion or detection.
    """
    thing = _nearest(name, sight, None)
    yaw, pitch = _taught(thing, context)
    for attempt in range(CORRECTIONS + 1):
        aim = _direction(thing).turned(yaw, pitch)
        error = _angle(aim.vector, sight.camera[:3, 2])
        if error <= CENTERED or attempt == CORRECTIONS:
            break
        context.report(Progress((attempt + 1) / (CORRECTIONS + 1), f"the {name} is {math.degrees(error):.0f} deg off"))
        _turn(aim, context)
        sight = context.body.detect((name,), context)
        thing = _nearest(name, sight, thing)
    if error > NEAR:
        message = f"I see the {name}, but it is {math.degrees(error):.0f} degrees beyond where I can look."
        raise AgentError(ErrorCode.NOT_REACHED, message)
    eye = sight.camera[:3, 3]
    context.manner.looks_at(None if thing.position is None else float(np.linalg.norm(np.array(thing.position) - eye)))
    return Centered(thing, error)


def _taught(thing: SeenThing, context: ToolContext) -> tuple[float, float]:
    """Returns the taught offset from the detected direction: angles (rad) to the left and down."""
    seen = _direction(thing)
    aim = context.manner.aim(seen)
    return wrap_angle(aim.yaw - seen.yaw), aim.pitch - seen.pitch


def _turn(direction: Direction, context: ToolContext) -> None:
    """Turns toward a direction as far as the neck can turn, and waits until the head has come to rest."""
    try:
        look_towards(direction.within_reach(), context)
    except AgentError as error:
        if error.code is not ErrorCode.NOT_REACHED:
            raise  # after NOT_REACHED, the next picture shows how far the head got
    _settle(context)


def look_around(name: str, context: ToolContext, pitches: Sequence[float] = SCAN_PITCHES) -> Iterator[Sight]:
    """Detects objects of a class, first in the current direction, then in all others. Yields the detections.

    Args:
        name: Class of the objects.
        context: Context of the call.
        pitches: Pitch of each row of the search, rad.

    Raises:
        AgentError: A motion or detection failed.
    """
    yield context.body.detect((name,), context)
    directions = list(_scan(pitches))
    for number, direction in enumerate(directions):
        context.report(Progress(number / len(directions), f"looking for the {name}"))
        look_towards(direction, context)
        yield context.body.detect((name,), context)


def _scan(pitches: Sequence[float]) -> Iterator[Direction]:
    """Yields search directions row by row: in front, to one side, then to the other, which minimizes turning."""
    for pitch in pitches:
        for step in (0, 1, 2, 3, -1, -2):
            yield Direction(wrap_angle(step * SCAN_STEP), pitch)


def _nearest(name: str, sight: Sight, previous: SeenThing | None) -> SeenThing:
    """Returns the target object: at first the best detection, later the detection nearest to the previous direction."""
    if not sight.things:
        raise AgentError(ErrorCode.NOT_FOUND, f"I do not see any {name}.")
    if previous is None:
        return sight.things[0]
    return min(sight.things, key=lambda seen: _angle(seen.bearing, previous.bearing))


def _direction(thing: SeenThing) -> Direction:
    return Direction.along(np.array(thing.bearing))


def _angle(first: object, second: object) -> float:
    cosine = float(np.dot(np.asarray(first, float), np.asarray(second, float)))
    return math.acos(min(max(cosine, -1.0), 1.0))
