"""Playback of a motion, from its acceptance to its result."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.following import Following, furthest_miss
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.request import MotionPlan
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.protocol import Measurement

SETTLING = 1.0
"""Maximum time for the robot to arrive after the end of a move, s."""

GRACE = 2.0
"""Default time that a motion may take beyond its duration, s."""


class Playback:
    """Motion goal that is being executed, with its move, its progress and its result.

    Args:
        commander: Name of the sender.
        plan: Planned move.
        on_end: Callback that is called once, in any thread, with None or with the error that ended the motion.
        allowance: Time limit, s; None for the duration plus `GRACE`.
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
        """Final posture of the move. It is None before the move begins."""
        return None if self._move is None else self._move.at(self._move.duration)

    def begin(self, state: MotionState, now: float) -> Move:
        """Creates the move that starts from the present command."""
        self._move = self._plan.begin(state)
        self._began = now
        return self._move

    def progress(self, now: float) -> tuple[float, float]:
        """Returns the elapsed fraction of the duration (0 to 1) and the remaining time (s)."""
        if self._move is None:
            return 0.0, 0.0
        elapsed = min(now - self._began, self._move.duration)
        return elapsed / self._move.duration, self._move.duration - elapsed

    def verdict(self, latest: Measurement, command: BodyPose, wanted: BodyPose, now: float) -> AgentError | bool:
        """Checks whether the motion has ended.

        Returns True if it has succeeded, an error if it has failed, and False otherwise.

        Args:
            latest: Latest measurement.
            command: Command after the gate.
            wanted: Wanted posture before the gate, including secondary layers.
            now: Time on the steady clock, s.
        """
        if self._move is None:
            return False
        if self._following is None:
            self._following = Following(latest.pose, command)
        self._following.observe(latest.pose, command, now)
        elapsed = now - self._began
        ignored = self._following.ignored(latest.time)
        if ignored is not None:
            return AgentError(ErrorCode.MOTION_IGNORED, f"The robot does not move: {ignored} ignores its command.")
        if elapsed >= self._move.duration:
            miss = furthest_miss(latest.pose, wanted)
            if miss is None:
                return True
            if elapsed >= self._move.duration + SETTLING:
                field, target, found = miss
                message = f"The motion ended with {field} at {found:.3f} instead of {target:.3f} (rad or m)."
                return AgentError(ErrorCode.NOT_REACHED, message)
        allowance = self._move.duration + GRACE if self._allowance is None else self._allowance
        if elapsed >= allowance:
            return AgentError(ErrorCode.TIMEOUT, f"The motion did not end within {allowance:.1f} s.")
        return False
