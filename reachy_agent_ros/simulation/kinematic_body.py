"""The simulated robot without physics, for checks that repeat exactly: it arrives where a motion ends, in its time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.request import plan, prepare
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.simulation.eye import DrawnEye
from reachy_agent_ros.simulation.virtual_body import VirtualBody, target_of, wish_of
from reachy_agent_ros.tools.body import BodyState, Motion, MotionResult, PoseMotion
from reachy_agent_ros.tools.context import ToolContext


class KinematicBody(VirtualBody):
    """Kinematics without physics: what a motion is, how long it takes and what is refused are as on the robot.

    Args:
        moves: Folder of recorded moves; None: it has none.
    """

    def __init__(self, moves: Path | None = None) -> None:
        super().__init__(DrawnEye())
        self._moves = moves
        self._gate = SafetyGate()
        self._pose = BodyPose()
        self._now = 0.0

    @property
    def now(self) -> float:
        """Virtual time since the last reset, s."""
        return self._now

    def reset(self) -> None:
        """Makes it be as in the beginning."""
        super().reset()
        self._pose, self._now = BodyPose(), 0.0

    def wait(self, seconds: float) -> None:
        """Lets virtual time pass, which takes none."""
        self._now += seconds

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        """Is at the motion's end when its duration has passed."""
        context.cancel.raise_if_cancelled()
        wish, duration = wish_of(motion, self._moves)
        prepare(wish)
        planned = plan(wish, duration, self._gate, self._pose)
        course = planned.begin(MotionState(coordinates(self._pose), np.zeros(9)))
        left = context.deadline.remaining
        self.wait(min(course.duration, left))
        self._pose = course.at(min(course.duration, left))
        if course.duration > left:
            raise AgentError(ErrorCode.TIMEOUT, "The motion did not end in time.")
        return MotionResult(self._pose, tuple(finding.field for finding in planned.findings))

    def stream(self, motion: PoseMotion) -> None:
        """Is at the posture at once."""
        self._pose = self._gate.admit(target_of(motion), self._pose).pose

    def hold(self) -> None:
        """Rests already."""

    def state(self) -> BodyState:
        """The state, now."""
        return BodyState(self._pose, "idle", "enabled", True, True, False, "", "")

    def measure(self) -> Measurement:
        """The posture, now."""
        return Measurement(self._now, self._pose, {})
