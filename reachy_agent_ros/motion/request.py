"""Motion requests, and the moves planned for them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.dance import dance
from reachy_agent_ros.motion.emotion import emotion
from reachy_agent_ros.motion.gaze import gaze_at
from reachy_agent_ros.motion.gesture import Gesture, gesture
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.move_folder import MoveFolder
from reachy_agent_ros.motion.pose_move import route
from reachy_agent_ros.motion.recorded_move import MovePlayback, RecordedMove
from reachy_agent_ros.robot.coordinates import NAMES, coordinates
from reachy_agent_ros.robot.finding import Finding, TargetVerdict, clamped
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.target_validation import Target
from reachy_agent_ros.robot.workspace import Workspace

LONGEST = 120.0
"""Maximum duration and time limit of a motion, s."""

_STEP = 0.01
"""Time between two checked postures of a recorded move, s: the period of the motion loop."""

_ROUNDING = 1e-9

SLOWEST_TEMPO, FASTEST_TEMPO = 0.2, 2.0
"""Limits of the tempo of a named move."""


class Library(IntEnum):
    """Source of named moves. The values mirror the constants in `reachy_agent_msgs/action/ExecuteMotion`."""

    EMOTION = 2
    DANCE = 3
    GESTURE = 4
    RECORDED = 5


@dataclass(frozen=True)
class Gaze:
    """Request to look at a point.

    Attributes:
        point: x, y, z in `frame`, m.
        frame: `base_link` or `head_base`.
    """

    point: Vector
    frame: str


@dataclass(frozen=True)
class Named:
    """Request to play a move from a library.

    Attributes:
        library: Library of the move.
        name: Name of the move in the library.
        amplitude: Fraction of the move's full size, above 0, at most 1.
        folder: Folder of `Library.RECORDED`; the other libraries have their own folders.
        tempo: Tempo as a multiple of the move's own tempo, `SLOWEST_TEMPO` to `FASTEST_TEMPO`.
    """

    library: Library
    name: str
    amplitude: float = 1.0
    folder: Path = Path()
    tempo: float = 1.0


@dataclass(frozen=True)
class MotionPlan:
    """Move that has been planned and can be started.

    Attributes:
        begin: Function that creates the move from the current command.
        findings: Findings about clamped values.
        shortest: Shortest duration within the limits, s; 0 if the move must not be played faster than planned.
    """

    begin: Callable[[MotionState], Move]
    findings: tuple[Finding, ...] = ()
    shortest: float = 0.0


def prepare(wish: Target | Gaze | Named) -> None:
    """Loads a named move and adapts it to the limits, so that `plan` finds it in the cache. Takes up to a second.

    Raises:
        AgentError: `UNKNOWN_MOVE`, `INVALID_GOAL` for an amplitude out of range, or an error in a recorded move's file.
    """
    if isinstance(wish, Named) and wish.library is not Library.GESTURE:
        _require_amplitude(wish.amplitude)
        fitted(_move(wish), wish.amplitude)


def plan(
    wish: Target | Gaze | Named, duration: float, gate: SafetyGate, present: BodyPose, start: BodyPose | None = None
) -> MotionPlan:
    """Checks a request and prepares its move.

    Args:
        wish: Requested target, gaze or named move.
        duration: Duration, s; 0 for a gentle speed, or for the duration of a named move at its tempo.
        gate: Safety gate that validates the target.
        present: Posture of the primary motion, without secondary layers and breathing. Parts that the target does not
            set keep this posture.
        start: Posture from which the move starts, if it is not `present`.

    Raises:
        AgentError: `INVALID_GOAL` for a duration, amplitude or tempo out of range, an empty target or a recorded move
            longer than `LONGEST`; `UNKNOWN_MOVE`; an error in a recorded move's file; or an error of the gate,
            `gaze_at` or `resting_posture`.
    """
    if not 0.0 <= duration <= LONGEST:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid duration {duration} s: expected 0 to {LONGEST:.0f} s.")
    if isinstance(wish, Named):
        return _named_plan(wish, duration, gate, present)
    target = Target(head=gaze_at(wish.point, wish.frame)) if isinstance(wish, Gaze) else wish
    if target.empty:
        raise AgentError(ErrorCode.INVALID_GOAL, "The motion sets nothing: set the head, the antennas or the body yaw.")
    admitted = gate.admit(target, present)
    start = start or present
    way = route(start, admitted.pose, gate.workspace)
    hurried = _hurried(duration, way.fastest(start))
    findings = (*admitted.findings, *hurried)
    return MotionPlan(partial(way.move, duration=duration or None), findings, way.fastest(start))


@lru_cache(maxsize=64)
def fitted(move: RecordedMove, amplitude: float = 1.0) -> tuple[RecordedMove, tuple[Finding, ...]]:
    """Scales a move, and shifts each of its postures so that it is within the limits and the workspace.

    Without this step, the gate would clip a coordinate or stop the head at the end of its reach without a report. A
    move that fits is only scaled. Fitting takes about 10 ms for each second of the move; results are cached.

    Args:
        move: Move with postures relative to the neutral posture.
        amplitude: Fraction of the move's full size, 0 to 1.

    Returns:
        The move to play, and one finding for each coordinate that was changed, with the values of the largest change.
    """
    scaled = move if amplitude == 1.0 else RecordedMove(move.description, move.times, amplitude * move.keyframes)
    times = np.linspace(0.0, scaled.duration, math.ceil(scaled.duration / _STEP) + 1)
    wanted = np.array([scaled.coordinates_at(time) for time in times])
    workspace = Workspace()
    applied = np.array([workspace.nearest(row) for row in wanted])
    findings = _changes(times, wanted, applied)
    return (RecordedMove(move.description, times, applied) if findings else scaled), findings


def _named_plan(wish: Named, duration: float, gate: SafetyGate, present: BodyPose) -> MotionPlan:
    _require_amplitude(wish.amplitude)
    _require_tempo(wish.tempo)
    if wish.library is Library.GESTURE:
        took = duration or gesture(wish.name).duration / wish.tempo
        own = gesture(wish.name).duration
        planned = MotionPlan(
            Gesture(wish.name, coordinates(present), wish.amplitude, took).begin, (), own / FASTEST_TEMPO
        )
    else:
        move, findings = fitted(_move(wish), wish.amplitude)
        begin = partial(MovePlayback, move, duration=duration or move.duration / wish.tempo)
        planned = MotionPlan(begin, findings, move.duration / FASTEST_TEMPO)
    gate.require_released()
    return planned


def _require_amplitude(amplitude: float) -> None:
    if not 0.0 < amplitude <= 1.0:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid amplitude {amplitude}: expected more than 0 and at most 1.")


def _require_tempo(tempo: float) -> None:
    if not SLOWEST_TEMPO <= tempo <= FASTEST_TEMPO:
        message = f"Invalid tempo {tempo}: expected {SLOWEST_TEMPO} to {FASTEST_TEMPO}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)


def _move(wish: Named) -> RecordedMove:
    if wish.library is Library.EMOTION:
        return emotion(wish.name)
    if wish.library is Library.DANCE:
        return dance(wish.name)
    recorded = MoveFolder("recorded move", wish.folder).move(wish.name)
    if recorded.duration > LONGEST:
        raise AgentError(
            ErrorCode.INVALID_GOAL, f"{wish.name} takes {recorded.duration:.0f} s: at most {LONGEST:.0f} s are allowed."
        )
    return recorded


def _hurried(requested: float, least: float) -> tuple[Finding, ...]:
    if requested == 0.0 or requested >= least or math.isclose(requested, least):
        return ()
    message = f"{requested:.2f} s is too short for this motion: it takes {least:.2f} s."
    return (Finding("duration", requested, least, TargetVerdict.CLAMPED, ErrorCode.NONE, message),)


def _changes(times: Vector, wanted: Vector, applied: Vector) -> tuple[Finding, ...]:
    change = np.abs(wanted - applied)
    worst = change.argmax(axis=0)
    return tuple(
        clamped(name, float(wanted[row, index]), float(applied[row, index]), f", {times[row]:.2f} s into the move")
        for index, (name, row) in enumerate(zip(NAMES, worst.tolist(), strict=True))
        if change[row, index] > _ROUNDING
    )
