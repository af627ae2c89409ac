"""Commands that list, echo, measure and record topics of a publishing node."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.msg import PolicyUpdate
from rosbags.highlevel import AnyReader
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR
from support.domains import Purpose, domain
from support.nodes.node_process import Ros


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


def test_topics_command_lists_topics_with_types(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    found = {topic["name"]: topic for topic in lines(capfd, "topics")}
    assert found["/reachy_mini/told_once"]["type"] == "std_msgs/msg/String"
    assert found["/reachy_mini/stream"]["publishers"] == 1


def test_topics_echo_prints_latched_message(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert lines(capfd, "topics", "echo", "told_once", "--count", "1") == [{"data": "it was said before you came"}]


def test_topics_echo_truncates_long_lists_in_text_output(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["topics", "echo", "/reachy_mini/stream", "--count", "1"]) == 0
    assert "... 100 in all]" in capfd.readouterr().out
    (message,) = lines(capfd, "topics", "echo", "stream", "--count", "1")
    assert message["position"] == [0.5] * 100


def test_topics_hz_measures_topic_rate(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    (found,) = lines(capfd, "topics", "hz", "stream", "--window", "1", "--count", "1")
    assert 0 < found["rate_hz"] <= 60
    assert found["bytes_per_s"] > 800 * found["messages"]


def test_topics_command_reports_unknown_topic(published: None, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["topics", "echo", "nothing"]) == 1
    assert "/reachy_mini/nothing" in capfd.readouterr().err


def test_recorded_bag_can_be_played_back(
    published: None, ros: Ros, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bag = tmp_path / "bag"
    (found,) = lines(capfd, "topics", "record", "stream", "told_once", "--out", str(bag), "--for", "1s")
    assert found["messages"] > 2
    with AnyReader([bag]) as reader:
        assert {each.topic for each in reader.connections} == {"/reachy_mini/stream", "/reachy_mini/told_once"}
        assert reader.message_count == found["messages"]
    heard: list[JointState] = []
    subscription = ros.node.create_subscription(JointState, "stream", heard.append, SENSOR)
    (played,) = lines(capfd, "topics", "play", str(bag), "stream", "--rate", "4")
    assert played["messages"] == found["messages"] - 1
    ros.node.destroy_subscription(subscription)


def test_topics_play_refuses_bag_if_running_graph_publishes_all_its_topics(
    published: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bag = tmp_path / "bag"
    lines(capfd, "topics", "record", "stream", "told_once", "--out", str(bag), "--for", "0.5s")
    assert main(["topics", "play", str(bag)]) == 2
    (told,) = capfd.readouterr().err.splitlines()
    assert "The running graph publishes all topics of" in told
    assert main(["topics", "play", str(bag), "other"]) == 2
    (told,) = capfd.readouterr().err.splitlines()
    assert "2 topics (/reachy_mini/stream, /reachy_mini/told_once)" in told


def test_topics_play_publishes_all_topics_without_running_graph(
    published: None, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bag = tmp_path / "bag"
    (found,) = lines(capfd, "topics", "record", "stream", "told_once", "--out", str(bag), "--for", "0.5s")
    monkeypatch.setenv("ROS_DOMAIN_ID", domain(Purpose.NOBODY))
    (played,) = lines(capfd, "topics", "play", str(bag), "--rate", "100")
    assert played["messages"] == found["messages"]


def test_topics_record_rejects_existing_folder(
    published: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["topics", "record", "stream", "--out", str(tmp_path)]) == 2
    assert "already exists" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_bag_contains_message_definitions(
    published: None, ros: Ros, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    publisher = ros.node.create_publisher(PolicyUpdate, "policy_updates", LATCHED)
    publisher.publish(PolicyUpdate(skill="nod", reason="so that it is seen"))
    bag = tmp_path / "bag"
    lines(capfd, "topics", "record", "policy_updates", "--out", str(bag), "--for", "0.5s")
    ros.node.destroy_publisher(publisher)
    with AnyReader([bag]) as reader:  # uses only the message definitions in the bag
        ((connection, _, data),) = reader.messages()
        assert reader.deserialize(data, connection.msgtype).skill == "nod"
