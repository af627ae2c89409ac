"""Demonstrations: recorded by the trainer, given by programs, read from where they are kept."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.action import RecordDemonstration

from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.gateway.ports.demonstrations import Moment, Shown
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Method
from reachy_agent_ros.learning.demonstrations.given_actions import add_given_actions
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.demonstrations.recording import LONGEST
from reachy_agent_ros.ros.gateway.answers import require_success
from reachy_agent_ros.ros.gateway.long_goal import LongGoal
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
from reachy_agent_ros.ros.rclpy_ext.heartbeat_watches import HeartbeatWatches

_LONGEST_NAME = 61
"""Characters of a skill's name."""


class RosDemonstrations:
    """Implements `gateway.ports.demonstrations.Demonstrations`.

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

    async def add(self, skill: str, prompt: str, person: str, moments: Sequence[Moment]) -> Shown:
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

    def _add(self, skill: str, prompt: str, person: str, moments: Sequence[Moment]) -> Demonstration:
        postures = [_posture(one) for one in moments]
        times = [one.time for one in moments]
        return add_given_actions(Demonstrations(self._folder), skill, prompt, times, postures, person)


def _named_after(prompt: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", prompt.lower()).strip("_")[:_LONGEST_NAME]


def _posture(moment: Moment) -> BodyPose:
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
