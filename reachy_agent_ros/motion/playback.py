"""Playback of a motion, from its acceptance to its result."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.continuation import Unfinished
from reachy_agent_ros.motion.following import Following, furthest_miss
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.motion.paced_move import PacedMove
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
        pace: Pace at which the move is played, as a multiple of its own speed, within the limits on speed.
    """

    def __init__(
        self,
        commander: str,
        plan: MotionPlan,
        on_end: Callable[[AgentError | None], None],
        allowance: float | None = None,
        pace: float = 1.0,
    ) -> None:
        self.commander = commander
        self.on_end = on_end
        self._plan = plan
        self._allowance = allowance
        self._pace = pace
        self._move: PacedMove | None = None
        self._began = 0.0
        self._now = 0.0
        self._following: Following | None = None

    @property
    def goal(self) -> BodyPose | None:
        """Final posture of the move. It is None before the move begins."""
        return None if self._move is None else self._move.at(self._move.duration)

    def begin(self, state: MotionState, now: float) -> Move:
        """Creates the move that starts from the present command."""
        move = self._plan.begin(state)
        fastest = move.duration / self._plan.shortest if self._plan.shortest > 0.0 else 1.0
        self._move, self._began, self._now = PacedMove(move, fastest=fastest), now, now
        self._move.change(self._pace, 0.0)
        return self._move

    def change_pace(self, pace: float, now: float) -> None:
        """Changes the pace of the move from `now` (steady clock, s) on."""
        self._pace = pace
        if self._move is not None:
            self._move.change(pace, now - self._began)

    @property
    def rest(self) -> Unfinished | None:
        """Rest of the move at the time of the last `verdict`; None before the move begins and after its end."""
        if self._move is None:
            return None
        reached = self._move.reached(self._now - self._began)
        return Unfinished(self._move.move, reached) if reached < self._move.move.duration else None

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
        self._now = now
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
