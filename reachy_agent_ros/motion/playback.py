"""One move being played for somebody, from its acceptance to its end."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.following import Following, furthest_miss
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.request import MotionPlan
from reachy_agent_ros.robot.limiter import MotionState

SETTLING = 1.0
"""Seconds the robot has after a move to arrive where it ends."""

GRACE = 2.0
"""Seconds beyond its duration that a motion is allowed when nobody says otherwise."""


class Playback:
    """What the player needs to know of a motion goal.

    Args:
        commander: Who commands.
        plan: The move to be.
        on_end: Called once, in any thread, with None or the reason why it did not end well.
        allowance: Time limit, s; None is the duration and `GRACE`.
    """

    def __init__(
        self,
        commander: str,
        plan: MotionPlan,
        on_end: Callable[[AgentError | None], None],
        allowance: float | None = None,
    ) -> None:
        self.commander = commander
        self.on_end = on_end
        self._plan = plan
        self._allowance = allowance
        self._move: Move | None = None
        self._began = 0.0
        self._following: Following | None = None

    @property
    def goal(self) -> BodyPose | None:
        """Where the move ends, None before it begins."""
        return None if self._move is None else self._move.at(self._move.duration)

    def begin(self, state: MotionState, now: float) -> Move:
        """Makes the move, from where the command is now."""
        self._move = self._plan.begin(state)
        self._began = now
        return self._move

    def progress(self, now: float) -> tuple[float, float]:
        """Share of the duration that is over, 0..1, and seconds that remain."""
        if self._move is None:
            return 0.0, 0.0
        elapsed = min(now - self._began, self._move.duration)
        return elapsed / self._move.duration, self._move.duration - elapsed

    def verdict(self, measured: BodyPose, command: BodyPose, wanted: BodyPose, now: float) -> AgentError | bool:
        """Whether it is over, after one more sample: True when it ended well, an error when not, else False.

        Args:
            measured: Where the robot is.
            command: What the gate let through.
            wanted: What it was asked to let through, secondary layers included.
            now: Steady clock, s.
        """
        if self._move is None:
            return False
        if self._following is None:
            self._following = Following(measured, command)
        self._following.observe(measured, command, now)
        elapsed = now - self._began
        ignored = self._following.ignored(now)
        if ignored is not None:
            return AgentError(ErrorCode.MOTION_IGNORED, f"The robot is commanded to move {ignored} and does not.")
        if elapsed >= self._move.duration:
            miss = furthest_miss(measured, wanted)
            if miss is None:
                return True
            if elapsed >= self._move.duration + SETTLING:
                field, target, found = miss
                message = f"The motion ended and {field} is at {found:.3f} instead of {target:.3f} (rad or m)."
                return AgentError(ErrorCode.NOT_REACHED, message)
        allowance = self._move.duration + GRACE if self._allowance is None else self._allowance
        if elapsed >= allowance:
            return AgentError(ErrorCode.TIMEOUT, f"The motion did not end within {allowance:.1f} s.")
        return False
