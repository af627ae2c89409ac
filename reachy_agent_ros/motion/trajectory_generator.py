"""Where the body goes: the move that plays, breathing between two moves, and the secondary layers on top."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath, Breathing
from reachy_agent_ros.motion.composition import Composition
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.offset import OffsetLayers
from reachy_agent_ros.motion.pose_move import stopping_move
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.workspace import Workspace

Beginning = Callable[[MotionState, float], Move]
"""Function that creates a move, from the state of the primary motion and the time on the steady clock, s."""

LISTENING_PATIENCE = 0.5
"""Seconds without a message after which listening ends: a crashed `stt` node must not keep the head still."""


class TrajectoryGenerator:
    """Goes from one move to the next without a jump. The player makes sure that only one thread calls it at a time.

    Args:
        breath: How the body breathes when it is idle.

    Attributes:
        listening: Keeps an idle body still while somebody is listened to.
        thinking: Whether breathing pauses because the agent is thinking.
    """

    def __init__(self, breath: Breath) -> None:
        self.listening = Listening()
        self.thinking = False
        self._breath = breath
        self._workspace = Workspace()
        self._composition = Composition(self._workspace)
        self._idleness = _Idleness(breath.pause)
        self._starting: Beginning | None = stopping
        self._move = stopping(MotionState(np.zeros(9), np.zeros(9)), 0.0)
        self._primary = self._move.at(0.0)
        self._began = 0.0

    @property
    def layers(self) -> OffsetLayers:
        """The secondary layers that are added to the primary motion."""
        return self._composition.layers

    @property
    def share(self) -> float:
        """Share of the layers, 0..1, that fits into the limits and is used."""
        return self._composition.share

    @property
    def posture(self) -> BodyPose:
        """The posture of the primary motion without layers and breathing; what a target leaves unset keeps it."""
        return self._idleness.around or self._primary

    @property
    def breathing(self) -> bool:
        """Whether the idle move plays."""
        return isinstance(self._move, Breathing) and self._starting is None

    def begin(self, beginning: Beginning) -> None:
        """Begins a move in the next cycle of the loop."""
        self._starting = beginning
        self._idleness.begin()

    def stop(self) -> None:
        """Brings the body to rest, where it stays until the next move."""
        self._starting = stopping
        self._idleness.stop()

    def settle_at(self, state: MotionState) -> None:
        """Stays at a posture that was not commanded; layers and trim end, because they belonged to another posture."""
        self._composition.clear()
        self._primary, self._starting = posture(state.position), self._starting or stopping

    def wanted(
        self,
        state: MotionState,
        measured: BodyPose,
        now: float,
        streamed: BodyPose | None,
        *,
        idle: bool,
        held: bool,
    ) -> tuple[BodyPose, BodyPose]:
        """Advances to `now`.

        Args:
            state: The last command.
            measured: Where the body is.
            now: Steady clock, s.
            streamed: Posture that replaces the one of a move; None without a stream.
            idle: Whether no command is active.
            held: Whether somebody asked the robot to hold still.

        Returns:
            Where the body should be, and what to command for that.
        """
        listening = self.listening.active(now)
        self._mind_idleness(idle and not listening, now)
        own = self._composition.advance(state, now, frozen=listening or held)
        if self._starting is not None:
            self._move, self._starting = self._starting(own, now), None
            self._began = now
        self._primary = streamed or self._move.at(now - self._began)
        whole = self._composition.whole(self._primary)
        moving = streamed is not None or now - self._began < self._move.duration
        self._correct(whole, measured, moving, listening)
        return whole, self._composition.trimmed(whole)

    def _mind_idleness(self, rests: bool, now: float) -> None:
        """Begins to breathe when it is time, and stops when the robot listens; a motion replaces breathing.

        Thinking only interrupts breathing, which goes on without a pause afterwards.
        """
        due = self._idleness.due(rests, now)
        if self._starting is not None:
            return
        if due and not self.breathing and not self.thinking:
            around = self._idleness.breathe_around(self._primary)
            self._starting = lambda state, _now: Breathing(state, around, self._breath, self._workspace)
        elif self.breathing and (self.thinking or not rests):
            self._starting = stopping

    def _correct(self, whole: BodyPose, measured: BodyPose, moving: bool, listening: bool) -> None:
        """Updates the trim, which helps the body to arrive; not while it is stopped, listens or breathes."""
        trim, dt = self._composition.trim, self._composition.dt
        if self.breathing:
            return
        if moving:
            trim.fade(dt)
        elif self._idleness.free and self.layers.calm and not listening:
            trim.correct(coordinates(whole), coordinates(measured), dt)


class Listening:
    """Remembers until when to keep still for the microphone: motors are louder than a person across the room.

    Any thread may call any method.
    """

    def __init__(self) -> None:
        self._until = float("-inf")

    def note(self, listening: bool, now: float) -> None:
        """Takes a message of the `stt` node; `now` is on the steady clock, s."""
        self._until = now + LISTENING_PATIENCE if listening else float("-inf")

    def active(self, now: float) -> bool:
        """Whether to keep still now."""
        return now < self._until


def stopping(state: MotionState, _now: float) -> Move:
    """Begins a stop."""
    return stopping_move(state)


class _Idleness:
    """When an idle body begins to breathe, and around which posture.

    A body that was stopped stays still until the next motion.

    Args:
        pause: Seconds of rest before the breath begins; 0 means never.

    Attributes:
        free: Whether the body may move by itself: from the start until it is stopped, and again from the next motion.
        around: Posture that it breathes around, kept while breathing only pauses; None before it begins.
    """

    def __init__(self, pause: float) -> None:
        self.free = True
        self.around: BodyPose | None = None
        self._pause = pause
        self._since: float | None = None

    def begin(self) -> None:
        """Notes that a motion begins."""
        self.free, self.around = True, None

    def stop(self) -> None:
        """Notes a stop, whether or not something moved."""
        self.free, self.around = False, None

    def due(self, rests: bool, now: float) -> bool:
        """Whether the body has rested for long enough.

        Args:
            rests: Whether nobody moves the body or wants it still now.
            now: Steady clock, s.
        """
        if not rests:
            self._since = None
        elif self._since is None:
            self._since = now
        return self.free and self._pause > 0.0 and self._since is not None and now - self._since >= self._pause

    def breathe_around(self, rest: BodyPose) -> BodyPose:
        """The posture to breathe around: the one in which the body rests when it begins to breathe."""
        self.around = self.around or rest
        return self.around
