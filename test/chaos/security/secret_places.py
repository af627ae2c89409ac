"""Searches the places where a graph could leak secrets.

These are messages, HTTP responses, process arguments and node parameters.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import httpx
import psutil
from rcl_interfaces.srv import GetParameters, ListParameters

from chaos.security.secret_search import SecretSearch
from chaos.security.secret_uses import PATIENCE, run
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.client.topic_view import Topic, TopicView
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller

_OF_ACTIONS = "/_action/"
_LONGEST = 2.0  # s to read a response

Messages = list[tuple[str, bytes]]
"""Pairs of a topic name and a serialized message."""


@contextmanager
def overheard(client: GraphClient) -> Iterator[Messages]:
    """Collects all messages on the graph's topics, including /rosout and /diagnostics, during a `with` block.

    Excludes the topics of actions, whose content is also in replies and traces.
    """
    heard: Messages = []
    view = TopicView(client)
    with ExitStack() as stack:
        for topic in view.topics():
            if _OF_ACTIONS not in topic.name:
                stack.enter_context(view.listening(topic, partial(_note, heard, topic)))
        yield heard


def _note(heard: Messages, topic: Topic, message: bytes) -> None:
    heard.append((topic.name, message))


def look_at_answers(search: SecretSearch, url: str, token: str) -> None:
    """Searches the gateway's responses on all paths without parameters.

    The requests use an administrator token.
    """
    with httpx.Client(base_url=url, timeout=PATIENCE, headers={"Authorization": f"Bearer {token}"}) as http:
        description: dict[str, Any] = http.get("/api/v1/openapi.json").raise_for_status().json()
        for path, methods in description["paths"].items():
            if "get" in methods and "{" not in path:
                search.look_at(f"the answer to GET {path}", _beginning(http, path))


def _beginning(http: httpx.Client, path: str) -> bytes:
    """Returns the headers and the beginning of a response.

    Only the beginning is read, because a video stream is endless.
    """
    pieces, limit = [], Deadline(_LONGEST)
    with http.stream("GET", path) as answer:
        for piece in answer.iter_bytes():
            pieces.append(piece)
            if limit.passed:
                break
        return str(answer.headers).encode() + b"".join(pieces)


def look_at_refused_database(search: SecretSearch, password: str) -> None:
    """Searches the error message for a graph argument that contains a password.

    All local users could read such an argument.
    """
    run(search, "up", "namespace:=/other", f"feedback_database:=postgresql://robot:{password}@127.0.0.1/feedback")


def look_at_machine(search: SecretSearch, client: GraphClient) -> None:
    """Searches the arguments of all processes and the parameters of all nodes."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            search.look_at(f"the arguments of process {process.pid}", "\0".join(process.cmdline()))
    assert client.record is not None
    for name in client.record.nodes:
        watch = client.watch(name)
        listed = ServiceCaller(client.node, ListParameters, f"{name}/list_parameters", watch)
        got = ServiceCaller(client.node, GetParameters, f"{name}/get_parameters", watch)
        known = listed.call(ListParameters.Request(), PATIENCE).result.names
        assert known, f"{name} has no parameters"
        values = got.call(GetParameters.Request(names=known), PATIENCE).values
        search.look_at(f"the parameters of {name}", str(values))
