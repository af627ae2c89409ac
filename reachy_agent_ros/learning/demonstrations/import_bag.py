"""Bags that `ros2 bag record` made, as demonstrations."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag import connections
from reachy_agent_ros.learning.demonstrations.bag_file import OpenBag, opened
from reachy_agent_ros.learning.demonstrations.channels import CHANNELS, STATES, type_of
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration, Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations, require_named


def import_bag(
    demonstrations: Demonstrations,
    path: Path,
    skill: str,
    prompt: str,
    person: str = "",
    method: Method = Method.HAND,
    topics: Mapping[str, str] | None = None,
) -> Demonstration:
    """Takes over what a demonstration holds; other topics of the bag are left out, the bag stays as it is.

    Args:
        demonstrations: Where to put it.
        path: The bag's folder or file, in MCAP or SQLite, whole or cut off.
        skill: Name of the skill.
        prompt: What is shown, in words.
        person: Who shows it.
        method: How.
        topics: The bag's topics by channel. Others are found by the end of their name: `/robot_2/joint_states`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there is no such channel; `INVALID_GOAL`: it is no bag, a topic is missing or
            of another type, there are two for a channel, or the skill has no proper name; `NO_DATA`, `NOT_FOUND`,
            `STORAGE_FAILED`.
    """
    require_named(skill, prompt)
    topics = topics or {}
    with opened(path) as bag:
        for channel in topics:
            if channel not in CHANNELS:
                there_are = ", ".join(CHANNELS)
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no {channel!r:.80}; there are {there_are}.")
        for channel in CHANNELS:
            _require_one(bag, channel, topics.get(channel, ""))
        began = bag.reader.start_time / 1e9
    about = Demonstration(str(uuid.uuid4()), skill, prompt, method, person, None, began, origin=path.name)
    return demonstrations.add(path, about, topics=topics)


def _require_one(bag: OpenBag, channel: str, topic: str) -> None:
    found = {connection.topic for connection in connections(bag, channel, topic)}
    if len(found) > 1:
        message = f"The bag holds {' and '.join(sorted(found))}: say which of them is {channel}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    if not found and (topic or channel in STATES):
        there_are = ", ".join(sorted(f"{one.topic} ({one.msgtype})" for one in bag.reader.connections)) or "nothing"
        message = f"The bag holds no {topic or channel} of {type_of(channel)}; it holds {there_are}."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
