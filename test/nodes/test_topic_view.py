"""The commands that look at topics, against a node that publishes."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from node_process import Ros
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from reachy_agent_ros.cli import main
from reachy_agent_ros.nodes.qos import LATCHED, SENSOR


@pytest.fixture(scope="module")
def published(ros: Ros) -> Iterator[None]:
    latched = ros.node.create_publisher(String, "told_once", LATCHED)
    latched.publish(String(data="it was said before you came"))
    stream = ros.node.create_publisher(JointState, "stream", SENSOR)
    ended = threading.Event()

    def publish() -> None:
        while not ended.wait(0.02):
            stream.publish(JointState(name=["yaw"], position=[0.5] * 100))

    thread = threading.Thread(target=publish)
    thread.start()
    yield
    ended.set()
    thread.join()


def lines(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[dict]:
    assert main([*arguments, "--json"]) == 0
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_topics_are_listed_with_their_types(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    found = {topic["name"]: topic for topic in lines(capfd, "topics")}
    assert found["/reachy_mini/told_once"]["type"] == "std_msgs/msg/String"
    assert found["/reachy_mini/stream"]["publishers"] == 1


def test_what_was_latched_is_echoed_to_who_comes_late(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert lines(capfd, "echo", "told_once", "--count", "1") == [{"data": "it was said before you came"}]


def test_people_are_spared_long_lists(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["echo", "/reachy_mini/stream", "--count", "1"]) == 0
    assert "... 100 in all]" in capfd.readouterr().out
    (message,) = lines(capfd, "echo", "stream", "--count", "1")
    assert message["position"] == [0.5] * 100


def test_the_rate_is_measured(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    (found,) = lines(capfd, "hz", "stream", "--window", "1", "--count", "1")
    assert 0 < found["rate_hz"] <= 60
    assert found["bytes_per_s"] > 800 * found["messages"]


def test_a_topic_that_is_not_there_is_told(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["echo", "nothing"]) == 1
    assert "/reachy_mini/nothing" in capfd.readouterr().err
