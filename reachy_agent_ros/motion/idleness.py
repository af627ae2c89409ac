"""When a body that nobody moves begins to breathe, and about which posture."""

from __future__ import annotations

from reachy_agent_ros.core.pose import BodyPose


class Idleness:
    """Knows whether the last motion was allowed to end by itself: what somebody stopped stays as it was stopped.

    Args:
        pause: Seconds of rest before the breath begins; 0 means never.

    Attributes:
        free: Whether the body may move by itself: from the start on until something is stopped, and again from the
            next motion on.
        around: Posture it breathes about, kept while it only holds its breath; None where it has not begun to.
    """

    def __init__(self, pause: float) -> None:
        self.free = True
        self.around: BodyPose | None = None
        self._pause = pause
        self._since: float | None = None

    def begin(self) -> None:
        """Notes that a motion begins."""
        self.free, self.around = True, None

    def stop(self) -> None:
        """Notes that something, or nothing, was stopped."""
        self.free, self.around = False, None

    def due(self, rests: bool, now: float) -> bool:
        """Whether the body has rested for long enough.

        Args:
            rests: Whether nobody moves it or wants it still now.
            now: Steady clock, s.
        """
        if not rests:
            self._since = None
        elif self._since is None:
            self._since = now
        return self.free and self._pause > 0.0 and self._since is not None and now - self._since >= self._pause

    def breathe_around(self, rest: BodyPose) -> BodyPose:
        """The posture to breathe about: the one it rests in when it first draws breath there."""
        self.around = self.around or rest
        return self.around
