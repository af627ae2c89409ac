"""Who moves the body: one primary motion at a time."""

from __future__ import annotations

import secrets
import threading
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.trajectory_generator import TrajectoryGenerator, stopping
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.stream import StreamGuard


class Activity(IntEnum):
    """Mirror of the constants in `reachy_agent_msgs/msg/RobotState`."""

    IDLE = 0
    MOVING = 1
    STREAMING = 2
    HOLDING = 3
    STOPPED = 4


class Player:
    """Keeps the lease of the one who commands, and turns it into a wanted posture a hundred times a second.

    A newer motion of the commander who holds the lease takes over, one of anybody else is refused. A stream of targets
    holds the lease until it is stale. Whatever ends early ends in a smooth stop, and the posture is held. A body that
    has nothing to do breathes after a while.

    Any thread may call anything; `expire`, `wanted`, `observe` and `settle_at` belong to the motion loop.

    Args:
        breath: How it breathes.

    Attributes:
        course: What the motions make of it.
        held: Whether somebody asked the body to be still, layers and all; until the next motion or gaze.
        last_stop: Another number, never 0, with every hold and emergency stop; 0 before the first.
    """

    def __init__(self, breath: Breath) -> None:
        self.course = TrajectoryGenerator(breath)
        self._lock = threading.RLock()
        self._playback: Playback | None = None
        self._stream: _Stream | None = None
        self._holding = False
        self.held = False
        self.last_stop = 0

    @property
    def commander(self) -> str:
        """Who holds the lease, empty when nobody does."""
        lease = self._playback or self._stream
        return lease.commander if lease is not None else ""

    @property
    def activity(self) -> Activity:
        """What the body is doing, the emergency stop aside."""
        if self._playback is not None:
            return Activity.MOVING
        if self._stream is not None:
            return Activity.STREAMING
        return Activity.HOLDING if self._holding else Activity.IDLE

    def play(self, playback: Playback) -> None:
        """Begins a motion at the next turn of the loop.

        Raises:
            TargetError: `COMMANDER_BUSY`.
        """
        with self._lock:
            self._take(playback.commander)
            self._playback = playback
            self.course.begin(playback.begin)

    def stream(self, commander: str, now: float) -> None:
        """Notes that a target of a stream has come, and takes the lease for it.

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
        """Makes an admitted target of the stream the posture to go to."""
        with self._lock:
            if self._stream is not None:
                self._stream.pose = pose

    def cancel(self, playback: Playback, error: AgentError, holding: bool = False) -> None:
        """Ends one motion, if it is still being played."""
        with self._lock:
            if self._playback is playback:
                self.interrupt(error, holding)

    def interrupt(self, error: AgentError, holding: bool = False) -> None:
        """Ends whatever is going on, in a smooth stop.

        Args:
            error: What the one who commanded it is told.
            holding: Whether that was because a commander fell silent.
        """
        with self._lock:
            self._stream, self._holding = None, holding
            self.course.stop()
            self._end(error)

    def hold(self, error: AgentError) -> None:
        """Ends whatever is going on, and stills what is on top of it."""
        with self._lock:
            self.interrupt(error)
            self.note_stop()
            self.held = True

    def note_stop(self) -> None:
        """Makes every gaze that was asked for until now one of before a stop."""
        self.last_stop = 1 + secrets.randbits(63)

    def offset(self, source: int, offset: Offset, now: float, last_stop: int) -> None:
        """Sets a layer, as `OffsetLayers.set`. A gaze was asked for after the last stop, so it ends a hold.

        Raises:
            TargetError: As `OffsetLayers.set`; `STALE_COMMAND`: a gaze from before the last stop, which may have been
                under way when the robot was stopped, or sent by somebody who has not heard of it yet.
        """
        with self._lock:
            if source == OffsetSource.SPEECH:
                self.course.layers.set(source, offset, now)
                return
            if last_stop != self.last_stop:
                message = f"The robot was stopped since this gaze began: last_stop is {self.last_stop} now."
                raise TargetError(ErrorCode.STALE_COMMAND, message, "last_stop")
            self.course.layers.set(source, offset, now)
            self.held = False

    def expire(self, now: float) -> str | None:
        """Ends a stream that has fallen silent, in a smooth stop. Returns whose it was, None where there is none."""
        with self._lock:
            if self._stream is None or not self._stream.guard.stale(now):
                return None
            silent = self._stream.commander
            self._stream, self._holding = None, True
            self.course.stop()
            return silent

    def wanted(self, state: MotionState, measured: BodyPose, now: float) -> tuple[BodyPose, BodyPose]:
        """Where the body should be now, and what to command for that, as `TrajectoryGenerator.wanted`."""
        with self._lock:
            streamed = None if self._stream is None else self._stream.pose
            idle = self.activity is Activity.IDLE
            return self.course.wanted(state, measured, now, streamed, idle=idle, held=self.held)

    def settle_at(self, state: MotionState) -> None:
        """Makes a posture that was not asked for the one to stay at."""
        with self._lock:
            self.course.settle_at(state)

    def observe(self, measured: BodyPose, command: BodyPose, wanted: BodyPose, now: float) -> AgentError | None:
        """Ends the motion when the robot has arrived or has failed to. Returns the failure, None otherwise."""
        with self._lock:
            if self._playback is None:
                return None
            verdict = self._playback.verdict(measured, command, wanted, now)
            if isinstance(verdict, AgentError):
                self.interrupt(verdict)
                return verdict
            if verdict:
                self._end(None)
            return None

    def _take(self, commander: str) -> None:
        if self.commander not in ("", commander):
            message = f"{self.commander} holds the robot, {commander} has to wait."
            raise TargetError(ErrorCode.COMMANDER_BUSY, message, "commander")
        self._stream, self._holding, self.held = None, False, False
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
