"""Limits of each coordinate of a posture, and margins.

A target beyond a limit is clamped if it is within the margin, and otherwise rejected.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.robot.coordinates import NAMES


@dataclass(frozen=True)
class Limit:
    """Limits of a coordinate, in the unit of the coordinate (m or rad).

    Attributes:
        low: Minimum value.
        high: Maximum value.
        speed: Maximum speed of the command, unit/s.
        acceleration: Maximum acceleration of the command, unit/s^2.
        lead: Maximum distance of a command from the measured posture. It limits the force on a robot that is held by a
            hand. The command exceeds this distance by at most its stopping distance.
        margin: Distance beyond `low` and `high` up to which a target is clamped and reported; beyond that, it is
            rejected. The meaning of an angle that is slightly too large is obvious, but one that is far too large
            indicates a wrong frame or unit.
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
    # Reach of the arms in the neutral orientation. Targets beyond it are rejected, because they may be in millimeters.
    "head.x": _shift(-0.045, 0.045),
    "head.y": _shift(-0.045, 0.045),
    "head.z": _shift(-0.05, 0.022),
    # Limits given by Pollen Robotics: 40 deg of tilt, and 65 deg between head and body. Angles up to 90 deg are
    # clamped; beyond that, the head would be upside down or look backwards. The speed limits allow a nod of 20 deg at 2
    # Hz.
    "head.roll": _turn(40.0, 4.0, 50.0, 0.6, margin_degrees=50.0),
    "head.pitch": _turn(40.0, 4.0, 50.0, 0.6, margin_degrees=50.0),
    "head.yaw": _turn(65.0, 4.0, 50.0, 0.6, margin_degrees=25.0),
    # Limit given by Pollen Robotics: 160 deg. Angles up to a half turn, the largest heading, are clamped. Slow because
    # of the mass.
    "body_yaw": _turn(160.0, 3.0, 20.0, 0.8, margin_degrees=20.0),
    # The motors of the antennas have no end stop, so their angle could grow without limit. Fast because they are light.
    "antenna_right": _turn(180.0, 10.0, 120.0, 1.5, margin_degrees=30.0),
    "antenna_left": _turn(180.0, 10.0, 120.0, 1.5, margin_degrees=30.0),
}
"""Limit of each of `coordinates.NAMES`.

The gate also rejects numbers that are not finite, orientations that are not rotations, and postures within these limits
that the arms cannot reach.
"""

NECK_COMFORT = math.radians(45.0)
"""Maximum yaw of the neck if the target has no body yaw, rad; the body turns by the rest."""

_LIMITS = [ENVELOPE[name] for name in NAMES]
LOW = np.array([limit.low for limit in _LIMITS])
HIGH = np.array([limit.high for limit in _LIMITS])
SPEED = np.array([limit.speed for limit in _LIMITS])
ACCELERATION = np.array([limit.acceleration for limit in _LIMITS])
LEAD = np.array([limit.lead for limit in _LIMITS])
MARGIN = np.array([limit.margin for limit in _LIMITS])
