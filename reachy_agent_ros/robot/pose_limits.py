"""The limits the body is kept within, one row a coordinate, and what happens to a target beyond them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.robot.coordinates import NAMES


@dataclass(frozen=True)
class Limit:
    """Bounds of one coordinate, in its unit (m or rad).

    Attributes:
        low: Least value.
        high: Greatest value.
        speed: Greatest speed of the command, unit/s.
        acceleration: Greatest acceleration of the command, unit/s^2.
        lead: How far a command may be ahead of the measured posture. A robot that is held by a hand is thus pulled
            with a bounded force instead of being wound up; the command overshoots it by its stopping distance at most.
        margin: How far beyond `low` and `high` a target is clamped, and reported; one further beyond is refused. An
            angle a little too large is a wish with an obvious answer, one far too large is a mistake in frame or unit.
    """

    low: float
    high: float
    speed: float
    acceleration: float
    lead: float
    margin: float


def _turn(degrees: float, speed: float, acceleration: float, lead: float, margin_degrees: float) -> Limit:
    bound = math.radians(degrees)
    return Limit(-bound, bound, speed, acceleration, lead, math.radians(margin_degrees))


def _shift(low: float, high: float) -> Limit:
    return Limit(low, high, speed=0.3, acceleration=5.0, lead=0.04, margin=0.0)


ENVELOPE = {
    # As far as the arms reach from the neutral orientation. Refused beyond: a translation in millimetres looks so.
    "head.x": _shift(-0.045, 0.045),
    "head.y": _shift(-0.045, 0.045),
    "head.z": _shift(-0.05, 0.022),
    # The maker's 40 deg for tilting and 65 deg between head and body. Clamped to the horizontal and to the shoulder;
    # beyond that the head would be upside down or look backwards. Speeds let a nod of 20 deg at 2 Hz through.
    "head.roll": _turn(40.0, 4.0, 50.0, 0.6, margin_degrees=50.0),
    "head.pitch": _turn(40.0, 4.0, 50.0, 0.6, margin_degrees=50.0),
    "head.yaw": _turn(65.0, 4.0, 50.0, 0.6, margin_degrees=25.0),
    # The maker's 160 deg. Clamped up to a half turn, the most that a heading can be. It carries all the mass: slower.
    "body_yaw": _turn(160.0, 3.0, 20.0, 0.8, margin_degrees=20.0),
    # Their motors know no end and would wind up. They weigh nothing: fast.
    "antenna_right": _turn(180.0, 10.0, 120.0, 1.5, margin_degrees=30.0),
    "antenna_left": _turn(180.0, 10.0, 120.0, 1.5, margin_degrees=30.0),
}
"""One limit for each of `coordinates.NAMES`.

What is refused for every field: numbers that are not finite, orientations that are not rotations, and postures within
these bounds that the arms do not reach all the same.
"""

_LIMITS = [ENVELOPE[name] for name in NAMES]
LOW = np.array([limit.low for limit in _LIMITS])
HIGH = np.array([limit.high for limit in _LIMITS])
SPEED = np.array([limit.speed for limit in _LIMITS])
ACCELERATION = np.array([limit.acceleration for limit in _LIMITS])
LEAD = np.array([limit.lead for limit in _LIMITS])
MARGIN = np.array([limit.margin for limit in _LIMITS])
