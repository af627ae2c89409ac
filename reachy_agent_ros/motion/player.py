"""Who moves the body, and where it should be now: one primary motion at a time, and layers on top."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import IntEnum

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath, Breathing
from reachy_agent_ros.motion.composition import Composition
from reachy_agent_ros.motion.idleness import Idleness
from reachy_agent_ros.motion.listening import Listening
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.offset import OffsetLayers
from reachy_agent_ros.motion.playback import Playback
from reachy_agent_ros.motion.pose_move import stopping_move
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.kinematics import BodyKinematics
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
        listening: Keeps the body still that nobody moves.
    """

    def __init__(self, breath: Breath) -> None:
        self.listening = Listening()
        self._breath = breath
        self._kinematics = BodyKinematics()
        self._composition = Composition(self._kinematics)
        self._idleness = Idleness(breath.pause)
        self._lock = threading.RLock()
        self._playback: Playback | None = None
        self._stream: _Stream | None = None
        self._starting: Callable[[MotionState, float], Move] | None = _stop
        self._move = _stop(MotionState(np.zeros(9), np.zeros(9)), 0.0)
        self._primary = self._move.at(0.0)
        self._began = 0.0
        self._holding = False

    @property
    def layers(self) -> OffsetLayers:
        """What is added to the primary motion."""
        return self._composition.layers

    @property
    def posture(self) -> BodyPose:
        """The posture of the primary motion alone, without layers and breath: what a target leaves unset stays so."""
        return self._idleness.around or self._primary

    @property
    def breathing(self) -> bool:
        """Whether the idle move plays."""
        return isinstance(self._move, Breathing) and self._starting is None

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
            self._starting = playback.begin

    def stream(self, commander: str, now: float) -> None:
        """Notes that a target of a stream has come, and takes the lease for it.

        Raises:
            TargetError: `COMMANDER_BUSY` or `RATE_EXCEEDED`.
        """
        with self._lock:
            if self._stream is None or self._stream.commander != commander:
                self._take(commander)
                self._stream = _Stream(commander, now)
                self._starting = _stop
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
            self._stream = None
            self._starting = _stop
            self._holding = holding
            self._idleness.stop()
            self._end(error)

    def expire(self, now: float) -> str | None:
        """Ends a stream that has fallen silent, in a smooth stop. Returns whose it was, None where there is none."""
        with self._lock:
            if self._stream is None or not self._stream.guard.stale(now):
                return None
            silent = self._stream.commander
            self._stream, self._starting, self._holding = None, _stop, True
            self._idleness.stop()
            return silent

    def wanted(self, state: MotionState, measured: BodyPose, now: float) -> tuple[BodyPose, BodyPose]:
        """Where the body should be now, and what to command for that, from where the command is.

        Returns:
            The posture with its layers; the same and what the body lags behind.
        """
        with self._lock:
            listening = self.listening.active(now)
            self._mind_idleness(listening, now)
            own = self._composition.advance(state, now, frozen=listening)
            if self._starting is not None:
                self._move, self._starting = self._starting(own, now), None
                self._began = now
            streamed = None if self._stream is None else self._stream.pose
            self._primary = self._move.at(now - self._began) if streamed is None else streamed
            whole = self._composition.whole(self._primary)
            self._trim(whole, measured, listening, now)
            return whole, self._composition.trimmed(whole)

    def settle_at(self, state: MotionState) -> None:
        """Makes a posture that was not asked for the one to stay at: layers and corrections belonged to another."""
        with self._lock:
            self._composition.clear()
            self._primary, self._starting = posture(state.position), self._starting or _stop

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

    def _mind_idleness(self, listening: bool, now: float) -> None:
        """Begins to breathe when it is time to, and ends it for the ears; everything else that ends it replaces it."""
        rests = self.activity is Activity.IDLE and not listening
        due = self._idleness.due(rests, now)
        if self._starting is not None:
            return
        if due and not self.breathing:
            around = self._idleness.breathe_around(self._primary)
            self._starting = lambda state, _now: Breathing(state, around, self._breath, self._kinematics)
        elif listening and self.breathing:
            self._starting = _stop

    def _trim(self, whole: BodyPose, measured: BodyPose, listening: bool, now: float) -> None:
        """Corrects the rest of a motion; a body that was stopped, listens or breathes is left alone."""
        trim, dt = self._composition.trim, self._composition.dt
        if self._stream is not None or (now - self._began < self._move.duration and not self.breathing):
            trim.fade(dt)
        elif self._idleness.free and not self.breathing and not listening and self.layers.calm:
            trim.correct(coordinates(whole), coordinates(measured), dt)

    def _take(self, commander: str) -> None:
        if self.commander not in ("", commander):
            message = f"{self.commander} holds the robot, {commander} has to wait"
            raise TargetError(ErrorCode.COMMANDER_BUSY, message, "commander")
        self._stream, self._holding = None, False
        self._idleness.begin()
        self._end(AgentError(ErrorCode.PREEMPTED, f"{commander} sent a newer motion"))

    def _end(self, error: AgentError | None) -> None:
        if self._playback is not None:
            ended, self._playback = self._playback, None
            ended.on_end(error)


class _Stream:
    def __init__(self, commander: str, now: float) -> None:
        self.commander = commander
        self.guard = StreamGuard(now)
        self.pose: BodyPose | None = None


def _stop(state: MotionState, _now: float) -> Move:
    return stopping_move(state)
