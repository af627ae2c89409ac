"""Bringing a thing to the middle of what the eye sees, by looking, turning and looking again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform, wrap_angle
from reachy_agent_ros.tools.body import PoseMotion, SeenThing, Sight
from reachy_agent_ros.tools.context import Progress, ToolContext
from reachy_agent_ros.tools.execution_style import Direction

CENTRED = math.radians(1.0)
"""Angle from the eye's axis within which a thing needs no further correction: a third of what is promised."""

NEAR = math.radians(3.0)
"""Angle within which it counts as centred, if it gets no nearer."""

CORRECTIONS = 4
"""Turns at most. The first leaves what the eye's own way costs, a few degrees; the second a few tenths."""

SETTLING = 0.6
"""s that the head needs after a motion to come to rest where it was sent."""

SCAN_PITCHES = (math.radians(15.0), math.radians(-25.0))
"""Of the rows of a search, rad: the table first, then above it. The picture is 80 degrees high."""

SCAN_STEP = math.radians(60.0)
"""Between two pictures of a row; a picture is 96 degrees wide, so a thing at one's edge is well within the next."""


@dataclass(frozen=True)
class Centred:
    """A thing that is looked at.

    Attributes:
        thing: As it was seen last.
        error: Angle between the eye's axis and where it should point, rad.
    """

    thing: SeenThing
    error: float


def look_towards(direction: Direction, context: ToolContext) -> None:
    """Turns the head, and the body where the neck needs it, in that direction.

    Raises:
        AgentError: What kept the robot from it, a cancel too.
    """
    context.move(PoseMotion(head=head_transform(pitch=direction.pitch, yaw=direction.yaw)))


def _settle(context: ToolContext) -> None:
    """Waits until the head rests.

    Raises:
        AgentError: `CANCELED`.
    """
    context.cancel.wait(SETTLING)
    context.cancel.raise_if_cancelled()


def centre(name: str, sight: Sight, context: ToolContext) -> Centred:
    """Turns until a thing is in the middle of the picture, or beside it by as much as people have taught.

    Args:
        name: Kind of thing.
        sight: Latest picture, in which it is.
        context: Of the call.

    Raises:
        AgentError: `NOT_FOUND` when it is not or no longer seen, `NOT_REACHED` where the neck does not get there, or
            what kept the robot from moving.
    """
    thing = _nearest(name, sight, None)
    yaw, pitch = _taught(thing, context)
    for attempt in range(CORRECTIONS + 1):
        aim = _direction(thing).turned(yaw, pitch)
        error = _angle(aim.vector, sight.camera[:3, 2])
        if error <= CENTRED or attempt == CORRECTIONS:
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
    return Centred(thing, error)


def _taught(thing: SeenThing, context: ToolContext) -> tuple[float, float]:
    """By how much further to the left and down than the eye says, rad."""
    seen = _direction(thing)
    aim = context.manner.aim(seen)
    return wrap_angle(aim.yaw - seen.yaw), aim.pitch - seen.pitch


def _turn(direction: Direction, context: ToolContext) -> None:
    """Turns in a direction as far as the neck goes, and waits until the head rests."""
    try:
        look_towards(direction.within_reach(), context)
    except AgentError as error:
        if error.code is not ErrorCode.NOT_REACHED:
            raise  # how far it got, the next picture tells
    _settle(context)


def look_around(name: str, context: ToolContext) -> Iterator[Sight]:
    """What is seen of a kind of thing where the head looks, and then all around, turn by turn.

    Raises:
        AgentError: What kept the robot from moving or looking.
    """
    yield context.body.detect((name,), context)
    directions = list(_scan())
    for number, direction in enumerate(directions):
        context.report(Progress(number / len(directions), f"looking for the {name}"))
        look_towards(direction, context)
        yield context.body.detect((name,), context)


def _scan() -> Iterator[Direction]:
    """Row by row from the front round to one side and then to the other, which turns least."""
    for pitch in SCAN_PITCHES:
        for step in (0, 1, 2, 3, -1, -2):
            yield Direction(wrap_angle(step * SCAN_STEP), pitch)


def _nearest(name: str, sight: Sight, previous: SeenThing | None) -> SeenThing:
    """The thing that is meant: the best first, then always the same one."""
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
