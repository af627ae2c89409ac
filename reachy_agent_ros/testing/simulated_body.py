"""The simulated robot as tools see it, without ROS and faster than life: physics, controller, safety gate, eye."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.request import Gaze, Library, Named, prepare
from reachy_agent_ros.robot.admission import Target
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.seeing.eye import camera_pose
from reachy_agent_ros.testing.desk_things import middle
from reachy_agent_ros.testing.simulated_eye import SimulatedEye
from reachy_agent_ros.tools.body import (
    BodyState,
    GazeMotion,
    Motion,
    MotionResult,
    Photo,
    PoseMotion,
    SceneAnswer,
    Sight,
)
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.gaze import SETTLING

PERIOD = 0.01
"""s between two commands, in the robot's own time."""

SPEED = 4.0
"""Times faster than life: physics leaves half a core free at that."""

COMMANDER = "evaluation"
"""Who commands the robot, for its reports."""


class SimulatedBody:
    """Implements `tools.body.Body`; any thread may use it. What moves it passes the safety gate, as in the graph.

    Args:
        desk: Where things stand on a desk before it, x and y in m, by name; None for no desk.
        view: What a vision model would say of any picture; empty where there is none.
        blind: Whether the camera does not answer.
        speed: Times faster than life, as far as the machine can.

    Attributes:
        spoken: What it said on request.
    """

    def __init__(
        self,
        desk: Mapping[str, tuple[float, float]] | None = None,
        view: str = "",
        blind: bool = False,
        speed: float = SPEED,
    ) -> None:
        self.spoken: list[str] = []
        scene = "empty" if desk is None else "minimal"
        self._eye = SimulatedEye(scene, view, blind)
        self._photo: Photo | None = None
        self._now = 0.0
        self._speed = speed
        self._lock = threading.Lock()
        self._controller = MotionController(Breath(pause=math.inf))
        self._robot = MujocoRobot(scene, lambda: self._now, desk)
        self._robot.connect()
        self._step()
        self._closing = threading.Event()
        self._clock = threading.Thread(target=self._run, name="physics", daemon=True)
        self._clock.start()

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays one motion to its end; a cancel holds the pose."""
        wish, duration = _wish(motion)
        prepare(wish)
        ended: Future[AgentError | None] = Future()
        with self._lock:
            playback, findings = self._controller.execute(wish, COMMANDER, ended.set_result, duration)
        context.cancel.on_cancel(lambda: self._cancel(playback))
        try:
            error = ended.result(context.deadline.remaining)
        except TimeoutError:
            self._cancel(playback)
            raise AgentError(ErrorCode.TIMEOUT, "The motion did not end in time.") from None
        return MotionResult(self._measured().pose, tuple(finding.field for finding in findings), error)

    def hold(self) -> None:
        """Ends whatever motion is running; the pose holds."""
        with self._lock:
            self._controller.hold()

    def stop(self, reason: str) -> None:
        """Latches the emergency stop."""
        with self._lock:
            self._controller.stop(reason)

    def state(self) -> BodyState:
        """The state, measured now."""
        measured = self._measured()
        activity = self._controller.activity.name.lower()
        motors = measured.motor_mode.name.lower()
        reason = self._controller.gate.stop_reason
        commander = self._controller.commander
        return BodyState(measured.pose, activity, motors, True, True, reason is not None, reason or "", commander)

    def photograph(self, context: ToolContext) -> Photo:
        """Takes a fresh picture."""
        self._photo = self._eye.photograph(self._measured())
        return self._photo

    def last_photo(self) -> Photo | None:
        """The picture that was taken last, None before the first."""
        return self._photo

    def detect(self, labels: Sequence[str], context: ToolContext) -> Sight:
        """Detects things in a fresh picture."""
        context.cancel.raise_if_cancelled()
        return self._eye.detect(labels, self._measured())

    def ask_about_scene(self, question: str, context: ToolContext) -> SceneAnswer:
        """Tells the view, or without one what the detector finds."""
        return self._eye.describe(self._measured())

    def track_faces(self, enabled: bool) -> None:
        """Nobody is there to be followed."""
        raise AgentError(ErrorCode.DETECTOR_UNAVAILABLE, "Faces are not followed in this simulation.")

    def say(self, text: str, context: ToolContext) -> str:
        """Speaks without a sound."""
        self.spoken.append(text)
        return text

    def gaze_error(self, thing: str) -> float:
        """Angle between the eye's axis and where a thing on the desk truly is, rad."""
        measured = self._measured()
        camera = camera_pose(measured.pose.head)
        way = (measured.objects[thing] @ middle(thing))[:3] - camera[:3, 3]
        return math.acos(float(np.clip(way @ camera[:3, 2] / np.linalg.norm(way), -1.0, 1.0)))

    def settle(self) -> None:
        """Waits until the head has come to rest where its last motion sent it."""
        rested = self._now + SETTLING
        while self._now < rested:
            time.sleep(PERIOD)

    def close(self) -> None:
        """Frees what draws and moves."""
        self._closing.set()
        self._clock.join()
        self._eye.close()
        self._robot.close()

    def _measured(self) -> Measurement:
        with self._lock:
            return self._robot.measure()

    def _cancel(self, playback: Playback) -> None:
        with self._lock:
            self._controller.cancel(playback, AgentError(ErrorCode.CANCELED, "The motion was cancelled."))

    def _run(self) -> None:
        due = time.monotonic()
        while not self._closing.wait(max(0.0, due - time.monotonic())):
            due = max(due + PERIOD / self._speed, time.monotonic())
            with self._lock:
                self._step()

    def _step(self) -> None:
        self._now += PERIOD
        command = self._controller.cycle(self._robot.measure(), self._now, PERIOD)
        if command is not None:
            self._robot.command(command)


def _wish(motion: Motion) -> tuple[Target | Gaze | Named, float]:
    if isinstance(motion, PoseMotion):
        return Target(motion.head, motion.antennas, motion.body_yaw), motion.duration
    if isinstance(motion, GazeMotion):
        return Gaze(np.array(motion.point), BASE_FRAME), motion.duration
    return Named(Library[motion.library.name], motion.name, motion.amplitude, Path()), 0.0
