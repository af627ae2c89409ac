"""Choice of the speed and volume of utterances, learned or requested, and action records that people can rate."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from reachy_agent_msgs.action import Say

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import PolicyCache
from reachy_agent_ros.learning.correction.skills import DISTANCE, TALK, USUAL
from reachy_agent_ros.ros.action_records import ActLog
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_from_message
from reachy_agent_ros.tts.request import checked_speed, checked_volume


@dataclass(frozen=True)
class SpeechAct:
    """Speed and volume of one utterance.

    Attributes:
        act: Published action record.
        speed: Relative speed; 1 is the voice's normal speed.
        volume: Volume, 0 to 1 of full scale.
    """

    act: ActionRecord
    speed: float
    volume: float


class SpeechActs:
    """Chooses the speed and volume of utterances, and publishes them as action records.

    Args:
        node: Node that publishes the records and logs errors.
        policies: Folder of learned policies.

    Attributes:
        volume: Default volume, 0 to 1, which a learned policy scales.
    """

    def __init__(self, node: AgentNode, policies: Path) -> None:
        self._log = ActLog(node)
        self._habits = PolicyCache(policies, (TALK,), node.get_logger().warning)
        self.volume = 1.0
        node.follow("volume", partial(setattr, self, "volume"))

    @property
    def problem(self) -> str:
        """Sentence that states why learned policies are not used, or "" if they are used."""
        return self._habits.problem

    def begin(self, goal: Say.Goal) -> SpeechAct:
        """Chooses the parameters that are not set in a goal, and publishes the start of the action.

        Raises:
            AgentError: `INVALID_GOAL` if the requested speed or volume is out of range.
        """
        wanted = {}
        if goal.speed:
            wanted["speed"] = checked_speed(goal.speed)
        if goal.volume:
            wanted["volume"] = checked_volume(goal.volume, 1.0)
        context = {DISTANCE: USUAL}
        turn_id = uuid_from_message(goal.turn_id)
        act = self._habits.decide(TALK, context, turn_id) or _untaught(turn_id)
        volume = wanted.get("volume", act.action["volume"] * self.volume)
        if wanted:  # decided by the client, not by the policy
            act = replace(act, action={**act.action, **wanted}, probability=1.0, policy_version="")
        return SpeechAct(self._log.begin(act), act.action["speed"], volume)

    def end(self, speech: SpeechAct, error: AgentError | None) -> None:
        """Publishes the end of a speech action."""
        self._log.end(speech.act, ErrorCode.NONE if error is None else error.code)


def _untaught(turn_id: uuid.UUID) -> ActionRecord:
    context = {DISTANCE: USUAL}
    turn, now = turn_id if turn_id.int else None, time.time()
    return ActionRecord(uuid.uuid4(), turn, TALK.name, context, TALK.untaught(context), 1.0, "", now, now)
