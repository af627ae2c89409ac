"""A bag, played back as it was recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from rclpy.node import Node
from rclpy.serialization import deserialize_message

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag_file import opened
from reachy_agent_ros.ros.client.topic_view import message_type
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED


class BagPlayer:
    """Publishes what a bag holds, in its own rhythm.

    Topics that the running graph publishes itself are left out: two who tell the state of one robot would confuse
    everybody. What moves the robot goes through its safety gate, as always.

    Args:
        node: Publishes, in any namespace.
        rate: 2 is twice as fast.
        only: Full names of the topics to play; all that nobody publishes where there are none.
        tell: Takes a line for the person.
    """

    def __init__(self, node: Node, rate: float, only: Collection[str], tell: Callable[[str], None]) -> None:
        self._node = node
        self._rate = rate
        self._only = only
        self._tell = tell

    def play(self, path: Path, until: CancelToken) -> int:
        """Plays a bag to its end, or until it is cancelled. Returns how many messages were published.

        Args:
            path: Folder or file.
            until: Ends it.

        Raises:
            AgentError: `NOT_FOUND`, `INVALID_GOAL`: no bag; `INVALID_ARGUMENTS`: it holds no topic that can be played.
        """
        played = 0
        with opened(path) as bag:
            if bag.cut:
                self._tell("The bag is cut off; what came before is played.")
            publishers = {each.id: self._publisher(each.topic, each.msgtype) for each in bag.reader.connections}
            chosen = [each for each in bag.reader.connections if publishers[each.id] is not None]
            if not chosen:
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} holds no topic that can be played here.")
            first, began = None, time.monotonic()
            for connection, moment, data in bag.messages(chosen):
                first = moment if first is None else first
                due = began + (moment - first) * 1e-9 / self._rate
                if until.wait(max(0.0, due - time.monotonic())):
                    break
                publishers[connection.id].publish(deserialize_message(data, message_type(connection.msgtype)))
                played += 1
        return played

    def _publisher(self, topic: str, kind: str) -> Any:
        """None for what is left out."""
        if self._only and topic not in self._only:
            return None
        if not self._only and self._node.count_publishers(topic):
            self._tell(f"{topic} is left out: somebody publishes it now.")
            return None
        try:
            return self._node.create_publisher(message_type(kind), topic, LATCHED)
        except AgentError as error:
            self._tell(f"{topic} is left out: {error.message}")
            return None
