"""Decides when a body that rests starts to breathe, and around which posture."""

from __future__ import annotations

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.breathing import BLEND
from reachy_agent_ros.motion.idle_life import IdleLife, Shift


class Idleness:
    """Decides when an idle body starts to breathe, and around which posture.

    A body that was stopped stays still until the next motion.

    Args:
        life: Idle life, which changes the posture while the body breathes.

    Attributes:
        free: Whether idle motions are allowed. A stop disables them until the next motion.
        around: Posture in which the body came to rest, kept while breathing is only interrupted; None before breathing
            starts.
    """

    def __init__(self, life: IdleLife) -> None:
        self.free = True
        self.around: BodyPose | None = None
        self._life = life
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

    def breathe_around(self, rest: BodyPose, now: float) -> Shift:
        """Returns the change to the posture around which the body breathes: where it rests, or was interrupted.

        Args:
            rest: Present posture.
            now: Time on the steady clock, s.
        """
        if self.around is not None:
            return self._life.resume(rest, now)
        self.around = rest
        self._life.settle(rest, now)
        return Shift(rest, BLEND)
