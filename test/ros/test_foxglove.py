"""Foxglove bridge, tested with a WebSocket client of the Foxglove protocol."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest
from geometry_msgs.msg import PoseStamped
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, String
from websockets.sync.client import ClientConnection, connect

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.core import names
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.robot.urdf import robot_description
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.convert import pose_message
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, STANDARD
from support.nodes.node_process import Ros
from support.waiting import PATIENCE, wait_until

pytest.importorskip("foxglove", reason="foxglove-sdk is not installed: requirements/foxglove.txt")

from reachy_agent_ros.ros.client.foxglove import FoxgloveServer, mesh

ROBOT = ElementTree.fromstring(robot_description())


class Viewer:
    """Minimal Foxglove client."""

    def __init__(self, url: str) -> None:
        self._socket: ClientConnection = connect(url, subprotocols=["foxglove.sdk.v1"])  # type: ignore[list-item]
        self._numbers = 0
        self.channels: dict[str, dict[str, Any]] = {}
        self.services: dict[str, dict[str, Any]] = {}
        self.server = self._text()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def until(self, topic: str) -> Viewer:
        """Reads messages until the server has advertised `topic` and its services."""
        while topic not in self.channels or not self.services:
            self._text()
        return self

    def subscribe(self, topic: str) -> None:
        self._numbers += 1
        self._send(op="subscribe", subscriptions=[{"id": self._numbers, "channelId": self.channels[topic]["id"]}])

    def message(self) -> bytes:
        """Returns the next message of any topic."""
        return self._binary(1)[12:]

    def call(self, service: str) -> dict[str, Any]:
        """Calls a service with an empty request."""
        head = struct.pack("<BIII", 2, self.services[service]["id"], 1, 4)
        self._socket.send(head + b"json" + b"{}")
        return dict(json.loads(self._binary(3)[8 + 4 + 4 :]))

    def asset(self, uri: str) -> bytes:
        """Returns the content of an asset, or an empty result if the request is rejected."""
        self._send(op="fetchAsset", uri=uri, requestId=1)
        answer = self._binary(4)
        (length,) = struct.unpack("<I", answer[5:9])
        return answer[9 + length :]

    def _send(self, **fields: Any) -> None:
        self._socket.send(json.dumps(fields))

    def _binary(self, code: int) -> bytes:
        while True:
            received = self._socket.recv(PATIENCE)
            if isinstance(received, str):
                self._take(json.loads(received))
            elif received[0] == code:
                return received[1:]

    def _text(self) -> dict[str, Any]:
        while not isinstance(received := self._socket.recv(PATIENCE), str):
            pass
        return self._take(json.loads(received))

    def _take(self, told: dict[str, Any]) -> dict[str, Any]:
        self.channels |= {one["topic"]: one for one in told.get("channels", ())}
        self.services |= {one["name"]: one for one in told.get("services", ())}
        return told


@pytest.fixture(scope="module")
def server(ros: Ros) -> Iterator[FoxgloveServer]:
    node = ros.node
    latched = node.create_publisher(String, "told_once", LATCHED)
    latched.publish(String(data="it was said before you came"))
    joints = node.create_publisher(JointState, names.JOINT_STATES, STANDARD)
    head = node.create_publisher(PoseStamped, names.HEAD_POSE, STANDARD)
    ended = threading.Event()

    def publish() -> None:
        while not ended.wait(0.02):
            head.publish(PoseStamped(pose=pose_message(head_transform(z=0.01))))
            joints.publish(JointState(name=["yaw_body"], position=[0.5]))

    thread = threading.Thread(target=publish)
    thread.start()
    with GraphClient("foxglove", names.NAMESPACE) as client, FoxgloveServer(client, 0) as server:
        server.look()
        yield server
    ended.set()
    thread.join()
    for publisher in (latched, joints, head):
        node.destroy_publisher(publisher)


def test_foxglove_bridge_forwards_topics_and_latched_messages_to_each_viewer(server: FoxgloveServer) -> None:
    for _ in range(2):
        with Viewer(server.url).until("/reachy_mini/told_once") as viewer:
            channel = viewer.channels["/reachy_mini/told_once"]
            assert (channel["encoding"], channel["schemaName"]) == ("cdr", "std_msgs/msg/String")
            assert "string data" in channel["schema"]
            viewer.subscribe("/reachy_mini/told_once")
            assert deserialize_message(viewer.message(), String).data == "it was said before you came"


def test_foxglove_bridge_publishes_frames_of_all_links(server: FoxgloveServer) -> None:
    with Viewer(server.url).until("/tf") as viewer:
        assert viewer.channels["/tf"]["schemaName"] == "foxglove.FrameTransforms"
        viewer.subscribe("/tf")
        message = viewer.message()
        links = {joint.find("child").get("link") for joint in ROBOT.iter("joint")}  # type: ignore[union-attr]
        assert {link for link in links if link.encode() not in message} == set()


def test_foxglove_bridge_subscribes_only_to_viewed_topics(ros: Ros, server: FoxgloveServer) -> None:
    topic = "/reachy_mini/joint_states"
    wait_until(lambda: ros.node.count_subscribers(topic) == 0, "viewers of before to be gone")
    with Viewer(server.url).until(topic) as viewer:
        viewer.subscribe(topic)
        viewer.message()
        wait_until(lambda: ros.node.count_subscribers(topic) == 1, "the server to listen")
    wait_until(lambda: ros.node.count_subscribers(topic) == 0, "it to listen no more")


def test_foxglove_viewer_cannot_publish(server: FoxgloveServer) -> None:
    with Viewer(server.url) as viewer:
        assert set(viewer.server["capabilities"]) == {"services", "assets"}


def test_foxglove_viewer_can_stop_robot(ros: Ros, server: FoxgloveServer) -> None:
    stopped = threading.Event()
    subscription = ros.node.create_subscription(Bool, names.EMERGENCY_STOP, lambda _stop: stopped.set(), STANDARD)
    with Viewer(server.url).until("/tf") as viewer:
        told = viewer.call("/reachy_mini/emergency_stop")
    assert stopped.is_set()
    assert not told["success"]  # no hardware bridge is running that could confirm the stop
    ros.node.destroy_subscription(subscription)


def test_foxglove_bridge_serves_only_mesh_files_of_robot(server: FoxgloveServer) -> None:
    found = ROBOT.find(".//mesh")
    assert found is not None
    uri = found.get("filename", "")
    with Viewer(server.url).until("/tf") as viewer:
        assert len(viewer.asset(uri)) > 80
        assert viewer.asset("file:///etc/hostname") == b""
    assert mesh(uri.rpartition("/")[0] + "/../../../../../../../../../etc/hostname") is None


@pytest.mark.parametrize("uri", ["http://[::1", "file:///%00"])
def test_malformed_mesh_uri_is_not_found(uri: str) -> None:
    assert mesh(uri) is None


def test_foxglove_bridge_reports_port_already_in_use(server: FoxgloveServer, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["foxglove", "--port", server.url.rpartition(":")[2]]) == 3
    assert "another --port" in capfd.readouterr().err
