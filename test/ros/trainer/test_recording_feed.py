from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.process import create_executor
from reachy_agent_ros.ros.trainer.recording_feed import RecordingFeed
from support.waiting import wait_until

pytestmark = pytest.mark.usefixtures("ros")


class FullNode(AgentNode):
    """Node that cannot create another subscription."""

    def create_subscription(self, *_args: Any, **_options: Any) -> Any:
        raise MemoryError("no more subscriptions")


@contextmanager
def executed(node: AgentNode) -> Iterator[Callable[[], None]]:
    """Adds a node to an executor, and yields a function that runs everything that waits in the executor."""
    executor = create_executor()
    executor.add_node(node)

    def run() -> None:
        passed = threading.Event()
        node.in_executor(passed.set)

        def has_passed() -> bool:
            executor.spin_once(timeout_sec=0.1)
            return passed.is_set()

        wait_until(has_passed, "the executor")

    try:
        yield run
    finally:
        executor.shutdown()
        node.destroy_node()


def test_recording_that_cannot_subscribe_in_time_ends_without_subscriptions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reachy_agent_ros.ros.trainer.recording_feed._LISTENING_TIMEOUT", 0.1)
    node = AgentNode("busy_trainer", {})
    with executed(node) as run:
        before = list(node.subscriptions)
        with pytest.raises(AgentError, match="Try again") as caught, RecordingFeed(node).subscribed():
            pass
        run()
        assert caught.value.code is ErrorCode.TIMEOUT
        assert list(node.subscriptions) == before


def test_recording_receives_error_of_failed_subscription() -> None:
    def record() -> None:
        with RecordingFeed(node).subscribed():
            pass

    node = FullNode("full_trainer", {})
    with executed(node) as run, ThreadPoolExecutor(1) as thread:
        recording = thread.submit(record)

        def has_ended() -> bool:
            run()
            return recording.done()

        wait_until(has_ended, "the recording to fail")
        with pytest.raises(MemoryError, match="no more subscriptions"):
            recording.result()
