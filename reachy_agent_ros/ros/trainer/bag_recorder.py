"""Whatever is published, into a bag that `ros2 bag` and `rosbags` read."""

from __future__ import annotations

import queue
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.bag_writer import BagWriter
from reachy_agent_ros.learning.demonstrations.channels import all_types
from reachy_agent_ros.ros.client.topic_view import Topic, TopicView

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
        self._bag = BagWriter(folder, "", types.__getitem__, all_types())
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
