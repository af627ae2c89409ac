"""Turning the head to a face, on top of whatever the body does."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector, interpolate, rotation_vector
from reachy_agent_ros.motion.gaze import turn_towards
from reachy_agent_ros.motion.offset import LARGEST_TURN, OffsetSource

LOST_AFTER = 2.0
"""s without a sight of the face after which the head goes back."""

RETURN = 1.0
"""s that this takes."""

LEAD = 0.3
"""s by which the head is behind its offset: what smooths the layer, the motors and their friction add up."""

COASTING = 0.2
"""s that an unseen face is thought to move on; after that it waits where it would be."""

DEAD_ZONE = math.radians(1.0)
"""The gaze may be this far off: nobody sees it, and a box is never still."""

WAKING = math.radians(2.5)
"""A gaze that has met a face rests until it would be this far off: a head that follows every tremble of a box looks
nervous."""

PACE = 2.5
"""Greatest speed of the offset, rad/s. A face that appears at the side is turned to, not snapped at."""

SETTLING = 1.0
"""Time constant, s, with which the primary pose is taken into account: a glance aside is made up for when it lasts, a
nod is a nod all the same."""

LIMIT = LARGEST_TURN[OffsetSource.FACE] - 1e-6
"""Greatest rotation that is asked for, rad."""

_LONGEST_STEP = 0.05
"""s; a late call is no reason for a leap."""


class HeadTracking:
    """The offset of `OffsetSource.FACE`, from where a face is: a target, not an error that is summed up.

    The gaze that meets a face follows from the face's place in `head_base` alone, however old the picture is, and the
    offset is what that gaze differs by from the primary pose. Neither the measured head nor the offset itself comes in,
    so a delay makes the head late, but cannot make it swing. All times are on one clock, s; one thread calls it.
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
        """Whether there is anything to send."""
        return self._face is not None or bool(self._rotation.any())

    def follow(self, position: Vector, velocity: Vector, stamp: float) -> None:
        """Turns to a face that was seen.

        Args:
            position: Of its middle, m in `head_base`.
            velocity: m/s.
            stamp: When it was there.
        """
        self._face, self._velocity, self._seen = position, velocity, stamp

    def release(self, now: float) -> None:
        """Lets the head go back, because nobody wants the face followed any more."""
        if self._face is not None:
            self._face, self._left, self._released = None, self._rotation, now

    def advance(self, primary: Matrix, now: float) -> Vector:
        """The offset to send now: a rotation vector in the head's own frame, rad.

        To be sent several times within `offset.PATIENCE` for as long as it is `active`.

        Args:
            primary: 4x4 transform of `head` in `head_base`, m, as the body wants it without its layers.
            now: s.
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
        """The primary pose without what lasts a moment only."""
        before = primary if self._primary is None else self._primary
        self._primary = interpolate(before, primary, 1.0 - math.exp(-elapsed / SETTLING))
        return self._primary


def _aim(face: Vector, primary: Matrix) -> Vector:
    """The rotation of a head at its primary pose after which its optical axis meets the face, as far as is allowed."""
    turn = rotation_vector(turn_towards(primary[:3, :3].T @ (face - primary[:3, 3])))
    return turn * (LIMIT / max(float(np.linalg.norm(turn)), LIMIT))


def _step(error: Vector, longest: float) -> Vector:
    """As much of an error as is put right at once."""
    return error * min(1.0, longest / max(float(np.linalg.norm(error)), 1e-9))


def _remaining(fraction: float) -> float:
    """Share, 1 to 0, that is left of a way with a gentle start and end, at a fraction of its time."""
    return 0.5 + 0.5 * math.cos(math.pi * min(max(fraction, 0.0), 1.0))
