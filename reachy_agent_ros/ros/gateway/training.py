"""Demonstrations, training and policies over ROS."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.action import RecordDemonstration, Train
from reachy_agent_msgs.msg import MotionTarget, PolicyVersion, RobotState, TrainingStatus
from reachy_agent_msgs.srv import ListPolicies, SetPolicy

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, head_transform
from reachy_agent_ros.gateway.models.demonstrations import (
    ActionModel,
    DemonstrationAnswer,
    DemonstrationModel,
    DemonstrationRequest,
    DemonstrationsAnswer,
    HeadModel,
    RecordRequest,
)
from reachy_agent_ros.gateway.models.training import (
    Operation,
    PoliciesAnswer,
    PolicyModel,
    PolicyRequest,
    TrainerState,
    TrainingAnswer,
    TrainingRequest,
)
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.recording import LONGEST
from reachy_agent_ros.learning.demonstrations.sources import add_given_actions
from reachy_agent_ros.ros.gateway.node_calls import LongGoal, ask
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, pose_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR

LIMIT = 3600.0
"""Time limit for training, s."""

STATES: dict[int, TrainerState] = {
    TrainingStatus.IDLE: "idle",
    TrainingStatus.RECORDING: "recording",
    TrainingStatus.TRAINING: "training",
    TrainingStatus.EVALUATING: "evaluating",
}

_OPERATIONS = {
    Operation.PIN: SetPolicy.Request.PIN,
    Operation.UNPIN: SetPolicy.Request.UNPIN,
    Operation.ROLL_BACK: SetPolicy.Request.ROLL_BACK,
}

_LONGEST_NAME = 61
"""Maximum length of a skill name, characters."""


class RosDemonstrations:
    """Implements `DemonstrationService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
        directory: State directory of the trainer.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, directory: Path) -> None:
        self._folder = directory / "demonstrations"
        trainer = watches.of(names.TRAINER)
        absence = "No recording of this gateway is running."
        self._recording = LongGoal(node, RecordDemonstration, names.RECORD_DEMONSTRATION, trainer, absence)
        self._robot = RobotState()
        node.create_subscription(RobotState, names.ROBOT_STATE, self._note_robot, LATCHED)
        self._hand = node.create_publisher(MotionTarget, names.TEACH_TARGET, SENSOR)

    async def add(self, asked: DemonstrationRequest) -> DemonstrationAnswer:
        """Implements `DemonstrationService.add`."""
        return _stored(await asyncio.to_thread(self._add, asked))

    async def record(self, asked: RecordRequest) -> None:
        """Implements `DemonstrationService.record`."""
        goal = RecordDemonstration.Goal(
            skill=asked.skill,
            prompt=asked.prompt,
            method=list(Method).index(Method(asked.method)),
            time_allowance=duration_message(asked.duration),
        )
        await self._recording.begin(goal, asked.duration or LONGEST)

    async def finish(self) -> DemonstrationAnswer:
        """Implements `DemonstrationService.finish`."""
        result = await self._recording.end()
        require_success(result)
        return _stored(await asyncio.to_thread(lambda: Demonstrations(self._folder).find(result.demonstration)))

    async def lead(self, head: HeadModel) -> None:
        """Implements `DemonstrationService.lead`."""
        if not self._robot.simulated:
            raise AgentError(ErrorCode.INVALID_GOAL, "This moves only a simulated robot. Move a real one by hand.")
        if self._robot.motor_mode != RobotState.MOTORS_GRAVITY_COMPENSATION:
            raise AgentError(ErrorCode.INVALID_GOAL, "The motors are not free. Start recording a demonstration first.")
        pose = pose_message(_head_pose(head))
        self._hand.publish(MotionTarget(commander=names.GATEWAY, set_head=True, head_pose=pose))

    async def listed(self, skill: str) -> DemonstrationsAnswer:
        """Implements `DemonstrationService.listed`."""
        found = await asyncio.to_thread(lambda: Demonstrations(self._folder).listed(skill))
        return DemonstrationsAnswer(demonstrations=[_demonstration(one) for one in found])

    def _note_robot(self, state: RobotState) -> None:
        self._robot = state

    def _add(self, asked: DemonstrationRequest) -> Demonstration:
        prompt = asked.task_description
        skill = asked.skill or _skill_name(prompt)
        times = [action.time for action in asked.actions]
        return add_given_actions(
            Demonstrations(self._folder), skill, prompt, times, _postures(asked.actions), asked.person
        )


class RosTraining:
    """Implements `TrainingService`.

    Args:
        node: The gateway's node, whose executor spins in another thread.
        watches: Heartbeats of the other nodes.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        trainer = watches.of(names.TRAINER)
        self._list = ServiceCaller(node, ListPolicies, names.LIST_POLICIES, trainer)
        self._set = ServiceCaller(node, SetPolicy, names.SET_POLICY, trainer)
        self._training = LongGoal(node, Train, names.TRAIN, trainer, "No training of this gateway is running.")
        self._seen = TrainingStatus()
        self._subscription = node.create_subscription(TrainingStatus, names.TRAINING_STATUS, self._see, LATCHED)

    async def status(self) -> TrainingAnswer:
        """Implements `TrainingService.status`."""
        seen = self._seen
        versions = (await self.policies(seen.skill)).policies
        skill = seen.skill or max(versions, key=lambda one: one.created).skill if versions else seen.skill
        its = [one for one in versions if one.skill == skill]
        measured = [one for one in its if "success" in one.figures]
        figures = measured[-1].figures if measured else {}
        active = next((one for one in its if one.active), None)
        failure = self._training.failure
        return TrainingAnswer(
            state=STATES[seen.state],
            skill=skill,
            episode=seen.episode,
            episodes=seen.episodes,
            success_rate=figures.get("success"),
            avg_reward=seen.mean_reward if seen.state == TrainingStatus.TRAINING else figures.get("reward"),
            best_checkpoint="" if active is None else f"{skill}/{active.version}",
            figures=figures,
            detail=seen.detail,
            error="" if failure is None else failure.message,
        )

    async def train(self, asked: TrainingRequest) -> TrainingAnswer:
        """Implements `TrainingService.train`."""
        goal = Train.Goal(skill=asked.skill, algorithm=asked.algorithm, episodes=asked.episodes, seed=asked.seed)
        await self._training.begin(goal, LIMIT)
        return await self.status()

    async def cancel(self) -> TrainingAnswer:
        """Implements `TrainingService.cancel`."""
        await self._training.end()
        return await self.status()

    async def policies(self, skill: str) -> PoliciesAnswer:
        """Implements `TrainingService.policies`."""
        answer = await ask(self._list, ListPolicies.Request(skill=skill))
        return PoliciesAnswer(policies=[_policy(one) for one in answer.versions])

    async def set_policy(self, skill: str, asked: PolicyRequest) -> PolicyModel:
        """Implements `TrainingService.set_policy`."""
        request = SetPolicy.Request(skill=skill, operation=_OPERATIONS[asked.operation], version=asked.version)
        return _policy((await ask(self._set, request)).active)

    async def delete_policy(self, skill: str) -> PolicyModel:
        """Implements `TrainingService.delete_policy`."""
        request = SetPolicy.Request(skill=skill, operation=SetPolicy.Request.DELETE)
        return _policy((await ask(self._set, request)).active)

    def _see(self, message: TrainingStatus) -> None:
        self._seen = message
        if message.state == TrainingStatus.TRAINING:
            self._training.note_beginning()


def _policy(message: PolicyVersion) -> PolicyModel:
    return PolicyModel(
        skill=message.skill,
        version=message.version,
        parent=message.parent,
        algorithm=message.algorithm,
        because=message.because,
        active=message.active,
        pinned=message.pinned,
        created=seconds_of(message.created),
        figures={one.name: one.value for one in message.figures},
        digest=message.digest,
    )


def _skill_name(prompt: str) -> str:
    """Derives a skill name from the prompt."""
    return re.sub(r"[^a-z0-9]+", "_", prompt.lower()).strip("_")[:_LONGEST_NAME]


def _postures(actions: list[ActionModel]) -> list[BodyPose]:
    """Converts actions to postures. A missing value is taken from the previous action or the neutral posture."""
    postures = []
    last = BodyPose()
    for action in actions:
        head = last.head if action.head is None else _head_pose(action.head)
        right, left = action.antennas or (last.antenna_right, last.antenna_left)
        body_yaw = last.body_yaw if action.body_yaw is None else action.body_yaw
        last = BodyPose(head, right, left, body_yaw)
        postures.append(last)
    return postures


def _head_pose(head: HeadModel) -> Matrix:
    return head_transform(head.roll, head.pitch, head.yaw, head.x, head.y, head.z)


def _demonstration(one: Demonstration) -> DemonstrationModel:
    quality = one.quality
    return DemonstrationModel(
        demo_id=one.identifier,
        skill=one.skill,
        prompt=one.prompt,
        method=one.method,
        person=one.person,
        began=one.began,
        duration=one.duration,
        samples=None if quality is None else quality.samples,
        rate=None if quality is None else quality.rate,
        cut=quality is not None and quality.cut,
        origin=one.origin,
    )


def _stored(one: Demonstration) -> DemonstrationAnswer:
    return DemonstrationAnswer(**_demonstration(one).model_dump(), status="stored")
