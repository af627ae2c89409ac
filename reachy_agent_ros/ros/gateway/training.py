"""Demonstrations, training and policies over ROS: what the trainer records, learns and keeps."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.action import RecordDemonstration, Train
from reachy_agent_msgs.msg import PolicyVersion as PolicyVersionMessage
from reachy_agent_msgs.msg import TrainingStatus as TrainingStatusMessage
from reachy_agent_msgs.srv import ListPolicies, SetPolicy

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.gateway.ports.training import Operation, PolicyVersion, PosturePoint, Shown, TrainingStatus
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.recording import LONGEST
from reachy_agent_ros.learning.demonstrations.sources import add_given_actions
from reachy_agent_ros.ros.gateway.node_calls import LongGoal, ask
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller, require_success
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatches
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

LIMIT = 3600.0
"""s that the trainer gives to a training."""

STATES = {
    TrainingStatusMessage.IDLE: "idle",
    TrainingStatusMessage.RECORDING: "recording",
    TrainingStatusMessage.TRAINING: "training",
    TrainingStatusMessage.EVALUATING: "evaluating",
}

_OPERATIONS = {
    Operation.PIN: SetPolicy.Request.PIN,
    Operation.UNPIN: SetPolicy.Request.UNPIN,
    Operation.ROLL_BACK: SetPolicy.Request.ROLL_BACK,
}

_LONGEST_NAME = 61
"""Characters of a skill's name."""


class RosDemonstrations:
    """Implements `gateway.ports.training.Demonstrations`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
        directory: State directory of the trainer.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches, directory: Path) -> None:
        self._folder = directory / "demonstrations"
        trainer = watches.of(names.TRAINER)
        absence = "Nothing that was begun here is being recorded."
        self._recording = LongGoal(node, RecordDemonstration, names.RECORD_DEMONSTRATION, trainer, absence)

    async def add(self, skill: str, prompt: str, person: str, moments: Sequence[PosturePoint]) -> Shown:
        """Keeps what a program shows: on disk when this returns."""
        return _shown(await asyncio.to_thread(self._add, skill or _named_after(prompt), prompt, person, moments))

    async def record(self, skill: str, prompt: str, method: str, duration: float) -> None:
        """Begins a recording and returns when it goes on."""
        goal = RecordDemonstration.Goal(
            skill=skill,
            prompt=prompt,
            method=list(Method).index(Method(method)),
            time_allowance=duration_message(duration),
        )
        await self._recording.begin(goal, duration or LONGEST)

    async def finish(self) -> Shown:
        """Ends the recording; it stays. `NOT_FOUND` where none goes on."""
        result = await self._recording.end()
        require_success(result)
        return _shown(await asyncio.to_thread(lambda: Demonstrations(self._folder).find(result.demonstration)))

    async def listed(self, skill: str) -> Sequence[Shown]:
        """All of them, newest first."""
        found = await asyncio.to_thread(lambda: Demonstrations(self._folder).listed(skill))
        return [_shown(one) for one in found]

    def _add(self, skill: str, prompt: str, person: str, moments: Sequence[PosturePoint]) -> Demonstration:
        postures = [_posture(one) for one in moments]
        times = [one.time for one in moments]
        return add_given_actions(Demonstrations(self._folder), skill, prompt, times, postures, person)


class RosTraining:
    """Implements `gateway.ports.training.Training`.

    Args:
        node: Whose executor spins in another thread.
        watches: Of that node.
    """

    def __init__(self, node: Node, watches: HeartbeatWatches) -> None:
        trainer = watches.of(names.TRAINER)
        self._list = ServiceCaller(node, ListPolicies, names.LIST_POLICIES, trainer)
        self._set = ServiceCaller(node, SetPolicy, names.SET_POLICY, trainer)
        self._training = LongGoal(node, Train, names.TRAIN, trainer, "Nothing that was begun here is being trained.")
        self._seen = TrainingStatusMessage()
        self._subscription = node.create_subscription(TrainingStatusMessage, names.TRAINING_STATUS, self._see, LATCHED)

    async def status(self) -> TrainingStatus:
        """What goes on, and what came of the latest."""
        seen = self._seen
        versions = await self.policies(seen.skill)
        skill = seen.skill or max(versions, key=lambda one: one.created).skill if versions else seen.skill
        its = [one for one in versions if one.skill == skill]
        measured = [one for one in its if "success" in one.figures]
        failure = self._training.failure
        return TrainingStatus(
            state=STATES[seen.state],
            skill=skill,
            policy_version=seen.policy_version,
            episode=seen.episode,
            episodes=seen.episodes,
            mean_reward=seen.mean_reward,
            detail=seen.detail,
            latest=measured[-1] if measured else None,
            best=next((one for one in its if one.active), None),
            error="" if failure is None else failure.message,
        )

    async def train(self, skill: str, algorithm: str, episodes: int, seed: int) -> TrainingStatus:
        """Begins training and returns when it goes on."""
        goal = Train.Goal(skill=skill, algorithm=algorithm, episodes=episodes, seed=seed)
        await self._training.begin(goal, LIMIT)
        return await self.status()

    async def cancel(self) -> TrainingStatus:
        """Ends what was begun by `train`; its checkpoint stays."""
        await self._training.end()
        return await self.status()

    async def policies(self, skill: str) -> Sequence[PolicyVersion]:
        """Versions by skill, oldest first; empty: of all skills."""
        answer = await ask(self._list, ListPolicies.Request(skill=skill))
        return [_version(one) for one in answer.versions]

    async def set_policy(self, skill: str, operation: Operation, version: int) -> PolicyVersion:
        """Decides which version acts. Returns it."""
        request = SetPolicy.Request(skill=skill, operation=_OPERATIONS[operation], version=version)
        return _version((await ask(self._set, request)).active)

    def _see(self, message: TrainingStatusMessage) -> None:
        self._seen = message
        if message.state == TrainingStatusMessage.TRAINING:
            self._training.note_beginning()


def _version(message: PolicyVersionMessage) -> PolicyVersion:
    return PolicyVersion(
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


def _named_after(prompt: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", prompt.lower()).strip("_")[:_LONGEST_NAME]


def _posture(moment: PosturePoint) -> BodyPose:
    x, y, z, roll, pitch, yaw = moment.head
    right, left = moment.antennas
    return BodyPose(head_transform(roll, pitch, yaw, x, y, z), right, left, moment.body_yaw)


def _shown(one: Demonstration) -> Shown:
    quality = one.quality
    return Shown(
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
