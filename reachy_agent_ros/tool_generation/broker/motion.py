"""Verbs that move the body or tell where it is."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.tool_generation.broker.allowance import LONGEST_MOTION
from reachy_agent_ros.tool_generation.broker.lease import Lease
from reachy_agent_ros.tool_generation.broker.run import Run
from reachy_agent_ros.tool_generation.broker.verb import Nothing, Verb
from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tools.body import GazeMotion, MotionResult, MoveLibrary, NamedMotion, PoseMotion

_ARMS = slice(0, 7)
_LAST_ROW = (0.0, 0.0, 0.0, 1.0)
_ROW_TOLERANCE = 1e-6


def _transform(rows: list[list[float]]) -> list[list[float]]:
    if any(abs(value - right) > _ROW_TOLERANCE for value, right in zip(rows[3], _LAST_ROW, strict=True)):
        raise ValueError("the last row of a head pose is 0 0 0 1")
    return rows


_Row = Annotated[list[float], Field(min_length=4, max_length=4)]
_Head = Annotated[list[_Row], Field(min_length=4, max_length=4), AfterValidator(_transform)]
_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
_Metres = Annotated[float, Field(ge=-100.0, le=100.0)]
_Duration = Annotated[float, Field(ge=0.0, le=LONGEST_MOTION)]


class Posture(ToolArguments):
    """Where to be: `head` in `head_base` (4x4, m), `antennas` right and left and `body_yaw` (rad); null stays."""

    head: _Head | None = None
    antennas: _Pair | None = None
    body_yaw: float | None = None

    def motion(self, duration: float = 0.0) -> PoseMotion:
        """The same for the body."""
        head = None if self.head is None else np.array(self.head)
        antennas = None if self.antennas is None else (self.antennas[0], self.antennas[1])
        return PoseMotion(head, antennas, self.body_yaw, duration)


class Goto(Posture):
    """And in which time, s; 0 is as fast as is gentle."""

    duration: _Duration = 0.0


class LookAt(ToolArguments):
    """A point in `base_link`, m, and in which time, s."""

    x: _Metres
    y: _Metres
    z: _Metres
    duration: _Duration = 0.0


class Play(ToolArguments):
    """A move of a library, and how much of its full size."""

    library: str = Field(pattern=f"^({'|'.join(library.value for library in MoveLibrary)})$")
    name: str = Field(min_length=1, max_length=100)
    amplitude: float = Field(1.0, gt=0.0, le=1.0)


def _goto(arguments: Goto, _run: Run, lease: Lease) -> Any:
    return _told(lease.move(arguments.motion(arguments.duration)))


def _stream(arguments: Posture, _run: Run, lease: Lease) -> None:
    lease.stream(arguments.motion())


def _look_at(arguments: LookAt, _run: Run, lease: Lease) -> Any:
    return _told(lease.move(GazeMotion((arguments.x, arguments.y, arguments.z), arguments.duration)))


def _play(arguments: Play, _run: Run, lease: Lease) -> Any:
    return _told(lease.move(NamedMotion(MoveLibrary(arguments.library), arguments.name, arguments.amplitude)))


def _hold(_arguments: Nothing, _run: Run, lease: Lease) -> None:
    lease.hold()


def _head_pose(_arguments: Nothing, run: Run, _lease: Lease) -> Any:
    return _rows(run.body.state().pose.head)


def _joints(_arguments: Nothing, run: Run, _lease: Lease) -> Any:
    pose = run.body.state().pose
    head = BodyKinematics().inverse(pose)[_ARMS]
    return {"head": head.tolist(), "antennas": [pose.antenna_right, pose.antenna_left]}


def _state(_arguments: Nothing, run: Run, _lease: Lease) -> Any:
    state = run.body.state()
    return {
        "head": _rows(state.pose.head),
        "antennas": [state.pose.antenna_right, state.pose.antenna_left],
        "body_yaw": state.pose.body_yaw,
        "activity": state.activity,
        "motors": state.motors,
    }


def _told(result: MotionResult) -> dict[str, Any]:
    return {"clamped": list(result.clamped)}


def _rows(head: Matrix) -> list[list[float]]:
    rows: list[list[float]] = head.tolist()
    return rows


VERBS: dict[str, Verb[Any]] = {
    "goto": Verb(Goto, _goto, Need.BODY),
    "stream": Verb(Posture, _stream, Need.BODY),
    "look_at": Verb(LookAt, _look_at, Need.BODY),
    "play": Verb(Play, _play, Need.BODY),
    "hold": Verb(Nothing, _hold, Need.BODY),
    "head_pose": Verb(Nothing, _head_pose, Need.BODY),
    "joints": Verb(Nothing, _joints, Need.BODY),
    "state": Verb(Nothing, _state, Need.BODY),
}
