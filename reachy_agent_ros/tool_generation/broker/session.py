"""Robot session of one run. Validates the commands of the run, and stops the robot at the end."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import BASE_FRAME
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.gaze import gaze_at
from reachy_agent_ros.robot.target_validation import Target, TargetValidator
from reachy_agent_ros.tool_generation.broker.run import STREAM_BURST, STREAM_RATE, Run
from reachy_agent_ros.tools.body import GazeMotion, Motion, MotionResult, NamedMotion, PoseMotion

_NOTHING = PoseMotion()


class TokenBucket:
    """Rate limit with bursts (token bucket).

    Args:
        rate: Events per second.
        burst: Maximum number of events at once.
        now: Current time of a steady clock, s.
    """

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._filled = now

    def take(self, now: float) -> bool:
        """Returns whether another event is allowed now. If it is allowed, counts the event."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True


class BrokerSession:
    """Forwards commands to the body if they are valid.

    The conditions are the same as in the safety gate of the bridge, which validates the commands again.

    Args:
        run: Run that sends the commands.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._posture: BodyPose | None = None
        self._streamed = _NOTHING
        self._stream_rate = TokenBucket(STREAM_RATE, STREAM_BURST, run.elapsed)
        self._moving = False

    def move(self, motion: Motion) -> MotionResult:
        """Runs a motion to its end.

        Raises:
            AgentError: The motion was rejected, or did not reach its target.
        """
        self._require_admission(motion)
        self._note_command(motion)
        self._streamed = _NOTHING
        result = self._run.body.move(motion, self._run.context)
        if result.error is not None:
            raise result.error
        self._posture = result.pose
        self._moving = False
        return result

    def stream(self, motion: PoseMotion) -> None:
        """Moves toward a posture. If a part is not set, it keeps the value of the previous target.

        Raises:
            AgentError: The posture was rejected; `RATE_EXCEEDED`: there are too many targets per second.
        """
        if not self._stream_rate.take(self._run.elapsed):
            message = f"more than {STREAM_RATE:g} targets per second: set all parts in one call, then sleep 0.02 s"
            raise self._run.refused(ErrorCode.RATE_EXCEEDED, message)
        merged = _merged(self._streamed, motion)
        self._require_admission(merged)
        self._note_command(merged)
        self._streamed = merged
        self._run.body.stream(merged)

    def hold(self) -> None:
        """Ends the current motion and holds the pose."""
        self._streamed, self._posture = _NOTHING, None
        self._run.body.hold()
        self._moving = False

    def release(self) -> None:
        """Holds the pose, unless the robot has come to rest at the end of its last motion."""
        if self._moving:
            self.hold()

    def _note_command(self, motion: Motion) -> None:
        self._run.record.commands.append(motion)
        self._moving = True

    def _require_admission(self, motion: Motion) -> None:
        if isinstance(motion, NamedMotion):
            return  # only the bridge knows the library's names; its gate checks the move step by step
        present = self._posture or self._run.body.state().pose
        try:
            admitted = self._admission.admit(_target(motion), present)
        except AgentError as error:
            raise self._run.refused(error.code, error.message) from error
        self._posture = admitted.pose
        if self._run.rehearsal:
            for finding in admitted.findings:
                self._run.note(f"{finding.message} Stay within its limits.")

    @cached_property
    def _admission(self) -> TargetValidator:
        return TargetValidator()


def _target(motion: PoseMotion | GazeMotion) -> Target:
    if isinstance(motion, GazeMotion):
        return Target(head=gaze_at(np.array(motion.point), BASE_FRAME))
    target = Target(motion.head, motion.antennas, motion.body_yaw)
    if target.empty:
        raise AgentError(ErrorCode.INVALID_GOAL, "The motion sets nothing: neither head nor antennas nor body.")
    return target


def _merged(before: PoseMotion, motion: PoseMotion) -> PoseMotion:
    return replace(
        before,
        head=before.head if motion.head is None else motion.head,
        antennas=before.antennas if motion.antennas is None else motion.antennas,
        body_yaw=before.body_yaw if motion.body_yaw is None else motion.body_yaw,
    )
