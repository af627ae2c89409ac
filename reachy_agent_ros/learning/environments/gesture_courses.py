"""What body parts shall do in a gesture."""

from __future__ import annotations

import math

from reachy_agent_ros.learning.environments.course import Course, Values, after

RAMP = 0.6
"""Time in which a slow gesture goes from one posture to another, s."""

_START = 0.5
"""Time from which a swing is judged, s: it begins from rest."""


def swing(values: Values, end: float) -> Course:
    """One channel to and fro: `amplitude` (rad), `tempo` (Hz)."""
    amplitude, rate = values["amplitude"], math.tau * values["tempo"]
    return Course(lambda time: (amplitude * math.sin(rate * time),), after(_START))


def tilt(values: Values, end: float) -> Course:
    """One channel to a value and back: `roll` (rad), `hold` (s)."""
    roll, back = values["roll"], RAMP + values["hold"]
    return Course(lambda time: (roll * (_eased(time / RAMP) - _eased((time - back) / RAMP)),), after(0.0))


def antennas(values: Values, end: float) -> Course:
    """Right and left antenna at 1 Hz: `amplitude` (rad), `phase` of the left one before the right (rad)."""
    amplitude, phase = values["amplitude"], values["phase"]

    def at(time: float) -> tuple[float, ...]:
        return amplitude * math.sin(math.tau * time), amplitude * math.sin(math.tau * time + phase)

    return Course(at, after(_START))


def body_turn(values: Values, end: float) -> Course:
    """Yaw of the head, which stays, and of the body, which turns: `turn` (rad), `duration` (s)."""
    turn, duration = values["turn"], values["duration"]
    return Course(lambda time: (0.0, turn * _eased(time / duration)), after(0.0))


def curtsey(values: Values, end: float) -> Course:
    """Height and pitch down and up again: `depth` (m), `pitch` (rad)."""
    depth, pitch, half = values["depth"], values["pitch"], end / 2

    def at(time: float) -> tuple[float, ...]:
        share = _eased(time / half) - _eased(time / half - 1.0)
        return -depth * share, pitch * share

    return Course(at, after(0.0))


def _eased(share: float) -> float:
    """0 to 1 with the least jerk (Flash and Hogan 1985)."""
    x = min(max(share, 0.0), 1.0)
    return x * x * x * (10.0 + x * (6.0 * x - 15.0))
