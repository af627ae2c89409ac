"""Continuation of a motion that was stopped before its end."""

from __future__ import annotations

from dataclasses import dataclass

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.move import Move, Sequence
from reachy_agent_ros.motion.paced_move import PacedMove
from reachy_agent_ros.motion.pose_move import Route, route
from reachy_agent_ros.motion.request import MotionPlan
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.target_validation import Target


class Continuation:
    """Request to continue the motion that was stopped last."""


@dataclass(frozen=True)
class Unfinished:
    """Rest of a motion that was stopped.

    Attributes:
        move: Complete move at its own speed.
        reached: Time of the move at which it was stopped, s.
    """

    move: Move
    reached: float

    @property
    def posture(self) -> BodyPose:
        """Posture at which the rest begins."""
        return self.move.at(self.reached)


def continued(rest: Unfinished, gate: SafetyGate, start: BodyPose) -> MotionPlan:
    """Plans the rest of a motion: back to where it was stopped, at a gentle speed, and on from there.

    Args:
        rest: Rest of the motion.
        gate: Safety gate that validates the posture at which the rest begins.
        start: Posture from which the move starts.

    Raises:
        TargetError: An error of the gate, such as `EMERGENCY_STOPPED`.
    """
    begin = rest.posture
    target = Target(begin.head, (begin.antenna_right, begin.antenna_left), begin.body_yaw)
    admitted = gate.admit(target, start)
    way = route(start, admitted.pose, gate.workspace)
    return MotionPlan(lambda state: _joined(way, state, rest), admitted.findings)


def _joined(way: Route, state: MotionState, rest: Unfinished) -> Move:
    onward = PacedMove(rest.move, rest.reached, pace=0.0)
    onward.change(1.0, 0.0)
    return Sequence(way.move(state), onward)
