"""Head tracking: turns the head toward a face, in addition to the primary motion."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector, interpolate, rotation_vector
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.motion.offset import LARGEST_TURN, OffsetSource

LOST_AFTER = 2.0
"""Time without a detection of the face after which the head returns, s."""

RETURN = 1.0
"""Duration of the return, s."""

LEAD = 0.3
"""Delay of the head behind its offset, s: the sum of the delays caused by smoothing, motors and friction."""

COASTING = 0.2
"""Time for which an unseen face is extrapolated, s; after that the last extrapolated position is kept."""

DEAD_ZONE = math.radians(1.0)
"""Error at which the head comes to rest, rad: such an error is invisible, and detections always jitter."""

WAKING = math.radians(2.5)
"""Error at which a head at rest moves again, rad: a head that follows the jitter of detections looks nervous."""

PACE = 2.5
"""Maximum speed of the offset, rad/s, so that the head does not snap towards a face that appears at the side."""

SETTLING = 1.0
"""Time constant with which the primary pose is compensated, s: a lasting turn is compensated, but a nod stays
visible."""

LIMIT = LARGEST_TURN[OffsetSource.FACE] - 1e-6
"""Maximum rotation of the offset, rad."""

_LONGEST_STEP = 0.05
"""Maximum time that one call covers, s, so that a late call does not cause a jump."""


class HeadTracking:
    """Computes the offset of `OffsetSource.FACE` from the position of a face, so that errors do not accumulate.

    The gaze at a face depends only on the position of the face in `head_base`, not on the age of the image. The offset
    is the difference between that gaze and the primary pose. Neither the measured head pose nor the offset is fed back,
    so a delay makes the head late but cannot make it oscillate. All times are on the same clock, s. Use from one thread
    only.
    """

    def __init__(self) -> None:
        self._face: Vector | None = None
        self._velocity = np.zeros(3)
        self._seen = -math.inf
        self._primary: Matrix | None = None
        self._rotation = np.zeros(3)
        self._resting = False
        self._left = np.zeros(3)
        self._released = -math.inf
        self._now = -math.inf

    @property
    def active(self) -> bool:
        """Whether an offset must be sent."""
        return self._face is not None or bool(self._rotation.any())

    def follow(self, position: Vector, velocity: Vector, stamp: float) -> None:
        """Sets the face toward which the head turns.

        Args:
            position: Center of the face in `head_base`, m.
            velocity: Velocity of the face in `head_base`, m/s.
            stamp: Time of the image, s.
        """
        self._face, self._velocity, self._seen = position, velocity, stamp

    def release(self, now: float) -> None:
        """Stops following the face. The head returns to the primary pose."""
        if self._face is not None:
            self._face, self._left, self._released = None, self._rotation, now

    def advance(self, primary: Matrix, now: float) -> Vector:
        """Returns the offset to send now, as a rotation vector (rad) in the frame of the head.

        While `active`, it must be sent several times within `offset.PATIENCE`.

        Args:
            primary: 4x4 transform of `head` in `head_base` of the primary motion, without layers, m.
            now: Present time, s.
        """
        elapsed = min(max(now - self._now, 0.0), _LONGEST_STEP)
        self._now = now
        if now - self._seen > LOST_AFTER:
            self.release(now)
        if self._face is None:
            self._primary, self._resting = None, False
            self._rotation = self._left * _remaining((now - self._released) / RETURN)
        else:
            ahead = self._face + self._velocity * (min(now - self._seen, COASTING) + LEAD)
            goal = _aim(ahead, self._settled(primary, elapsed))
            error = goal - self._rotation
            size = float(np.linalg.norm(error))
            self._resting = size < (WAKING if self._resting else DEAD_ZONE)
            if not self._resting:
                self._rotation = self._rotation + _step(error, PACE * elapsed)
        return self._rotation

    def _settled(self, primary: Matrix, elapsed: float) -> Matrix:
        """Returns the primary pose after low-pass filtering."""
        before = primary if self._primary is None else self._primary
        self._primary = interpolate(before, primary, 1.0 - math.exp(-elapsed / SETTLING))
        return self._primary


def _aim(face: Vector, primary: Matrix) -> Vector:
    """Returns the rotation from the primary pose to the gaze at a face. The angle is at most `LIMIT`."""
    turn = rotation_vector(turn_towards(primary[:3, :3].T @ (face - primary[:3, 3])))
    return turn * (LIMIT / max(float(np.linalg.norm(turn)), LIMIT))


def _step(error: Vector, longest: float) -> Vector:
    """Returns the error vector, shortened to a maximum length."""
    return error * min(1.0, longest / max(float(np.linalg.norm(error)), 1e-9))


def _remaining(fraction: float) -> float:
    """Returns the remaining fraction (1 to 0) of a path after a fraction of its time, with a gentle start and end."""
    return 0.5 + 0.5 * math.cos(math.pi * min(max(fraction, 0.0), 1.0))
