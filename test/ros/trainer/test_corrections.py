"""Learning from rewards, and management of policy versions while a skill is used."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage
from reachy_agent_msgs.msg import PolicyUpdate, Reward
from reachy_agent_msgs.srv import ListPolicies, SetPolicy
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT, TALK
from reachy_agent_ros.learning.feedback.rows import rows_of_act
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.ros.action_records import act_message
from reachy_agent_ros.ros.rclpy_ext.convert import uuid_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import CALLS, RECENT
from support.nodes.correcting_node import ObservedCorrections, correcting
from support.nodes.node_process import Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import wait_until

APPLE = {"target_pitch": 0.2, "target_yaw": -0.3}


@dataclass
class Person:
    """Simulated person who performs actions, gives rewards and manages policies over ROS."""

    ros: Ros
    corrections: ObservedCorrections
    directory: Path
    lessons: list[PolicyUpdate] = field(default_factory=list)
    told: list[Reward] = field(default_factory=list)

    def __post_init__(self) -> None:
        node = self.ros.node
        self.store = PolicyStore(self.directory / "policies")
        self.look = OnlineLearner(LOOK_AT_OBJECT, self.store, seed=0)
        self.acts = node.create_publisher(ActionRecordMessage, names.ACTION_RECORDS, RECENT)
        self.rewards = node.create_publisher(Reward, names.REWARD, CALLS)
        node.create_subscription(PolicyUpdate, names.POLICY_UPDATES, self.lessons.append, CALLS)
        watch = HeartbeatMonitor(node, self.corrections.name)
        self.lists = ServiceCaller(node, ListPolicies, names.LIST_POLICIES, watch)
        self.sets = ServiceCaller(node, SetPolicy, names.SET_POLICY, watch)

    def judge(
        self, *acts: ActionRecord, axes: tuple[str, ...] = (), sign: int = Reward.NEGATIVE, **more: Any
    ) -> PolicyUpdate:
        """Publishes a reward and returns the resulting policy update."""
        feedback_id = uuid_message(uuid.uuid4())
        reward = Reward(
            feedback_id=feedback_id,
            action=acts[0].skill,
            act_ids=[uuid_message(act.act_id) for act in acts],
            shares=[1.0 / len(acts)] * len(acts),
            sign=sign,
            rating=0.8 * sign,
            confidence=0.95,
            axes=axes,
            **more,
        )
        self.told.append(reward)
        self.rewards.publish(reward)
        wait_until(lambda: any(one.feedback_id == feedback_id for one in self.lessons), "a lesson")
        return next(one for one in self.lessons if one.feedback_id == feedback_id)

    def does(self, act: ActionRecord) -> ActionRecord:
        self.acts.publish(act_message(Header(), act))
        wait_until(lambda: act.act_id in self.corrections.received, "the action to arrive")
        return act

    def set(self, operation: int, version: int = 0, skill: str = LOOK_AT_OBJECT.name) -> SetPolicy.Response:
        return self.sets.call(SetPolicy.Request(skill=skill, operation=operation, version=version), 10.0)


@pytest.fixture
def person(ros: Ros, tmp_path: Path) -> Iterator[Person]:
    with correcting(tmp_path) as corrections:
        one = Person(ros, corrections, tmp_path)
        wait_until(lambda: one.acts.get_subscription_count() > 0, "acts to be heard")
        wait_until(lambda: one.rewards.get_subscription_count() > 0, "rewards to be heard")
        wait_until(lambda: ros.node.count_publishers(names.POLICY_UPDATES) > 0, "lessons to be told")
        yield one


def test_correction_too_far_down_raises_next_gaze_until_rollback(person: Person) -> None:
    before = person.look.act(APPLE).action["pitch"]
    lesson = person.judge(person.does(person.look.act(APPLE)), axes=("pitch_up",))
    assert (lesson.learned, lesson.policy_version) == (True, 2)
    assert lesson.reason == "I will look higher from now on."
    assert person.look.act(APPLE).action["pitch"] < before - 0.03  # positive pitch is down
    assert person.set(SetPolicy.Request.ROLL_BACK).active.version == 1
    assert person.look.act(APPLE).action["pitch"] == pytest.approx(before)


def test_repeated_reward_is_learned_once(person: Person) -> None:
    first = person.judge(person.does(person.look.act(APPLE)), axes=("pitch_up",))
    taught = person.look.act(APPLE).action["pitch"]
    person.rewards.publish(person.told[-1])
    wait_until(lambda: len(person.lessons) == 2, "the lesson again")
    assert person.lessons[-1] == first
    assert person.look.act(APPLE).action["pitch"] == taught
    assert person.store.standing(LOOK_AT_OBJECT.name).active == 2


def test_trainer_does_not_learn_while_a_version_is_pinned(person: Person) -> None:
    act = person.does(person.look.act(APPLE))
    person.judge(act, sign=Reward.POSITIVE)
    pinned = person.set(SetPolicy.Request.PIN).active
    assert (pinned.version, pinned.active, pinned.pinned) == (2, True, True)
    assert person.judge(act, axes=("pitch_up",)).reason == "Version 2 is pinned."
    assert not person.set(SetPolicy.Request.UNPIN).active.pinned
    assert person.judge(act, axes=("pitch_up",)).learned


def test_deleted_skill_is_untrained_and_no_longer_listed(person: Person) -> None:
    before = person.look.act(APPLE).action["pitch"]
    person.judge(person.does(person.look.act(APPLE)), axes=("pitch_up",))
    person.set(SetPolicy.Request.PIN)
    active = person.set(SetPolicy.Request.DELETE).active
    assert (active.skill, active.version, active.active) == ("look_at_object", 0, True)
    assert person.lists.call(ListPolicies.Request(), 10.0).versions == []
    assert person.look.act(APPLE).action["pitch"] == pytest.approx(before)
    assert person.set(SetPolicy.Request.DELETE).error_code == ErrorCode.NOT_FOUND


def test_rollback_before_first_version_reports_untrained_skill(person: Person) -> None:
    person.judge(person.does(person.look.act(APPLE)), axes=("pitch_up",))
    person.set(SetPolicy.Request.ROLL_BACK)
    active = person.set(SetPolicy.Request.ROLL_BACK).active
    assert (active.skill, active.version, active.active) == ("look_at_object", 0, True)
    assert person.set(SetPolicy.Request.ROLL_BACK).error_code == ErrorCode.INVALID_GOAL


def test_trainer_lists_policy_versions_with_origin(person: Person) -> None:
    person.judge(person.does(person.look.act(APPLE)), axes=("yaw_left",))
    versions = person.lists.call(ListPolicies.Request(), 10.0).versions
    assert [(one.version, one.active, one.because) for one in versions] == [
        (1, False, "Initial version, not corrected yet."),
        (2, True, "Corrected: yaw_left."),
    ]


def test_feedback_about_gaze_does_not_change_voice(person: Person) -> None:
    look = person.does(person.look.act(APPLE))
    voice = person.does(OnlineLearner(TALK, person.store).act({"distance": 1.0}))
    assert person.judge(voice, look, axes=("pitch_up",)).skill == "look_at_object"
    assert person.judge(voice, look, sign=Reward.POSITIVE).skill == "look_at_object"
    assert person.judge(look, voice, axes=("quieter",)).skill == "talk"


def test_trainer_reports_skill_that_cannot_learn(person: Person) -> None:
    tool = person.does(ActionRecord(uuid.uuid4(), None, "move_head", {}, {}, 1.0, "", 1.7e9, 1.7e9))
    lesson = person.judge(tool, axes=("slower",))
    assert (lesson.skill, lesson.learned, lesson.told) == ("move_head", False, True)
    assert lesson.reason == "I cannot learn another way to turn my head."


def test_trainer_does_not_learn_from_stop_command(person: Person) -> None:
    assert not person.judge(person.does(person.look.act(APPLE)), stop=True).learned


def test_trainer_finds_stored_action_of_previous_process(person: Person) -> None:
    act = person.look.act(APPLE, uuid.uuid4())
    store = FeedbackStore(person.directory / "feedback.db")
    store.add(rows_of_act(act))
    store.close()
    assert act.turn_id is not None
    assert person.judge(act, axes=("pitch_up",), turn_id=uuid_message(act.turn_id)).learned


def test_trainer_does_not_learn_from_reward_for_unknown_action(person: Person) -> None:
    lesson = person.judge(person.look.act(APPLE))
    assert (lesson.reason, lesson.told) == ("The judged action is no longer known.", False)


def test_trainer_rejects_invalid_policy_request(person: Person) -> None:
    assert person.set(9).error_code == ErrorCode.INVALID_ARGUMENTS
    assert person.set(SetPolicy.Request.PIN, skill="../secret").error_code == ErrorCode.NOT_FOUND
    assert person.set(SetPolicy.Request.PIN, version=7).error_code == ErrorCode.NOT_FOUND
    assert person.judge(person.does(person.look.act(APPLE)), axes=("sideways",)).reason.startswith("Invalid reward")
