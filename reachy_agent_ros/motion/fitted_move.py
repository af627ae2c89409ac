"""Recorded moves within the safety gate's limits and the arms' reach, with a report of what had to be changed."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.robot.coordinates import NAMES
from reachy_agent_ros.robot.finding import Finding, clamped
from reachy_agent_ros.robot.workspace import Workspace

STEP = 0.01
"""Between two postures that are checked, s: the period of the motion loop."""

_ROUNDING = 1e-9


@lru_cache(maxsize=64)
def fitted(move: RecordedMove, amplitude: float = 1.0) -> tuple[RecordedMove, tuple[Finding, ...]]:
    """Scales a move and brings each of its postures within the limits and the reach.

    Left to the gate, a coordinate would be clipped and the head would stop where the arms end, and nobody would know. A
    move that fits is only scaled. Takes about 10 ms for each second of the move; results are cached.

    Args:
        move: Postures relative to neutral.
        amplitude: Share of its size, 0..1.

    Returns:
        The move to play, and one finding for each coordinate that differs, with the values of the greatest difference.
    """
    scaled = move if amplitude == 1.0 else RecordedMove(move.description, move.times, amplitude * move.keyframes)
    times = np.linspace(0.0, scaled.duration, math.ceil(scaled.duration / STEP) + 1)
    wanted = np.array([scaled.coordinates_at(time) for time in times])
    workspace = Workspace()
    applied = np.array([workspace.nearest(row) for row in wanted])
    findings = _changes(times, wanted, applied)
    return (RecordedMove(move.description, times, applied) if findings else scaled), findings


def _changes(times: Vector, wanted: Vector, applied: Vector) -> tuple[Finding, ...]:
    change = np.abs(wanted - applied)
    worst = change.argmax(axis=0)
    return tuple(
        clamped(name, float(wanted[row, index]), float(applied[row, index]), f", {times[row]:.2f} s into the move")
        for index, (name, row) in enumerate(zip(NAMES, worst.tolist(), strict=True))
        if change[row, index] > _ROUNDING
    )
