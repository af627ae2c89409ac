"""Robot simulated by MuJoCo, with motion controller and safety gate. Its time advances only on request."""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.following import furthest_miss
from reachy_agent_ros.motion.loop import PERIOD
from reachy_agent_ros.motion.playback import SETTLING, Playback
from reachy_agent_ros.motion.request import prepare
from reachy_agent_ros.robot.command_watch import CommandWatch
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.simulation.eye import SimulatedEye
from reachy_agent_ros.simulation.virtual_body import VirtualBody, target_of, wish_of
from reachy_agent_ros.tools.body import BodyState, Motion, MotionResult, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.vision.eye import AS_IN_THE_MODEL, Mounting

COMMANDER = "rehearsal"
"""Name of the commander in reports."""

_SLOWEST = 1e-5
"""Joint speed below which a joint counts as at rest, rad/s: friction stops it within a thousandth of a degree."""

_SAME = 1e-9
"""Difference between two commands that counts as a rounding error, m or rad."""


class MujocoBody(VirtualBody):
    """Robot whose simulation runs at full speed while a caller waits for a motion or for a duration. Thread-safe.

    The first reset loads the scene, which takes 2 s. The body cannot be used before the first reset.

    Args:
        scene: One of `description.SCENES`.
        places: Positions of objects, as for `MujocoRobot`.
        view: Answer of a vision model for any image; empty if there is no vision model.
        blind: Whether the camera is unavailable.
        moves: Folder of recorded moves; None for no recorded moves.
        mounting: True mounting of the camera in the head.

    Attributes:
        watch: Monitor of all commands since the last reset.
    """

    def __init__(
        self,
        scene: str = "minimal",
        places: Mapping[str, tuple[float, float]] | None = None,
        view: str = "",
        blind: bool = False,
        moves: Path | None = None,
        mounting: Mounting = AS_IN_THE_MODEL,
    ) -> None:
        super().__init__(SimulatedEye(scene, view, blind, mounting))
        self._moves = moves
        self._lock = threading.RLock()
        self._stepped = self._asked = 0.0
        self._robot = MujocoRobot(scene, lambda: self._stepped, places)
        self._loaded = False
        self._streamed: Target | None = None
        self._begin()

    @property
    def now(self) -> float:
        """Virtual time (s) since the last reset."""
        return max(self._stepped, self._asked)

    def reset(self) -> None:
        """Resets the robot and the objects, which takes a few milliseconds. The first call loads the scene."""
        super().reset()
        with self._lock:
            self._begin()
            if not self._loaded:
                self._robot.connect()
                self._loaded = True
            self._robot.rewind()
            self._step()

    def wait(self, seconds: float) -> None:
        """Advances virtual time. Skips the computation while the robot is at rest."""
        self._asked = self.now + seconds
        while self._stepped + PERIOD <= self._asked:
            self._step()
            if self._rests:
                self._stepped += math.floor((self._asked - self._stepped) / PERIOD) * PERIOD

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Plays one motion to its end. After a cancellation, the robot holds its pose."""
        wish, duration = wish_of(motion, self._moves)
        prepare(wish)
        ended: Future[AgentError | None] = Future()
        with self._lock:
            self._streamed = None
            playback, findings = self._controller.execute(wish, COMMANDER, ended.set_result, duration)
        context.cancel.on_cancel(lambda: self._cancel(playback))
        self._pass_until(ended, context.deadline)
        if not ended.done():
            self._cancel(playback)
            raise AgentError(ErrorCode.TIMEOUT, "The motion did not end in time.")
        return MotionResult(self.measure().pose, tuple(finding.field for finding in findings), ended.result())

    def stream(self, motion: PoseMotion) -> None:
        """Follows a posture until the next posture, motion or hold. `objections` returns the problems."""
        with self._lock:
            self._streamed = target_of(motion)

    def hold(self) -> None:
        """Ends the running motion and holds the pose."""
        with self._lock:
            self._streamed = None
            self._controller.hold()

    def state(self) -> BodyState:
        """Returns the current state of the robot."""
        measured = self.measure()
        activity = self._controller.activity.name.lower()
        motors = measured.motor_mode.name.lower()
        reason = self._controller.gate.stop_reason
        commander = self._controller.commander
        return BodyState(measured.pose, activity, motors, True, True, reason is not None, reason or "", commander)

    def measure(self) -> Measurement:
        """Returns the latest measurement."""
        with self._lock:
            return self._robot.measure()

    def objections(self) -> tuple[str, ...]:
        """Brings the robot to rest. Returns the problems of all commands since the last reset.

        There are three kinds of problems: violations counted by the monitor, findings of the safety gate since the
        previous call, and the coordinate in which the body misses its command most.
        """
        self.hold()
        miss = self._miss_at_rest()
        findings = [report.finding for report in self._controller.reports.take()]
        # A motion that takes longer than requested is not a problem.
        found = [finding.message for finding in findings if finding.field != "duration"]
        if self.watch.violations or self.watch.jumps:
            found.append(f"{self.watch.violations} commands left the envelope and {self.watch.jumps} jumped")
        if miss is not None:
            found.append("{0} came to rest at {2:.3f} instead of {1:.3f} (rad or m)".format(*miss))
        return tuple(found)

    def close(self) -> None:
        """Closes the camera and the simulation."""
        super().close()
        self._robot.close()

    def _begin(self) -> None:
        self._stepped = self._asked = 0.0
        self._streamed = None
        self._rests = False
        self._rest = _RestWatch()
        self.watch = CommandWatch()
        self._controller = MotionController(Breath(pause=math.inf))

    def _pass_until(self, ended: Future[AgentError | None], deadline: Deadline) -> None:
        """Advances time until a motion has ended or the deadline has passed."""
        while not ended.done() and not deadline.passed:
            self._step()

    def _miss_at_rest(self) -> tuple[str, float, float] | None:
        """Waits for the robot to reach its command, at most for the settling time.

        Returns the name, command and value of a coordinate that has not reached its command, or None.
        """
        latest = self.now + SETTLING
        while (miss := furthest_miss(self.measure().pose, self._controller.posture)) and self.now < latest:
            self.wait(PERIOD)
        return miss

    def _cancel(self, playback: Playback) -> None:
        with self._lock:
            self._controller.cancel(playback, AgentError(ErrorCode.CANCELED, "The motion was canceled."))

    def _step(self) -> None:
        with self._lock:
            self._stepped += PERIOD
            if self._streamed is not None:
                self._controller.stream(self._streamed, COMMANDER, self._stepped)
            stopped = self._controller.gate.stop_reason is not None
            measured = self._robot.measure()
            command = self._controller.cycle(measured, self._stepped, PERIOD)
            self.watch.see(command, PERIOD, stopped)
            self._rests = False
            if command is not None:
                self._robot.command(command)
                self._rests = self._rest.see(measured, coordinates(command)) and self._streamed is None


class _RestWatch:
    """Detects a robot at rest, so that its physics can be skipped. Compares each command with the previous command.

    Objects on the desk are ignored, because they never come to rest in simulation and do not touch the robot.
    """

    def __init__(self) -> None:
        self._commanded: Vector | None = None

    def see(self, measured: Measurement, commanded: Vector) -> bool:
        """Returns whether the robot is at rest, based on a measurement and the coordinates of a command."""
        before, self._commanded = self._commanded, commanded
        same = before is not None and float(np.abs(commanded - before).max()) < _SAME
        return same and all(abs(speed) < _SLOWEST for speed in measured.joint_velocities.values())
