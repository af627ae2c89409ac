"""Gestures around the present gaze, and the moves for going to sleep and waking up."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.move import Move, Sequence
from reachy_agent_ros.motion.move_folder import MoveFolder
from reachy_agent_ros.motion.pose_move import PoseMove
from reachy_agent_ros.motion.recorded_move import MovePlayback, RecordedMove, facing, heading_with_room
from reachy_agent_ros.robot.coordinates import BODY_YAW, coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.sleep import resting_posture
from reachy_agent_ros.robot.workspace import Workspace

WAKE_UP = "wake_up"
GO_TO_SLEEP = "go_to_sleep"

RISING = 1.5
"""Minimum time that the wake-up gesture takes to reach the neutral posture, s."""

SINKING = 2.0
"""Minimum time that the head takes to sink to its resting posture, s."""

_FOLDER = MoveFolder("gesture", Path(__file__).parent / "gestures")

_AMPLE = 1.1
"""Factor by which a gesture is enlarged to test for room, so that the gate can brake within reach."""

_BISECTIONS = 6


@cache
def gestures() -> tuple[str, ...]:
    """Returns the names of all gestures, in alphabetical order."""
    return _FOLDER.names()


def gesture(name: str) -> RecordedMove:
    """Returns a gesture as offsets from the gaze.

    The gestures `wake_up` and `go_to_sleep` are offsets from the neutral posture.

    Raises:
        AgentError: `UNKNOWN_MOVE`, with the known names.
    """
    return _FOLDER.move(name)


class Gesture:
    """Gesture that is adapted to the present gaze and can be started.

    Args:
        name: One of `gestures()`.
        present: Coordinates of the present command, which define the gaze.
        amplitude: Fraction of the gesture's full size, 0 to 1.
        duration: Duration of the gesture without transitions, s; None for the recorded duration.

    Raises:
        AgentError: The errors of `gesture`, and of `resting_posture` for `go_to_sleep`.
    """

    def __init__(self, name: str, present: Vector, amplitude: float = 1.0, duration: float | None = None) -> None:
        self._name = name
        self._move = gesture(name)
        self._amplitude = amplitude
        self._duration = duration
        self._gaze = np.clip(present, LOW, HIGH)
        self._around = with_room_for(amplitude * self._move.keyframes, self._gaze)
        self._bed = resting_posture() if name == GO_TO_SLEEP else None

    def begin(self, start: MotionState) -> Move:
        """Creates the move that starts from the present command."""
        if self._bed is not None:
            return _then(self._performed(start, self._facing(start)), self._bed, SINKING)
        if self._name == WAKE_UP:
            return self._performed(start, self._facing(start), RISING)
        performance = self._performed(start, self._around)
        if np.allclose(self._around, self._gaze):
            return performance
        return _then(performance, posture(self._gaze), None)

    def _facing(self, start: MotionState) -> Vector:
        return facing(start, self._amplitude * self._move.keyframes)

    def _performed(self, start: MotionState, around: Vector, entrance: float | None = None) -> MovePlayback:
        return MovePlayback(self._move, start, self._amplitude, self._duration, around, entrance)


def with_room_for(offsets: Vector, gaze: Vector) -> Vector:
    """Returns the posture between a gaze and neutral that is nearest to the gaze and leaves room for all offsets.

    Args:
        offsets: Coordinates relative to that posture, one row per offset.
        gaze: Coordinates of the preferred posture; its body yaw is adapted separately.
    """
    ample = _AMPLE * offsets
    heading = heading_with_room(float(gaze[BODY_YAW]), ample)
    workspace = Workspace()

    def around(share: float) -> Vector:
        place = share * gaze
        place[BODY_YAW] = heading
        return np.asarray(place)

    def fits(share: float) -> bool:
        values = around(share) + ample
        inside = ((values >= LOW) & (values <= HIGH)).all()
        return bool(inside) and all(map(workspace.holds, values))

    if fits(1.0):
        return around(1.0)
    inside, outside = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2.0
        inside, outside = (middle, outside) if fits(middle) else (inside, middle)
    return around(inside)


def _then(first: Move, goal: BodyPose, duration: float | None) -> Move:
    arrived = MotionState(coordinates(first.at(first.duration)), np.zeros(9))
    return Sequence(first, PoseMove(arrived, goal, duration))
