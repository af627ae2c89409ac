"""Trajectory of the body: the current move, breathing between moves, and secondary layers."""

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
"""Time without a message after which listening ends, s, so that a crashed `stt` node does not keep the head still."""


class TrajectoryGenerator:
    """Generates one continuous trajectory over successive moves.

    The player ensures that only one thread uses it.

    Attributes:
        breath: Breathing of the idle body. A change applies when the body next begins to breathe.
        listening: State that keeps an idle body still while the robot listens to somebody.
        thinking: Whether breathing pauses because the agent is thinking.
    """

    def __init__(self, breath: Breath) -> None:
        self.listening = Listening()
        self.thinking = False
        self.breath = breath
        self._workspace = Workspace()
        self._composition = Composition(self._workspace)
        self._idleness = _Idleness()
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
        """Posture of the primary motion, without layers and breathing.

        If a target does not set a coordinate, the coordinate keeps its value from this posture.
        """
        return self._idleness.around or self._primary

    @property
    def breathing(self) -> bool:
        """Whether the robot is playing the idle move."""
        return isinstance(self._move, Breathing) and self._starting is None

    def begin(self, beginning: Beginning) -> None:
        """Starts a move in the next cycle of the loop."""
        self._starting = beginning
        self._idleness.begin()

    def stop(self) -> None:
        """Stops the body. It stays at rest until the next move."""
        self._starting = stopping
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

        Thinking only interrupts breathing; afterwards, breathing continues without the usual idle time.
        """
        due = self._idleness.due(rests, now, self.breath.pause)
        if self._starting is not None:
            return
        if due and not self.breathing and not self.thinking:
            around = self._idleness.breathe_around(self._primary)
            self._starting = lambda state, _now: Breathing(state, around, self.breath, self._workspace)
        elif self.breathing and (self.thinking or not rests):
            self._starting = stopping

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


class _Idleness:
    """Decides when an idle body starts to breathe, and around which posture.

    A body that was stopped stays still until the next motion.

    Attributes:
        free: Whether idle motions are allowed. A stop disables them until the next motion.
        around: Posture to breathe around, kept while breathing is only interrupted; None before breathing starts.
    """

    def __init__(self) -> None:
        self.free = True
        self.around: BodyPose | None = None
        self._since: float | None = None

    def begin(self) -> None:
        """Records the start of a motion."""
        self.free, self.around = True, None

    def stop(self) -> None:
        """Records a stop, even if the body was at rest."""
        self.free, self.around = False, None

    def due(self, rests: bool, now: float, pause: float) -> bool:
        """Returns whether the body has rested long enough to start breathing.

        Args:
            rests: Whether no motion, stream or listening is active.
            now: Time on the steady clock, s.
            pause: Idle time before breathing, s; 0 disables it.
        """
        if not rests:
            self._since = None
        elif self._since is None:
            self._since = now
        return self.free and pause > 0.0 and self._since is not None and now - self._since >= pause

    def breathe_around(self, rest: BodyPose) -> BodyPose:
        """Returns the posture around which the body breathes: its posture when breathing started."""
        self.around = self.around or rest
        return self.around
