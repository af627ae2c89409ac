"""Trajectory of the body: the current move, breathing between moves, and secondary layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import Breath, Breathing
from reachy_agent_ros.motion.composition import Composition
from reachy_agent_ros.motion.drowsiness import Alertness
from reachy_agent_ros.motion.idle_life import IdleLife, Shift
from reachy_agent_ros.motion.idleness import Idleness
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.offset import OffsetLayers
from reachy_agent_ros.motion.pose_move import PoseMove, stopping_move
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.workspace import Workspace

Beginning = Callable[[MotionState, float], Move]
"""Function that creates a move, from the state of the primary motion and the time on the steady clock, s."""

LISTENING_PATIENCE = 0.5
"""Time without a message after which listening ends, s, so that a crashed `stt` node does not keep the head still."""


class _IdleMove(Enum):
    NONE = auto()
    BREATHING = auto()
    RETURNING = auto()


class TrajectoryGenerator:
    """Generates one continuous trajectory over successive moves.

    The player ensures that only one thread uses it.

    Attributes:
        breath: Breathing of the idle body. A change applies when the body next begins to breathe.
        listening: State that keeps an idle body still while the robot listens to somebody.
        thinking: Whether breathing pauses because the agent is thinking.
        attentive: Whether somebody has the robot's attention, so that it is awake and does not glance around.
        life: Idle life of the body.
    """

    def __init__(self, breath: Breath) -> None:
        self.listening = Listening()
        self.thinking = False
        self.attentive = False
        self.breath = breath
        self._workspace = Workspace()
        self._composition = Composition(self._workspace)
        self.life = IdleLife(self._workspace)
        self._idleness = Idleness(self.life)
        self._idle_move = _IdleMove.NONE
        self._starting: Beginning | None = stopping
        self._move = stopping(MotionState(np.zeros(9), np.zeros(9)), 0.0)
        self._primary = self._move.at(0.0)
        self._began = 0.0

    @property
    def layers(self) -> OffsetLayers:
        """Secondary layers that are added to the primary motion."""
        return self._composition.layers

    @property
    def share(self) -> float:
        """Fraction (0 to 1) by which all layers are scaled to stay within the limits."""
        return self._composition.share

    @property
    def posture(self) -> BodyPose:
        """Posture of the primary motion, without layers, breathing and idle life.

        If a target does not set a coordinate, the coordinate keeps its value from this posture.
        """
        return self._idleness.around or self._primary

    @property
    def start(self) -> BodyPose:
        """Present posture of the primary motion, from which the next motion starts."""
        return self._primary

    @property
    def breathing(self) -> bool:
        """Whether the robot is playing the idle move."""
        return self._idle_move is _IdleMove.BREATHING

    @property
    def alertness(self) -> Alertness:
        """How awake the body is. It is awake unless it is idle."""
        return Alertness.AWAKE if self._idleness.around is None else self.life.alertness

    def begin(self, beginning: Beginning) -> None:
        """Starts a move in the next cycle of the loop."""
        self._starting, self._idle_move = beginning, _IdleMove.NONE
        self._idleness.begin()

    def stop(self) -> None:
        """Stops the body. It stays at rest until the next move."""
        self._starting, self._idle_move = stopping, _IdleMove.NONE
        self._idleness.stop()

    def settle_at(self, state: MotionState) -> None:
        """Holds a posture that was not commanded. Resets layers and trim, because they are wrong for this posture."""
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
        """Advances the trajectory to `now`.

        Args:
            state: Last command.
            measured: Measured posture.
            now: Time on the steady clock, s.
            streamed: Posture of a stream, which replaces the posture of the move; None without a stream.
            idle: Whether no command is active.
            held: Whether the robot was asked to hold.

        Returns:
            The wanted posture, and the posture to command in order to reach it.
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
        """Starts breathing after the idle time, and stops breathing while the robot listens.

        A motion replaces breathing.

        Thinking only interrupts breathing; afterwards, breathing continues without the usual idle time. If somebody
        needs the robot, it returns from a glance and from sleep.
        """
        due = self._idleness.due(rests, now, self.breath.pause)
        needed = self.thinking or self.attentive or not self.layers.gone
        if needed:
            self.life.wake()
        if self._starting is not None:
            return
        if due and not self.breathing and not self.thinking:
            self._breathe(self._idleness.breathe_around(self._primary, now))
        elif self._idle_move is not _IdleMove.NONE and (not rests or (self.breathing and self.thinking)):
            self._starting, self._idle_move = stopping, _IdleMove.NONE
            self.life.interrupt(now)
        elif rests and (self.breathing or (needed and self._is_back(now))):
            self._live(self.life.advance(self._primary, now, self.breath.lift, needed))

    def _is_back(self, now: float) -> bool:
        """Returns whether an idle body has come to rest after its breathing was interrupted."""
        return self._idleness.around is not None and now - self._began >= self._move.duration

    def _breathe(self, shift: Shift) -> None:
        breath = replace(self.breath, lift=0.0, sway=0.0) if shift.still else self.breath
        self._starting = lambda state, _now: Breathing(state, shift.around, breath, self._workspace, shift.duration)
        self._idle_move = _IdleMove.BREATHING

    def _live(self, shift: Shift | None) -> None:
        """Changes the posture of an idle body, while the body breathes or while its breathing is interrupted."""
        if shift is not None and self.breathing:
            self._breathe(shift)
        elif shift is not None:
            self._starting = lambda state, _now: PoseMove(state, shift.around, shift.duration)
            self._idle_move = _IdleMove.RETURNING

    def _correct(self, whole: BodyPose, measured: BodyPose, moving: bool, listening: bool) -> None:
        """Fades the trim during a move. At rest, updates it unless the body was stopped, listens, or a layer moves.

        Breathing does not change the trim.
        """
        trim, dt = self._composition.trim, self._composition.dt
        if self.breathing:
            return
        if moving:
            trim.fade(dt)
        elif self._idleness.free and self.layers.calm and not listening:
            trim.correct(coordinates(whole), coordinates(measured), dt)


class Listening:
    """Timer that keeps the robot still while it listens, because its motors are louder than a distant voice.

    Any thread may call any method.
    """

    def __init__(self) -> None:
        self._until = float("-inf")

    def note(self, listening: bool, now: float) -> None:
        """Processes a message from the `stt` node at the time `now` (steady clock, s)."""
        self._until = now + LISTENING_PATIENCE if listening else float("-inf")

    def active(self, now: float) -> bool:
        """Returns whether the robot must keep still now."""
        return now < self._until


def stopping(state: MotionState, _now: float) -> Move:
    """Creates the move that stops the body."""
    return stopping_move(state)
