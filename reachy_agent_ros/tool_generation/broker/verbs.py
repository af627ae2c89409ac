"""Verbs: the requests of a sandboxed tool to the host, with their arguments and handlers.

Verbs for motion and measurement come first, then those for pictures, speech, web pages and waiting.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Generic

import numpy as np
from pydantic import AfterValidator, Field, ValidationError

from reachy_agent_ros.core.arguments import ArgumentsT, NoArguments, ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.tool_generation.broker.run import (
    FETCHES,
    FRAMES,
    LONGEST_ANSWER,
    LONGEST_MOTION,
    LONGEST_QUESTION,
    LONGEST_SPEECH,
    LOOKS,
    MOST_THINGS,
    PHOTOS,
    QUESTIONS,
    SAYS,
    Run,
)
from reachy_agent_ros.tool_generation.broker.session import BrokerSession
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.body import GazeMotion, MotionResult, MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.predefined.sight import save_photo, thing_in_degrees
from reachy_agent_ros.vision.camera import Intrinsics

_ARMS = slice(0, 7)
_LAST_ROW = (0.0, 0.0, 0.0, 1.0)
_ROW_TOLERANCE = 1e-6

_Pair = Annotated[list[float], Field(min_length=2, max_length=2)]
_Metres = Annotated[float, Field(ge=-100.0, le=100.0)]
_Duration = Annotated[float, Field(ge=0.0, le=LONGEST_MOTION)]
_Label = Annotated[str, Field(min_length=1, max_length=60)]
_Header = Annotated[str, Field(max_length=200)]

_SLICE = 1.0
"""Virtual time between two checks for cancellation, s; simulating it takes about 30 ms."""


@dataclass(frozen=True)
class BrokerMethod(Generic[ArgumentsT]):
    """Verb: a kind of request, with the model of its arguments and its handler.

    Attributes:
        arguments: Model of the arguments. Nothing is converted, and numbers are finite.
        perform: Handler; returns a JSON value or raises `AgentError`.
        need: Required capability; None if every tool may use the verb.
    """

    arguments: type[ArgumentsT]
    perform: Callable[[ArgumentsT, Run, BrokerSession], Any]
    need: Need | None

    def answer(self, arguments: Mapping[str, Any], run: Run, lease: BrokerSession) -> Any:
        """Validates the arguments and carries out the request.

        Raises:
            AgentError: The request was rejected or failed.
        """
        try:
            checked = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            complaints = "; ".join(_complaint(detail) for detail in error.errors(include_url=False))
            raise run.refused(ErrorCode.INVALID_ARGUMENTS, f"{run.verb}: {complaints}") from None
        return self.perform(checked, run, lease)


def _complaint(detail: Any) -> str:
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where}: {detail['msg']}, not {detail['input']!r:.60}"


def _transform(rows: list[list[float]]) -> list[list[float]]:
    if any(abs(value - right) > _ROW_TOLERANCE for value, right in zip(rows[3], _LAST_ROW, strict=True)):
        raise ValueError("the last row of a head pose must be 0 0 0 1")
    return rows


_Row = Annotated[list[float], Field(min_length=4, max_length=4)]
_Head = Annotated[list[_Row], Field(min_length=4, max_length=4), AfterValidator(_transform)]


class _Posture(ToolArguments):
    """Target posture. Parts that are null do not change.

    `head` is a 4x4 transform in `head_base` (m). `antennas` contains the angles of the right and left antenna (rad).
    `body_yaw` is in rad.
    """

    head: _Head | None = None
    antennas: _Pair | None = None
    body_yaw: float | None = None

    def motion(self, duration: float = 0.0) -> PoseMotion:
        """Converts the posture to a motion of the body."""
        head = None if self.head is None else np.array(self.head)
        antennas = None if self.antennas is None else (self.antennas[0], self.antennas[1])
        return PoseMotion(head, antennas, self.body_yaw, duration)


class _Goto(_Posture):
    """Target posture and duration in seconds. The duration 0 selects a gentle speed."""

    duration: _Duration = 0.0


class _LookAt(ToolArguments):
    """Point in `base_link` (m) and duration (s)."""

    x: _Metres
    y: _Metres
    z: _Metres
    duration: _Duration = 0.0


class _Play(ToolArguments):
    """Name and amplitude of a move from a library."""

    library: str = Field(pattern=f"^({'|'.join(library.value for library in MoveLibrary)})$")
    name: str = Field(min_length=1, max_length=100)
    amplitude: float = Field(1.0, gt=0.0, le=1.0)


def _goto(arguments: _Goto, _run: Run, lease: BrokerSession) -> Any:
    return _told(lease.move(arguments.motion(arguments.duration)))


def _stream(arguments: _Posture, _run: Run, lease: BrokerSession) -> None:
    lease.stream(arguments.motion())


def _look_at(arguments: _LookAt, _run: Run, lease: BrokerSession) -> Any:
    return _told(lease.move(GazeMotion((arguments.x, arguments.y, arguments.z), arguments.duration)))


def _play(arguments: _Play, _run: Run, lease: BrokerSession) -> Any:
    return _told(lease.move(NamedMotion(MoveLibrary(arguments.library), arguments.name, arguments.amplitude)))


def _hold(_arguments: NoArguments, _run: Run, lease: BrokerSession) -> None:
    lease.hold()


def _head_pose(_arguments: NoArguments, run: Run, _lease: BrokerSession) -> Any:
    return run.body.state().pose.head.tolist()


def _joints(_arguments: NoArguments, run: Run, _lease: BrokerSession) -> Any:
    pose = run.body.state().pose
    head = BodyKinematics().inverse(pose)[_ARMS]
    return {"head": head.tolist(), "antennas": [pose.antenna_right, pose.antenna_left]}


def _state(_arguments: NoArguments, run: Run, _lease: BrokerSession) -> Any:
    state = run.body.state()
    return {
        "head": state.pose.head.tolist(),
        "antennas": [state.pose.antenna_right, state.pose.antenna_left],
        "body_yaw": state.pose.body_yaw,
        "activity": state.activity,
        "motors": state.motors,
    }


def _told(result: MotionResult) -> dict[str, Any]:
    return {"clamped": list(result.clamped)}


class _Detect(ToolArguments):
    """Classes of objects to detect. An empty list means all classes."""

    labels: list[_Label] = Field(default_factory=list, max_length=50)


class _AskScene(ToolArguments):
    """Question about the scene in front of the robot."""

    question: str = Field(min_length=1, max_length=LONGEST_QUESTION)


def _frame(_arguments: NoArguments, run: Run, _lease: BrokerSession) -> Any:
    run.spend("pictures", FRAMES)
    photo = run.body.photograph(run.context)
    return {"jpeg": base64.b64encode(photo.jpeg).decode(), **_size(photo.intrinsics)}


def _lens(_arguments: NoArguments, run: Run, _lease: BrokerSession) -> Any:
    photo = run.body.last_photo() or run.body.photograph(run.context)
    return {**_size(photo.intrinsics), "focal_length": photo.intrinsics.focal_length}


def _photo(_arguments: NoArguments, run: Run, _lease: BrokerSession) -> Any:
    run.spend("photos", PHOTOS)
    photo = run.body.photograph(run.context)
    path = save_photo(photo.jpeg, run.equipment.scratch or run.equipment.photos)
    return {"path": str(run.equipment.photos / path.name), **_size(photo.intrinsics)}


def _detect(arguments: _Detect, run: Run, _lease: BrokerSession) -> Any:
    run.spend("detections", LOOKS)
    things = run.body.detect(arguments.labels, run.context).things
    return [thing_in_degrees(thing) for thing in things[:MOST_THINGS]]


def _ask_scene(arguments: _AskScene, run: Run, _lease: BrokerSession) -> Any:
    run.spend("questions about the scene", QUESTIONS)
    answer = run.body.ask_about_scene(arguments.question, run.context)
    return {"answer": answer.text[:LONGEST_ANSWER], "detected": list(answer.labels[:MOST_THINGS])}


def _size(intrinsics: Intrinsics) -> dict[str, int]:
    return {"width": intrinsics.width, "height": intrinsics.height}


class _Say(ToolArguments):
    """Text to speak."""

    text: str = Field(min_length=1, max_length=LONGEST_SPEECH)


def _say(arguments: _Say, run: Run, _lease: BrokerSession) -> str:
    run.spend("calls of say", SAYS)
    return run.body.say(arguments.text, run.context)


class _Get(ToolArguments):
    """URL, headers and timeout (s) of a request. The timeout null means the maximum."""

    url: str = Field(min_length=1)
    headers: dict[str, _Header] = Field(default_factory=dict, max_length=10)
    timeout: float | None = Field(None, gt=0.0)


def _get(arguments: _Get, run: Run, _lease: BrokerSession) -> Any:
    run.spend("pages fetched", FETCHES)
    try:
        page = run.equipment.web.get(arguments.url, arguments.headers, arguments.timeout, run.cancel)
    except AgentError as error:
        if error.code is ErrorCode.INVALID_ARGUMENTS:
            raise run.refused(error.code, error.message) from error
        raise
    body = base64.b64encode(page.body).decode()
    return {"status": page.status, "url": page.url, "headers": dict(page.headers), "body": body}


class _Sleep(ToolArguments):
    """Duration in seconds."""

    seconds: float = Field(ge=0.0)


def _sleep(arguments: _Sleep, run: Run, _lease: BrokerSession) -> tuple[float, bool]:
    """Waits. Returns the time (s) since the start of the run, and whether the run is live.

    In a live run, time passes on its own.
    """
    time = run.equipment.time
    if time is None:
        run.cancel.wait(min(arguments.seconds, run.equipment.time_limit))
        run.cancel.raise_if_cancelled()
        return run.elapsed, True
    allowed = run.equipment.time_limit - run.elapsed
    left = min(arguments.seconds, allowed)
    while left > 0.0:
        run.cancel.raise_if_cancelled()
        time.wait(min(left, _SLICE))
        left -= _SLICE
    if arguments.seconds > allowed:
        raise run.out_of_time()
    return run.elapsed, False


VERBS: Mapping[str, BrokerMethod[Any]] = {
    "goto": BrokerMethod(_Goto, _goto, Need.BODY),
    "stream": BrokerMethod(_Posture, _stream, Need.BODY),
    "look_at": BrokerMethod(_LookAt, _look_at, Need.BODY),
    "play": BrokerMethod(_Play, _play, Need.BODY),
    "hold": BrokerMethod(NoArguments, _hold, Need.BODY),
    "head_pose": BrokerMethod(NoArguments, _head_pose, Need.BODY),
    "joints": BrokerMethod(NoArguments, _joints, Need.BODY),
    "state": BrokerMethod(NoArguments, _state, Need.BODY),
    "frame": BrokerMethod(NoArguments, _frame, Need.EYES),
    "lens": BrokerMethod(NoArguments, _lens, Need.EYES),
    "photo": BrokerMethod(NoArguments, _photo, Need.EYES),
    "detect": BrokerMethod(_Detect, _detect, Need.EYES),
    "ask_scene": BrokerMethod(_AskScene, _ask_scene, Need.EYES),
    "say": BrokerMethod(_Say, _say, Need.VOICE),
    "get": BrokerMethod(_Get, _get, Need.WEB),
    "sleep": BrokerMethod(_Sleep, _sleep, None),
}
"""All verbs, by name."""
