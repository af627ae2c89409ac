"""One face, followed from picture to picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reachy_agent_ros.core.pose import Vector

_COASTING = 0.3
"""s that an unseen face is thought to move on as it did; after that it waits."""

_TRUST = 0.8
"""How much of what a prediction missed by is the position's fault (an alpha-beta filter's alpha)."""

_AGILITY = 0.5
"""How much of it, over the time since then, is the velocity's (beta)."""


@dataclass(frozen=True)
class FaceTrack:
    """Where a face was when it was last seen, and how it moves. It knows no more of the person than that.

    Attributes:
        name: The same for as long as the face is followed, never used again.
        position: Of its middle, m in `head_base`.
        velocity: m/s.
        aspect: Width of its box as a part of the height.
        confidence: Of its last detection, 0..1.
        seen: When it was last seen, s.
        sightings: In how many pictures.
    """

    name: str
    position: Vector
    velocity: Vector
    aspect: float
    confidence: float
    seen: float
    sightings: int = 1

    def predicted(self, now: float) -> Vector:
        """Where it should be, m in `head_base`: it goes on at constant velocity, for a moment."""
        return np.asarray(self.position + self.velocity * min(now - self.seen, _COASTING))

    def sighted(self, position: Vector, aspect: float, confidence: float, now: float) -> FaceTrack:
        """The track with one more sighting; times must increase."""
        expected = self.predicted(now)
        missed = position - expected
        return replace(
            self,
            position=expected + _TRUST * missed,
            velocity=self.velocity + _AGILITY / (now - self.seen) * missed,
            aspect=aspect,
            confidence=confidence,
            seen=now,
            sightings=self.sightings + 1,
        )
