"""Graph whose model server accepts no images: the object detector answers questions about the scene."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.nodes.started_graph import StartedGraph

pytestmark = pytest.mark.graph

NODES = "hardware_bridge,camera,vision,tool_server,agent"
SEEN = r"I see an? \w+ (on the left|in the middle|on the right)(, an? \w+ [\w ]+)* and an? \w+ [\w ]+\."
JOKE = "A robot walks into a bar."


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint(kind="llama.cpp", refuses_images=True) as serving:
        yield serving


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory, server: ScriptedEndpoint) -> Iterator[StartedGraph]:
    folder = tmp_path_factory.mktemp("text_model")
    running = StartedGraph(folder, f"nodes:={NODES}", f"model_endpoint:={server.url}")
    yield running
    running.close()


def reply(graph: StartedGraph, question: str) -> str:
    asked = graph.command("ask", "--silent", "--json", question)
    assert asked.returncode == 0, asked.stderr
    return str(json.loads(asked.stdout)["reply"])


def images(server: ScriptedEndpoint) -> int:
    return sum("image_url" in json.dumps(chat) for chat in server.chats)


def test_object_detector_answers_in_one_sentence_if_model_rejects_images(
    graph: StartedGraph, server: ScriptedEndpoint
) -> None:
    assert re.fullmatch(SEEN, reply(graph, "what do you see"))
    assert images(server) == 1  # the server has rejected it


def test_model_answers_rest_of_request_after_object_detector(graph: StartedGraph, server: ScriptedEndpoint) -> None:
    server.answers.append(ScriptedAnswer(JOKE))
    told = reply(graph, "what do you see, and tell me a joke")
    assert re.fullmatch(f"{SEEN} {re.escape(JOKE)}", told.strip())
