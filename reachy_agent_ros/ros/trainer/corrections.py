"""Lets the skills of the robot learn from rewards, and shows and sets the versions of what they learned."""

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
from reachy_agent_ros.learning.correction.learner import OnlineLearner, PolicyUpdate, Viewpoint, judged_act
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore, Standing
from reachy_agent_ros.learning.correction.skills import SKILLS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.score import Axis, Score, Sign
from reachy_agent_ros.ros.rclpy_ext.action_records import act_from_message, named_numbers
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import stamp_message, uuid_from_message
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, RECENT
from reachy_agent_ros.ros.rclpy_ext.service_server import SlowService

_RECENT = 200
"""Acts that are kept at hand; older ones are on disk."""

_TAUGHT = 1000
"""Judgements that are known to have taught something: whoever gives one again has its reward published again."""


class Corrections:
    """Subscribes to `action_records` and `reward`, publishes `policy_updates`, serves `list_policies` and `set_policy`.

    Lessons are learned in a thread of its own, one after another, because each is on disk before it is told.

    Args:
        node: Of which it is a part.
        directory: Where policies and feedback are; None is the state directory.
        database: URL of the feedback, where it is elsewhere.

    Raises:
        AgentError: `STORAGE_FAILED`: the folder of policies cannot be made.
    """

    def __init__(self, node: AgentNode, directory: Path | None = None, database: str = "") -> None:
        self._node = node
        folder = directory or state_directory()
        self._feedback: Path | str = database or folder / "feedback.db"
        whose = [str(viewpoint) for viewpoint in Viewpoint]
        self._viewpoint = Viewpoint(node.parameter("viewpoint", whose[0], "Whose left people mean.", choices=whose))
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
        """Finishes the lesson that is being learned."""
        self._thread.shutdown(cancel_futures=True)

    def _remember(self, message: ActionRecordMessage) -> None:
        self._acts[uuid_from_message(message.act_id)] = message
        while len(self._acts) > _RECENT:
            self._acts.popitem(last=False)

    def _receive(self, reward: RewardMessage) -> None:
        known = {act_id: self._acts[act_id] for act_id in _judged(reward) if act_id in self._acts}
        work = self._thread.submit(self._learn, reward, known)
        work.add_done_callback(lambda done: self._node.in_executor(self._tell, done))

    def _tell(self, done: Future[PolicyUpdateMessage]) -> None:
        """In the executor's thread, where an error that nobody expected ends the node."""
        if not done.cancelled():
            self._lessons.publish(done.result())

    def _learn(self, reward: RewardMessage, known: dict[uuid.UUID, ActionRecordMessage]) -> PolicyUpdateMessage:
        """What a judgement teaches; one that has taught before teaches nothing more, and is told of again."""
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
                self._node.get_logger().warning(f"A judgement of {skill} taught nothing: {error.message}")
            lesson = PolicyUpdate(self._acting(skill), False, error.message)
        return PolicyUpdateMessage(
            header=self._node.header(),
            feedback_id=reward.feedback_id,
            skill=skill,
            learned=lesson.learnt,
            policy_version=lesson.version,
            reason=lesson.reason,
        )

    def _acts_of(self, reward: RewardMessage, known: dict[uuid.UUID, ActionRecordMessage]) -> list[ActionRecord]:
        wanted = _judged(reward)
        acts = {act_id: act_from_message(message) for act_id, message in known.items()}
        if any(act_id not in acts for act_id in wanted):  # done before this process began
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
        except AgentError:  # what has no policy has no version either
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
        else:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no operation {asked.operation} on policies.")
        standing = self._store.standing(asked.skill)
        return SetPolicy.Response(active=_version_message(self._store.inspect(asked.skill), standing))


def _judged(reward: RewardMessage) -> list[uuid.UUID]:
    """Acts that it is about, the likeliest first."""
    return list(map(uuid_from_message, reward.act_ids))


def _version_message(record: PolicyRecord, standing: Standing) -> PolicyVersion:
    """A version of a policy."""
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
    """What was said.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no such sign or axis.
    """
    try:
        sign, axes = Sign(reward.sign), tuple(map(Axis, reward.axes))
    except ValueError as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"The reward makes no sense: {error}.") from None
    return Score(sign, reward.rating, reward.confidence, axes, reward.stop)
