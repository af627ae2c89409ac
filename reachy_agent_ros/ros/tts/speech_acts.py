"""Every utterance as an act that can be judged, spoken as people have taught where its goal leaves that open."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

from reachy_agent_msgs.action import Say

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import PolicyCache
from reachy_agent_ros.learning.correction.skills import DISTANCE, TALK, USUAL
from reachy_agent_ros.ros.rclpy_ext.action_records import ActLog
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.tts.request import checked_speed, checked_volume


@dataclass(frozen=True)
class SpeechAct:
    """How one goal is spoken.

    Attributes:
        act: As it was told.
        speed: 1 is the voice's own.
        volume: 0..1 of full scale.
    """

    act: ActionRecord
    speed: float
    volume: float


class SpeechActs:
    """Decides how to speak, and publishes that.

    Args:
        node: Publishes and warns.
        policies: Folder of what was taught.
        volume: Of goals that name none, where nobody has taught another one; 0..1.
    """

    def __init__(self, node: AgentNode, policies: Path, volume: float) -> None:
        self._log = ActLog(node)
        self._habits = PolicyCache(policies, (TALK,), node.get_logger().warning)
        self._volume = volume

    @property
    def problem(self) -> str:
        """Why what was taught does not count, a sentence; empty where it does."""
        return self._habits.problem

    def begin(self, goal: Say.Goal) -> SpeechAct:
        """Decides on what a goal leaves open, and tells it.

        Raises:
            AgentError: `INVALID_GOAL`: it asks for a speed or volume out of range.
        """
        wanted = {}
        if goal.speed:
            wanted["speed"] = checked_speed(goal.speed)
        if goal.volume:
            wanted["volume"] = checked_volume(goal.volume, 1.0)
        context = {DISTANCE: USUAL}
        turn_id = uuid_from_message(goal.turn_id)
        act = self._habits.decide(TALK, context, turn_id) or _untaught(turn_id)
        volume = wanted.get("volume", act.action["volume"] * self._volume)
        if wanted:  # whoever asked for it decided, not the policy
            act = replace(act, action={**act.action, **wanted}, probability=1.0, policy_version="")
        return SpeechAct(self._log.begin(act), act.action["speed"], volume)

    def end(self, speech: SpeechAct, error: AgentError | None) -> None:
        """Tells how it went."""
        self._log.end(speech.act, ErrorCode.NONE if error is None else error.code)


def _untaught(turn_id: uuid.UUID) -> ActionRecord:
    context = {DISTANCE: USUAL}
    turn, now = turn_id if turn_id.int else None, time.time()
    return ActionRecord(uuid.uuid4(), turn, TALK.name, context, TALK.untaught(context), 1.0, "", now, now)
