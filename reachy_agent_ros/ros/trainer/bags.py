"""Bags: whatever is published, recorded for `ros2 bag` and `rosbags`, and played back as it was recorded."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from rclpy.node import Node
from rclpy.serialization import deserialize_message

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag_file import opened
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter
from reachy_agent_ros.ros.client.topic_view import Topic, TopicView, message_type
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED

SYNC_INTERVAL = 1.0
"""s between two moments at which all is on disk."""

_PENDING = 20_000
"""Messages that wait for the disk; more are dropped and counted."""

_Item = tuple[str, int, bytes]


class BagRecorder:
    """Records topics; what comes faster than the disk takes it is dropped, and counted.

    Args:
        view: Of the graph.
        topics: What to record.
        folder: Of the bag; must not exist.

    Attributes:
        recorded: Messages that were written.
        dropped: Messages that were not, because too many waited.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the folder exists; `STORAGE_FAILED`; `NOT_FOUND`: a type is not installed here.
    """

    def __init__(self, view: TopicView, topics: Sequence[Topic], folder: Path) -> None:
        if folder.exists():
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{folder} is there already; name another folder.")
        self._view = view
        self._topics = topics
        types = {topic.name.removeprefix("/"): topic.type for topic in topics}
        self._bag = BagWriter(folder, "", types.__getitem__)
        self._waiting: queue.Queue[_Item] = queue.Queue(_PENDING)
        self.recorded = self.dropped = 0

    def record(self, until: CancelToken, seconds: float) -> None:
        """Records until it is cancelled, or for so long; all that was recorded is on disk then.

        Args:
            until: Ends it.
            seconds: At most so long; infinite for as long as it takes.

        Raises:
            AgentError: `STORAGE_FAILED`; what was synced before is kept.
        """
        deadline = Deadline(seconds)
        with ExitStack() as listening:
            for topic in self._topics:
                listening.enter_context(self._view.listening(topic, partial(self._take, topic.name.removeprefix("/"))))
            while not (until.cancelled or deadline.passed):
                self._write_for(min(SYNC_INTERVAL, deadline.remaining), until)
                self._bag.sync()
        while not self._waiting.empty():
            self._write(self._waiting.get())
        self._bag.close()

    def _take(self, channel: str, message: bytes) -> None:
        try:
            self._waiting.put_nowait((channel, time.time_ns(), message))
        except queue.Full:
            self.dropped += 1

    def _write_for(self, seconds: float, until: CancelToken) -> None:
        deadline = Deadline(seconds)
        while not (deadline.passed or until.cancelled):
            try:
                self._write(self._waiting.get(timeout=min(0.1, deadline.remaining)))
            except queue.Empty:
                continue

    def _write(self, item: _Item) -> None:
        self._bag.write(*item)
        self.recorded += 1


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
