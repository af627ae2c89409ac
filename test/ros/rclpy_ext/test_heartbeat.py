import signal
from collections.abc import Iterator

import pytest
from reachy_agent_msgs.msg import Heartbeat
from std_srvs.srv import Trigger

from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatWatch, HeartbeatWatches
from support.nodes.node_process import Ros
from support.nodes.serving_node import NAME, serving
from support.waiting import wait_until

START_TIMEOUT = 30.0
LOSS_TIMEOUT = 10.0


@pytest.fixture
def watch(ros: Ros) -> HeartbeatWatch:
    return HeartbeatWatch(ros.node, NAME)


@pytest.fixture
def losses(watch: HeartbeatWatch) -> Iterator[list[str]]:
    """Grows by one each time the watched node is lost."""
    seen: list[str] = []
    forget = watch.on_lost(lambda: seen.append("lost"))
    yield seen
    forget()


def wait_ready(watch: HeartbeatWatch) -> None:
    wait_until(lambda: watch.ready, START_TIMEOUT, "the node to be ready")


def test_a_node_nobody_started_is_neither_alive_nor_lost(watch: HeartbeatWatch, losses: list[str]) -> None:
    assert (watch.alive, watch.ready, watch.last, losses) == (False, False, None, [])


def test_a_running_node_tells_who_it_is(watch: HeartbeatWatch) -> None:
    with serving() as process:
        wait_ready(watch)
        assert watch.last is not None
        assert watch.last.node == f"/reachy_mini/{NAME}"
        assert watch.last.pid == process.pid


def test_a_starting_node_is_alive_and_not_ready(watch: HeartbeatWatch) -> None:
    with serving("-p", "start:=starting"):
        wait_until(lambda: watch.alive, START_TIMEOUT, "a heartbeat")
        assert watch.last is not None
        assert watch.last.state == Heartbeat.STARTING
        assert not watch.ready


def test_a_killed_node_is_lost_once(watch: HeartbeatWatch, losses: list[str]) -> None:
    with serving() as process:
        wait_ready(watch)
        process.send_signal(signal.SIGKILL)
        wait_until(lambda: bool(losses), LOSS_TIMEOUT, "the loss")
        wait_until(lambda: not watch.alive, LOSS_TIMEOUT, "the end of its life")
    assert losses == ["lost"]


def test_a_frozen_process_is_lost_and_comes_back(watch: HeartbeatWatch, losses: list[str]) -> None:
    with serving() as process:
        wait_ready(watch)
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: bool(losses), LOSS_TIMEOUT, "the loss")
        process.send_signal(signal.SIGCONT)
        wait_ready(watch)


def test_a_node_whose_work_stands_still_is_lost_though_its_process_lives(
    ros: Ros, watch: HeartbeatWatch, losses: list[str]
) -> None:
    client = ros.node.create_client(Trigger, "fall_silent")
    with serving() as process:
        wait_ready(watch)
        assert client.wait_for_service(START_TIMEOUT)
        client.call_async(Trigger.Request())
        wait_until(lambda: bool(losses), LOSS_TIMEOUT, "the loss")
        assert process.poll() is None
    ros.node.destroy_client(client)


def test_a_restarted_node_is_lost_in_between(watch: HeartbeatWatch, losses: list[str]) -> None:
    for _ in range(2):
        with serving():
            wait_ready(watch)
        wait_until(lambda: not watch.alive, LOSS_TIMEOUT, "the end of its life")
    wait_until(lambda: len(losses) == 2, LOSS_TIMEOUT, "two losses")


def test_who_no_longer_wants_to_know_is_not_told(watch: HeartbeatWatch) -> None:
    told: list[str] = []
    forget = watch.on_lost(lambda: told.append("told"))
    forget()
    with serving():
        wait_ready(watch)
    wait_until(lambda: not watch.alive, LOSS_TIMEOUT, "the end of its life")
    assert told == []


def test_all_parts_of_a_node_share_one_watch_of_another(ros: Ros) -> None:
    watches = HeartbeatWatches(ros.node)
    assert watches.of("agent") is watches.of("agent")
    assert watches.of("agent").name == "agent"
    assert watches.of("tts") is not watches.of("agent")
