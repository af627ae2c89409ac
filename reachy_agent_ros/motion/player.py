"""Player: grants control of the robot to one commander and plays one primary motion at a time."""

from __future__ import annotations

import secrets
import threading
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.continuation import Unfinished
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.trajectory_generator import TrajectoryGenerator, stopping
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.robot.stream import StreamGuard


class Activity(IntEnum):
    """Activity of the body. The values mirror the constants in `reachy_agent_msgs/msg/RobotState`."""

    IDLE = 0
    MOVING = 1
    STREAMING = 2
    HOLDING = 3
    STOPPED = 4


class Player:
    """Manages the commander's lease, and computes the wanted posture 100 times per second.

    A new motion from the commander that holds the lease replaces the current one; motions from other commanders are
    rejected. A stream of targets holds the lease until it is stale. A motion that is interrupted ends with a smooth
    stop, and the posture is held. An idle body starts to breathe after a pause.

    Any thread may call any method, except that `expire`, `wanted`, `observe` and `settle_at` are for the motion loop.

    Args:
        breath: Breathing of the idle body.

    Attributes:
        course: Trajectory of the body.
        held: Whether the body, including its layers, was asked to hold; reset by the next motion or gaze.
        last_stop: Nonzero number that changes with every hold and emergency stop; 0 before the first.
        unfinished: Rest of the motion that was held or canceled last, until the next motion or failure; None without.
    """

    def __init__(self, breath: Breath) -> None:
        self.course = TrajectoryGenerator(breath)
        self._lock = threading.RLock()
        self._playback: Playback | None = None
        self._stream: _Stream | None = None
        self._holding = False
        self.held = False
        self.last_stop = 0
        self.unfinished: Unfinished | None = None

    @property
    def commander(self) -> str:
        """Commander that holds the lease; empty if no commander does."""
        lease = self._playback or self._stream
        return lease.commander if lease is not None else ""

    @property
    def activity(self) -> Activity:
        """Present activity of the body, regardless of the emergency stop."""
        if self._playback is not None:
            return Activity.MOVING
        if self._stream is not None:
            return Activity.STREAMING
        return Activity.HOLDING if self._holding else Activity.IDLE

    def play(self, playback: Playback) -> None:
        """Starts a motion in the next cycle of the loop.

        Raises:
            TargetError: `COMMANDER_BUSY`.
        """
        with self._lock:
            self._take(playback.commander)
            self._playback = playback
            self.course.begin(playback.begin)

    def change_pace(self, pace: float, now: float) -> None:
        """Changes the pace of the current motion, if there is one."""
        with self._lock:
            if self._playback is not None:
                self._playback.change_pace(pace, now)

    def stream(self, commander: str, now: float) -> None:
        """Records a target of a stream, and grants the lease to the stream's commander.

        Raises:
            TargetError: `COMMANDER_BUSY` or `RATE_EXCEEDED`.
        """
        with self._lock:
            if self._stream is None or self._stream.commander != commander:
                self._take(commander)
                self._stream = _Stream(commander, now)
                self.course.begin(stopping)
            self._stream.guard.take(now)

    def follow(self, pose: BodyPose) -> None:
        """Sets a validated target of the stream as the wanted posture."""
        with self._lock:
            if self._stream is not None:
                self._stream.pose = pose

    def cancel(self, playback: Playback, error: AgentError, holding: bool = False) -> None:
        """Ends a motion if it is still playing."""
        with self._lock:
            if self._playback is playback:
                self.interrupt(error, holding)

    def interrupt(self, error: AgentError, holding: bool = False) -> None:
        """Ends the current motion with a smooth stop.

        Args:
            error: Error for the commander of the motion.
            holding: Whether the reason is that the commander has stopped sending.
        """
        with self._lock:
            self._stream, self._holding = None, holding
            if error.code is not ErrorCode.CANCELED:  # nobody asked for this end, so nobody expects it to go on
                self.unfinished = None
            elif self._playback is not None:
                self.unfinished = self._playback.rest
            self.course.stop()
            self._end(error)

    def hold(self, error: AgentError) -> None:
        """Ends the current motion and freezes the layers."""
        with self._lock:
            self.interrupt(error)
            self.note_stop()
            self.held = True

    def note_stop(self) -> None:
        """Changes `last_stop`, so that gazes sent before this stop are rejected."""
        self.last_stop = 1 + secrets.randbits(63)

    def offset(self, source: int, offset: Offset, now: float, last_stop: int) -> None:
        """Sets a layer as `OffsetLayers.set` does. A face or gaze offset sent after the last stop ends a hold.

        Raises:
            TargetError: The errors of `OffsetLayers.set`; `STALE_COMMAND` for a face or gaze offset from before the
                last stop, which was in transit or whose sender does not know of the stop yet.
        """
        with self._lock:
            if source == OffsetSource.SPEECH:
                self.course.layers.set(source, offset, now)
                return
            if last_stop != self.last_stop:
                message = f"The robot was stopped after this gaze was sent: last_stop is now {self.last_stop}."
                raise TargetError(ErrorCode.STALE_COMMAND, message, "last_stop")
            self.course.layers.set(source, offset, now)
            self.held = False

    def notice(self, yaw: float, pitch: float, now: float) -> None:
        """Draws the attention of the idle body to a direction, as `IdleLife.notice` does."""
        with self._lock:
            self.course.life.notice(yaw, pitch, now)

    def expire(self, now: float) -> str | None:
        """Ends a stream that has become silent, with a smooth stop.

        Returns the commander of that stream, or None if no stream has ended.
        """
        with self._lock:
            if self._stream is None or not self._stream.guard.stale(now):
                return None
            silent = self._stream.commander
            self._stream, self._holding = None, True
            self.course.stop()
            return silent

    def wanted(self, state: MotionState, measured: BodyPose, now: float) -> tuple[BodyPose, BodyPose]:
        """Returns the wanted posture, and the command with which the robot reaches it."""
        with self._lock:
            streamed = None if self._stream is None else self._stream.pose
            idle = self.activity is Activity.IDLE
            return self.course.wanted(state, measured, now, streamed, idle=idle, held=self.held)

    def settle_at(self, state: MotionState) -> None:
        """Holds the posture of a robot that was moved without a command."""
        with self._lock:
            self.course.settle_at(state)

    def observe(self, latest: Measurement, command: BodyPose, wanted: BodyPose, now: float) -> AgentError | None:
        """Ends the motion if the robot has reached its goal or failed to reach it. Returns the error of a failure."""
        with self._lock:
            if self._playback is None:
                return None
            verdict = self._playback.verdict(latest, command, wanted, now)
            if isinstance(verdict, AgentError):
                self.interrupt(verdict)
                return verdict
            if verdict:
                self._end(None)
            return None

    def _take(self, commander: str) -> None:
        if self.commander not in ("", commander):
            message = f"The robot is in use by {self.commander}: {commander} must wait."
            raise TargetError(ErrorCode.COMMANDER_BUSY, message, "commander")
        self._stream, self._holding, self.held, self.unfinished = None, False, False, None
        self._end(AgentError(ErrorCode.PREEMPTED, f"{commander} sent a newer motion."))

    def _end(self, error: AgentError | None) -> None:
        if self._playback is not None:
            ended, self._playback = self._playback, None
            ended.on_end(error)


class _Stream:
    def __init__(self, commander: str, now: float) -> None:
        self.commander = commander
        self.guard = StreamGuard(now)
        self.pose: BodyPose | None = None
