"""Online learning of skills from rewards, and management of policy versions."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from reachy_agent_msgs.msg import PolicyUpdate as PolicyUpdateMessage
from reachy_agent_msgs.msg import PolicyVersion
from reachy_agent_msgs.msg import Reward as RewardMessage
from reachy_agent_msgs.srv import ListPolicies, SetPolicy

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import (
    OnlineLearner,
    PolicyUpdate,
    UnchangeableActionError,
    Viewpoint,
    judged_act,
)
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore, Standing
from reachy_agent_ros.learning.correction.skills import SKILLS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.score import Axis, Score, Sign
from reachy_agent_ros.ros.action_records import act_from_message, named_numbers
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, RECENT
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

_RECENT = 200
"""Number of actions kept in memory; older ones are read from disk."""

_TAUGHT = 1000
"""Number of rewards remembered as learned, so that a repeated reward is not learned twice."""


class Corrections:
    """Learns from `action_records` and `reward`, publishes `policy_updates`, serves `list_policies` and `set_policy`.

    Rewards are processed one at a time in a separate thread, because each update is written to disk before it is
    published.

    Args:
        node: Node that has the topics and services.
        directory: Folder of policies and feedback; None for the state directory.
        database: URL of the feedback database; empty for `feedback.db` in the folder.

    Raises:
        AgentError: `STORAGE_FAILED` if the folder of policies cannot be created.
    """

    def __init__(self, node: AgentNode, directory: Path | None = None, database: str = "") -> None:
        self._node = node
        folder = directory or state_directory()
        self._feedback: Path | str = database or folder / "feedback.db"
        self._viewpoint = Viewpoint(node.parameter("viewpoint"))
        self._store = PolicyStore(folder / "policies")
        self._learners: dict[str, OnlineLearner] = {}
        self._acts: OrderedDict[uuid.UUID, ActionRecordMessage] = OrderedDict()
        self._taught: OrderedDict[uuid.UUID, PolicyUpdateMessage] = OrderedDict()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="corrections")
        self._lessons = node.create_publisher(PolicyUpdateMessage, names.POLICY_UPDATES, CALLS)
        node.create_subscription(ActionRecordMessage, names.ACTION_RECORDS, self._remember, RECENT)
        node.create_subscription(RewardMessage, names.REWARD, self._receive, CALLS)
        self._services = (
            SlowService(node, ListPolicies, names.LIST_POLICIES, lambda asked: self._thread.submit(self._list, asked)),
            SlowService(node, SetPolicy, names.SET_POLICY, lambda asked: self._thread.submit(self._set, asked)),
        )

    def close(self) -> None:
        """Finishes the current policy update, and drops the updates that are waiting."""
        self._thread.shutdown(cancel_futures=True)

    def _remember(self, message: ActionRecordMessage) -> None:
        self._acts[uuid_from_message(message.act_id)] = message
        while len(self._acts) > _RECENT:
            self._acts.popitem(last=False)

    def _receive(self, reward: RewardMessage) -> None:
        known = {act_id: self._acts[act_id] for act_id in _judged(reward) if act_id in self._acts}
        work = self._thread.submit(self._learn, reward, known)
        work.add_done_callback(lambda done: self._node.in_executor(self._publish, done))

    def _publish(self, done: Future[PolicyUpdateMessage]) -> None:
        """Publishes a policy update. Runs in the executor's thread, where an unexpected error ends the node."""
        if not done.cancelled():
            self._lessons.publish(done.result())

    def _learn(self, reward: RewardMessage, known: dict[uuid.UUID, ActionRecordMessage]) -> PolicyUpdateMessage:
        """Learns from a reward and returns the policy update. Does not learn from the same reward twice."""
        feedback_id = uuid_from_message(reward.feedback_id)
        if feedback_id in self._taught:
            return self._taught[feedback_id]
        message = self._taught_by(reward, known)
        if message.learned:
            self._taught[feedback_id] = message
            while len(self._taught) > _TAUGHT:
                self._taught.popitem(last=False)
        return message

    def _taught_by(self, reward: RewardMessage, known: dict[uuid.UUID, ActionRecordMessage]) -> PolicyUpdateMessage:
        skill = reward.action
        try:
            act = judged_act(_score_of(reward), self._acts_of(reward, known))
            skill = act.skill
            lesson = self._learner(skill).learn(act, _score_of(reward))
        except AgentError as error:
            if error.code is not ErrorCode.NO_DATA:
                self._node.get_logger().warning(f"Feedback about {skill} was not learned: {error.message}")
            told = isinstance(error, UnchangeableActionError)
            lesson = PolicyUpdate(self._acting(skill), False, error.message, told)
        return PolicyUpdateMessage(
            header=self._node.header(),
            feedback_id=reward.feedback_id,
            skill=skill,
            learned=lesson.learned,
            policy_version=lesson.version,
            reason=lesson.reason,
            told=lesson.told,
        )

    def _acts_of(self, reward: RewardMessage, known: dict[uuid.UUID, ActionRecordMessage]) -> list[ActionRecord]:
        wanted = _judged(reward)
        acts = {act_id: act_from_message(message) for act_id, message in known.items()}
        if any(act_id not in acts for act_id in wanted):  # from before this process started
            acts |= {act.act_id: act for act in self._stored(uuid_from_message(reward.turn_id))}
        return [acts[act_id] for act_id in wanted if act_id in acts]

    def _stored(self, turn_id: uuid.UUID) -> list[ActionRecord]:
        store = FeedbackStore(self._feedback)
        try:
            return store.acts(turn_id if turn_id.int else None, _RECENT)
        finally:
            store.close()

    def _learner(self, skill: str) -> OnlineLearner:
        if skill not in self._learners:
            self._learners[skill] = OnlineLearner(SKILLS[skill], self._store, self._viewpoint)
        return self._learners[skill]

    def _acting(self, skill: str) -> int:
        try:
            return self._store.standing(skill).active
        except AgentError:  # without a policy, there is no version
            return 0

    def _list(self, asked: ListPolicies.Request) -> ListPolicies.Response:
        skills = [asked.skill] if asked.skill else self._store.skills()
        versions: list[PolicyVersion] = []
        for skill in skills:
            standing = self._store.standing(skill)
            versions += (_version_message(record, standing) for record in self._store.list(skill))
        return ListPolicies.Response(versions=versions)

    def _set(self, asked: SetPolicy.Request) -> SetPolicy.Response:
        if asked.operation == SetPolicy.Request.PIN:
            self._store.pin(asked.skill, asked.version)
        elif asked.operation == SetPolicy.Request.UNPIN:
            self._store.unpin(asked.skill)
        elif asked.operation == SetPolicy.Request.ROLL_BACK:
            self._store.roll_back(asked.skill, asked.version)
        elif asked.operation == SetPolicy.Request.DELETE:
            self._store.delete(asked.skill)
        else:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Unknown policy operation {asked.operation}.")
        standing = self._store.standing(asked.skill)
        return SetPolicy.Response(active=_version_message(self._store.active(asked.skill), standing))


def _judged(reward: RewardMessage) -> list[uuid.UUID]:
    """Returns the ids of the actions that a reward may rate, the most likely first."""
    return list(map(uuid_from_message, reward.act_ids))


def _version_message(record: PolicyRecord, standing: Standing) -> PolicyVersion:
    """Returns the message for a policy version."""
    active = record.version == standing.active
    return PolicyVersion(
        skill=record.skill,
        version=record.version,
        parent=record.parent,
        algorithm=record.algorithm,
        because=record.because,
        active=active,
        pinned=active and standing.pinned,
        created=stamp_message(record.created),
        figures=named_numbers(record.figures),
        digest=record.digest,
    )


def _score_of(reward: RewardMessage) -> Score:
    """Returns the score of a reward message.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the sign or an axis is unknown.
    """
    try:
        sign, axes = Sign(reward.sign), tuple(map(Axis, reward.axes))
    except ValueError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid reward: {error}.") from None
    return Score(sign, reward.rating, reward.confidence, axes, reward.stop)
