"""How far away is whom or what the robot looked at last."""

from __future__ import annotations

import math

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.learning.correction.skills.distance import USUAL

_KEPT = 60.0
"""s after which somebody may have moved, and nobody knows how far they are."""

_NEAREST, _FARTHEST = 0.2, 3.0
"""m. What people teach is linear in the distance: beyond these it would be guessed."""


class LookedAt:
    """Remembers one distance for a minute. Any thread may use it."""

    def __init__(self) -> None:
        self._known: tuple[float, Deadline] | None = None

    def note(self, distance: float | None) -> None:
        """Takes the distance of what is looked at now, m; None where that is not known."""
        self._known = None
        if distance is not None and math.isfinite(distance):
            self._known = min(max(distance, _NEAREST), _FARTHEST), Deadline(_KEPT)

    @property
    def distance(self) -> float:
        """m; the usual one where it is not known."""
        known = self._known
        return known[0] if known is not None and not known[1].passed else USUAL
