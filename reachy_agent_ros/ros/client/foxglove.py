"""Foxglove server for the topics of the graph and the robot's frames, for machines without `foxglove_bridge`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import numpy as np
from foxglove import Channel, Context, MessageSchema, Schema, Service, ServiceRequest, ServiceSchema, start_server
from foxglove.channels import FrameTransformsChannel
from foxglove.messages import FrameTransform, FrameTransforms, Quaternion, Timestamp, Vector3
from foxglove.websocket import Capability, ChannelView, Client, ServerListener
from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rosbags.typesys import TypesysError
from sensor_msgs.msg import JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Pace
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import quaternion_from_matrix
from reachy_agent_ros.learning.demonstrations.channels import typestore
from reachy_agent_ros.robot.description import urdf_path
from reachy_agent_ros.robot.urdf import LinkFrame, LinkFrames, robot_description
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.emergency_stop import stop
from reachy_agent_ros.ros.client.topic_view import Topic, TopicView, message_type
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR

HOST = "127.0.0.1"
"""Address of the server: loopback only, because the protocol has no authentication."""

TOPIC = "/tf"

_OWN = (TOPIC, "/tf_static")
"""Topics that are not forwarded, because `_Frames` computes the frames."""

PERIOD = 1.0 / 30.0
"""Period of the robot's frames, s; the bridge publishes at 50 Hz."""


class FoxgloveServer(ServerListener):
    """Foxglove server for all topics (in serialized form) and the robot's frames. Runs during a `with` block.

    Viewers can stop the robot, but cannot publish. Topics are subscribed to only while a viewer displays them.


    Args:
        client: Client that has joined the graph and is spinning.
        port: Port to listen on; 0 for any free one.


    Attributes:
        url: URL of the server.


    Raises:
        AgentError: `SERVER_UNAVAILABLE` if the port cannot be used, `ROBOT_DISCONNECTED` if the `reachy_mini` package
            is incomplete.
    """

    def __init__(self, client: GraphClient, port: int) -> None:
        self._client = client
        self._view = TopicView(client)
        self._context = Context()
        frames = _Frames(client.node, self._context)
        self._known = {*_OWN}
        self._watched = {frames.channel: _Watched(frames.listening)}
        try:
            self._server = start_server(
                name="Reachy Mini",
                host=HOST,
                port=port,
                capabilities=[Capability.Services],
                supported_encodings=["json"],
                services=[_service(client)],
                server_listener=self,
                asset_handler=mesh,
                context=self._context,
            )
        except RuntimeError:  # the library gives no reason
            message = f"Cannot listen on {HOST}:{port}. Choose another --port."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message) from None
        self.url = f"ws://{HOST}:{self._server.port}"

    def __enter__(self) -> FoxgloveServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.stop()
        for watched in self._watched.values():
            self._in_executor(watched.close)

    def look(self) -> None:
        """Adds channels for new topics, except topics whose message type is not installed.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` if no node is running.
        """
        for topic in self._view.topics():
            if topic.publishers and topic.name not in self._known and "/_action/" not in topic.name:
                self._known.add(topic.name)
                with suppress(AgentError, TypesysError):
                    self._show(topic)

    def on_subscribe(self, client: Client, channel: ChannelView) -> None:
        """Subscribes to the topic of a channel for a viewer."""
        self._in_executor(lambda: self._watched[channel.id].join())

    def on_unsubscribe(self, client: Client, channel: ChannelView) -> None:
        """Ends the subscription of a viewer that unsubscribes from a channel or disconnects."""
        self._in_executor(lambda: self._watched[channel.id].leave())

    def _show(self, topic: Topic) -> None:
        message_type(topic.type)
        definition, _digest = typestore().generate_msgdef(topic.type, ros_version=2)
        schema = Schema(name=topic.type, encoding="ros2msg", data=definition.encode())
        channel = Channel(topic.name, message_encoding="cdr", schema=schema, context=self._context)
        self._watched[channel.id()] = _Watched(lambda: self._view.listening(topic, channel.log))

    def _in_executor(self, function: Callable[[], None]) -> None:
        """Calls a function in the executor's thread, because no other thread may change subscriptions."""
        if self._client.node.executor is not None:
            self._client.node.executor.create_task(function)


def mesh(uri: str) -> bytes | None:
    """Returns the content of a mesh file to which `robot_description` refers, or None for any other file."""
    try:
        path = Path(unquote(urlsplit(uri).path)).resolve()
    except ValueError:  # for example an unclosed bracket, or a NUL
        return None
    ours = path.is_relative_to(urdf_path().parent.resolve()) and path.suffix == ".stl"
    return path.read_bytes() if ours and path.is_file() else None


def _service(client: GraphClient) -> Service:
    """Creates the JSON service for the emergency stop. Viewers can call no other services."""

    def answer(_request: ServiceRequest) -> bytes:
        try:
            told = {"success": True, "message": stop(client)}
        except AgentError as error:
            told = {"success": False, "message": error.message}
        return json.dumps(told).encode()

    kind = "std_srvs/srv/Trigger"
    shape = MessageSchema(encoding="json", schema=Schema(name=kind, encoding="jsonschema", data=b'{"type": "object"}'))
    schema = ServiceSchema(kind, request=shape, response=shape)
    return Service(f"{client.node.get_namespace()}/{names.EMERGENCY_STOP}", schema=schema, handler=answer)


class _Watched:
    """Subscription for a channel, shared by all its viewers. Use only in the executor's thread.

    Args:
        listen: Returns a context manager that subscribes for the duration of its `with` block.
    """

    def __init__(self, listen: Callable[[], AbstractContextManager[object]]) -> None:
        self._listen = listen
        self._listening = ExitStack()
        self._viewers = 0

    def join(self) -> None:
        """Adds a viewer. Renews the subscription, because only new subscribers receive latched messages."""
        before, self._listening = self._listening, ExitStack()
        self._listening.enter_context(self._listen())
        before.close()  # not earlier, because the camera stops without a subscriber
        self._viewers += 1

    def leave(self) -> None:
        """Removes a viewer. When the last viewer is removed, ends the subscription."""
        self._viewers -= 1
        if self._viewers == 0:
            self.close()

    def close(self) -> None:
        """Ends the subscription."""
        self._listening.close()


class _Frames:
    """Computes and sends the frames of all robot links from `joint_states` and `head_pose`.

    Args:
        node: Node that subscribes. Its executor runs the callbacks.
        context: Foxglove context of the server that sends the frames.


    Attributes:
        channel: Id of the channel.


    Raises:
        AgentError: `ROBOT_DISCONNECTED` if the `reachy_mini` package is incomplete.
    """

    def __init__(self, node: Node, context: Context) -> None:
        self._node = node
        self._frames = LinkFrames(ElementTree.fromstring(robot_description()))  # noqa: S314 - our own
        self._transforms = FrameTransformsChannel(TOPIC, context=context)
        self._head = np.eye(4)
        self._pace = Pace(PERIOD)
        self.channel = self._transforms.id()

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Computes and sends the coordinate frames of all robot links during a `with` block."""
        subscriptions = (
            self._node.create_subscription(PoseStamped, names.HEAD_POSE, self._place_head, SENSOR),
            self._node.create_subscription(JointState, names.JOINT_STATES, self._send, SENSOR),
        )
        try:
            yield
        finally:
            for subscription in subscriptions:
                self._node.destroy_subscription(subscription)

    def _place_head(self, pose: PoseStamped) -> None:
        self._head = transform_from_pose(pose.pose)

    def _send(self, joints: JointState) -> None:
        if not self._pace.is_due():
            return
        stamp = Timestamp(sec=joints.header.stamp.sec, nsec=joints.header.stamp.nanosec)
        positions = dict(zip(joints.name, joints.position, strict=False))
        placed = self._frames.at(positions, self._head)
        self._transforms.log(FrameTransforms(transforms=[_transform(frame, stamp) for frame in placed]))


def _transform(frame: LinkFrame, stamp: Timestamp) -> FrameTransform:
    x, y, z = frame.transform[:3, 3].tolist()
    qx, qy, qz, qw = quaternion_from_matrix(frame.transform).tolist()
    return FrameTransform(
        timestamp=stamp,
        parent_frame_id=frame.parent,
        child_frame_id=frame.child,
        translation=Vector3(x=x, y=y, z=z),
        rotation=Quaternion(x=qx, y=qy, z=qz, w=qw),
    )
