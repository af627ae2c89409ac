"""Node class and exit of node processes, including workarounds for Fast DDS."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
import rclpy
from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import Empty

from reachy_agent_ros.ros.rclpy_ext import process
from reachy_agent_ros.ros.rclpy_ext.process import EventlessNode, take_leave, uses_fast_dds
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import Ros
from support.waiting import wait_until

MANY = 5

FAST_DDS = ("rmw_fastrtps_cpp", "rmw_fastrtps_dynamic_cpp")

IMPORT = "from reachy_agent_ros.ros.rclpy_ext.process import exit_within; import ctypes\n"


CRASH = """
import ctypes, sys
import rclpy
from reachy_agent_ros.ros.rclpy_ext import process

rclpy.get_rmw_implementation_identifier = lambda: sys.argv[1]
process._FAREWELL = 0.2
process.guard_farewell(7)
ctypes.CDLL(None).abort()
"""


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("rmw_fastrtps_cpp", True),
        ("rmw_fastrtps_dynamic_cpp", True),
        ("rmw_cyclonedds_cpp", False),
        ("rmw_connextdds", False),
        ("rmw_zenoh_cpp", False),
    ],
)
def test_recognizes_fast_dds_by_its_identifier(
    identifier: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rclpy, "get_rmw_implementation_identifier", lambda: identifier)
    assert uses_fast_dds() == expected


def test_recognizes_middleware_in_use() -> None:
    assert uses_fast_dds() == (rclpy.get_rmw_implementation_identifier() in FAST_DDS)


@pytest.fixture
def contexts(ros: Ros) -> Iterator[tuple[Context, Context]]:
    """Two ROS contexts, each with a separate DDS participant."""
    pair = Context(), Context()
    for context in pair:
        rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    yield pair
    for context in pair:
        rclpy.shutdown(context=context)


def test_node_has_no_event_callbacks_with_fast_dds(contexts: tuple[Context, Context]) -> None:
    node = EventlessNode("eventless", context=contexts[0])
    try:
        node.create_publisher(Empty, "told", LATCHED)
        node.create_subscription(Empty, "heard", lambda _message: None, STANDARD)
        assert [publisher.topic_name for publisher in node.publishers if publisher.event_handlers] == []
        assert [subscription.topic_name for subscription in node.subscriptions if subscription.event_handlers] == []
        assert {"told", "heard"} <= {entity.topic_name.strip("/") for entity in (*node.publishers, *node.subscriptions)}
    finally:
        node.destroy_node()


@pytest.mark.usefixtures("another_middleware")
def test_node_has_event_callbacks_with_another_middleware(contexts: tuple[Context, Context]) -> None:
    kinds = (EventlessNode, Node)
    nodes = [kind("with_events", context=context) for kind, context in zip(kinds, contexts, strict=True)]
    try:
        for node in nodes:
            node.create_publisher(Empty, "told", LATCHED)
            node.create_subscription(Empty, "heard", lambda _message: None, STANDARD)
        ours, plain = (
            [len(entity.event_handlers) for entity in (*node.publishers, *node.subscriptions)] for node in nodes
        )
        assert ours == plain
        assert sum(ours) > 0
    finally:
        for node in nodes:
            node.destroy_node()


class Leaving(EventlessNode):
    """Node that is only destroyed after another node has created publishers, which a third node has discovered."""

    def __init__(self, context: Context, other: Node, witness: Node) -> None:
        super().__init__("leaving", context=context)
        self._other, self._witness = other, witness
        self.heard_of = -1

    def destroy_node(self) -> None:
        for count in range(1, MANY + 1):
            self._other.create_publisher(Empty, "/late", STANDARD)
            wait_until(lambda count=count: self._witness.count_publishers("/late") == count, "a late publisher")
        self.heard_of = self.count_publishers("/late")
        super().destroy_node()


def test_destroyed_node_stops_discovery_and_leaves_graph(ros: Ros, contexts: tuple[Context, Context]) -> None:
    one, two = contexts
    other = EventlessNode("other", context=two)
    other.create_publisher(Empty, "/early", STANDARD)
    leaving = Leaving(one, other, ros.node)
    wait_until(lambda: leaving.count_publishers("/early") == 1, "the node to hear of others")
    wait_until(lambda: "leaving" in ros.node.get_node_names(), "the node to be heard of")
    take_leave(leaving)
    assert leaving.heard_of == 0
    wait_until(lambda: "leaving" not in ros.node.get_node_names(), "the node to be heard of no more")
    other.destroy_node()


@pytest.mark.usefixtures("another_middleware")
def test_node_is_destroyed_without_workaround_if_middleware_is_not_fast_dds(
    contexts: tuple[Context, Context], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_remove_discovery_listener", lambda _node: pytest.fail("Fast DDS workaround used"))
    node = EventlessNode("leaving", context=contexts[0])
    take_leave(node)
    with pytest.raises(InvalidHandle), node.handle:
        pytest.fail("the node was not destroyed")


@pytest.mark.parametrize(("middleware", "code"), [("rmw_fastrtps_cpp", 7), ("rmw_cyclonedds_cpp", -signal.SIGABRT)])
def test_crash_during_shutdown_is_ignored_only_with_fast_dds(middleware: str, code: int) -> None:
    assert subprocess.run([sys.executable, "-c", CRASH, middleware], timeout=30.0).returncode == code


@pytest.mark.parametrize("stuck", ["ctypes.PyDLL(None).pause()", "ctypes.CDLL(None).pause()", "while True: pass"])
def test_exit_time_limit_ends_stuck_process_that_holds_interpreter_lock(stuck: str) -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(0.2)\n{stuck}"], timeout=30.0)
    assert ended.returncode == 0


def test_exit_time_limit_ends_process_with_given_exit_code() -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(0.2, 7)\nwhile True: pass"], timeout=30.0)
    assert ended.returncode == 7


def test_exit_time_limit_does_not_affect_earlier_exit() -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(20.0)\nraise SystemExit(3)"], timeout=15.0)
    assert ended.returncode == 3


@pytest.mark.parametrize("crash", ["ctypes.string_at(0)", "ctypes.CDLL(None).abort()"])
def test_exit_time_limit_ends_crashed_process(crash: str) -> None:
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}exit_within(0.2)\n{crash}"], timeout=30.0)
    assert ended.returncode == 0


def test_process_exits_despite_crash_in_another_thread() -> None:
    crash = "import threading; threading.Thread(target=ctypes.CDLL(None).abort, daemon=True).start()"
    ended = subprocess.run(
        [sys.executable, "-c", f"{IMPORT}exit_within(20.0)\n{crash}\nraise SystemExit(3)"], timeout=15.0
    )
    assert ended.returncode == 3


def test_cancelled_exit_time_limit_restores_normal_exit_and_crash() -> None:
    wait = "import time; call_off = exit_within(0.2); call_off(); time.sleep(0.5)"
    ended = subprocess.run([sys.executable, "-c", f"{IMPORT}{wait}\nraise SystemExit(3)"], timeout=30.0)
    assert ended.returncode == 3
    crashed = subprocess.run([sys.executable, "-c", f"{IMPORT}{wait}\nctypes.CDLL(None).abort()"], timeout=30.0)
    assert crashed.returncode == -signal.SIGABRT
