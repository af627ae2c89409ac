"""A live view of the graph for Foxglove, on machines without `foxglove_bridge`."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote, urlsplit

from foxglove import Channel, Context, MessageSchema, Schema, Service, ServiceRequest, ServiceSchema, start_server
from foxglove.websocket import Capability, ChannelView, Client, ServerListener
from rosbags.typesys import TypesysError

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import all_types
from reachy_agent_ros.robot.description import urdf_path
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.emergency_stop import stop
from reachy_agent_ros.ros.client.foxglove.frames import TOPIC, Frames
from reachy_agent_ros.ros.client.foxglove.watched import Watched
from reachy_agent_ros.ros.client.topic_view import Topic, TopicView, message_type

HOST = "127.0.0.1"
"""Nowhere else: the protocol knows no tokens."""

_OWN = (TOPIC, "/tf_static")
"""What `Frames` says by itself; others' would say it twice."""


class FoxgloveServer(ServerListener):
    """Serves every topic as it is on the wire, and the robot's frames, for a `with` block.

    Viewers look and may stop the robot; they can publish nothing. Nothing is subscribed that nobody looks at.

    Args:
        client: Joined, and spinning.
        port: To listen at; 0 for any that is free.

    Attributes:
        url: Where it is.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: nothing can listen there.
    """

    def __init__(self, client: GraphClient, port: int) -> None:
        self._client = client
        self._view = TopicView(client)
        self._context = Context()
        frames = Frames(client.node, self._context)
        self._known = {*_OWN}
        self._watched = {frames.channel: Watched(frames.listening)}
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
        except RuntimeError:  # all that the library says
            message = f"Nothing can listen at {HOST}:{port}: name another --port."
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
        """Shows topics that have come since it last looked, but for those of types that are not installed here.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: nobody is there.
        """
        for topic in self._view.topics():
            if topic.publishers and topic.name not in self._known and "/_action/" not in topic.name:
                self._known.add(topic.name)
                with suppress(AgentError, TypesysError):
                    self._show(topic)

    def on_subscribe(self, client: Client, channel: ChannelView) -> None:
        """A viewer looks at a channel."""
        self._in_executor(lambda: self._watched[channel.id].join())

    def on_unsubscribe(self, client: Client, channel: ChannelView) -> None:
        """A viewer looks at a channel no more, or has gone."""
        self._in_executor(lambda: self._watched[channel.id].leave())

    def _show(self, topic: Topic) -> None:
        message_type(topic.type)
        definition, _digest = all_types().generate_msgdef(topic.type, ros_version=2)
        schema = Schema(name=topic.type, encoding="ros2msg", data=definition.encode())
        channel = Channel(topic.name, message_encoding="cdr", schema=schema, context=self._context)
        self._watched[channel.id()] = Watched(lambda: self._view.listening(topic, channel.log))

    def _in_executor(self, function: Callable[[], None]) -> None:
        """Where subscriptions are looked at, so that they are changed nowhere else."""
        if self._client.node.executor is not None:
            self._client.node.executor.create_task(function)


def mesh(uri: str) -> bytes | None:
    """A mesh of the robot that `robot_description` names, None for any other file."""
    path = Path(unquote(urlsplit(uri).path)).resolve()
    ours = path.is_relative_to(urdf_path().parent.resolve()) and path.suffix == ".stl"
    return path.read_bytes() if ours and path.is_file() else None


def _service(client: GraphClient) -> Service:
    """The one thing that viewers may do; they speak JSON."""

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
