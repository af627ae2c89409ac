"""Requests every API path in the running graph.

docs/reference/api_paths.md lists the answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from fuzz.api_fuzzer import fuzz_paths, fuzz_sockets
from support.nodes.gateway_client import http_client
from support.nodes.started_graph import StartedGraph
from support.recordings import LOOK_LEFT, spoken

pytestmark = pytest.mark.graph

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "api_paths.md"

SESSION = "paths"

HEADING = """# Specified paths

`test/graph/test_api_paths.py` generates this page. Do not edit it.

The test requests every path of the project's API specification from the running graph in simulation, without a language
model, and fails if a response differs from this table. The fields are those of the specification;
[REST paths](rest.md) lists all.

| Path | Request | Status | Fields |
| --- | --- | --- | --- |
"""

TOOL = '''
def double(number: float) -> dict:
    """Doubles a number.

    Args:
        number: Any.

    Returns:
        Its double.
    """
    return {"double": 2 * number}
'''

Answer = tuple[int, dict[str, Any]]


@dataclass(frozen=True)
class Asked:
    """API path of the specification with a test request.

    Attributes:
        path: Method and path, as in the specification.
        what: Description of the request.
        ask: Sends the request. Returns the status and the fields of the response.
        fields: Specified fields with their JSON types.
    """

    path: str
    what: str
    ask: Callable[[httpx.Client], Answer]
    fields: dict[str, tuple[type, ...]]


def posted(path: str, **body: Any) -> Callable[[httpx.Client], Answer]:
    """Returns a function that sends a POST request with a JSON body."""
    return lambda client: _told(client.post(path, json=body))


def got(path: str) -> Callable[[httpx.Client], Answer]:
    """Returns a function that sends a GET request."""
    return lambda client: _told(client.get(path))


def _told(answer: httpx.Response) -> Answer:
    if answer.headers["content-type"] == "audio/wav":
        return answer.status_code, {"binary audio file": answer.content}
    return answer.status_code, answer.json()


def _first(path: str, field: str) -> Callable[[httpx.Client], Answer]:
    """Returns a function that requests a list from the gateway, and returns the first entry of the list."""

    def ask(client: httpx.Client) -> Answer:
        status, answer = _told(client.get(path))
        return status, answer[field][0]

    return ask


def _transcribe(client: httpx.Client) -> Answer:
    return _told(client.post("voice/stt", content=LOOK_LEFT.read_bytes(), headers={"Content-Type": "audio/wav"}))


def _analyze_upload(client: httpx.Client) -> Answer:
    picture = client.post("vision/capture").json()["image"]
    return _told(client.post("vision/analyze", json={"image": picture, "prompt": "What is there?"}))


def _talk(client: httpx.Client) -> Answer:
    """Sends a spoken sentence to the gateway. Returns the first received message of each kind."""
    found: dict[str, Any] = {}
    with _socket(client, "ws/voice") as socket:
        samples = spoken(LOOK_LEFT).tobytes()
        for start in range(0, len(samples), 6400):
            socket.send(samples[start : start + 6400])
        socket.send(json.dumps({"type": "end"}))
        while not found.keys() >= {"transcription", "response", "audio"}:
            message = json.loads(socket.recv(timeout=60.0))
            found.setdefault(message["type"], message["data"])
    return 101, found


def _judge(client: httpx.Client) -> Answer:
    with _socket(client, "ws/live_feedback") as socket:
        socket.send("good")
        return 101, json.loads(socket.recv(timeout=60.0))


def _after_motion(ask: Callable[[httpx.Client], Answer]) -> Callable[[httpx.Client], Answer]:
    """Returns a function that commands a motion before a request.

    Feedback must refer to an action in the last 30 s.
    """

    def commanded(client: httpx.Client) -> Answer:
        client.post("chat", json={"message": "look right", "session_id": "feedback"}).raise_for_status()
        return ask(client)

    return commanded


def _socket(client: httpx.Client, path: str) -> ClientConnection:
    address = str(client.base_url.join(path)).replace("http", "ws", 1)
    return connect(address, subprotocols=[Subprotocol("reachy.v1")], max_size=None)


TEXT, NUMBER, LIST, OBJECT = (str,), (float, int), (list,), (dict,)
UNTIL_TRAINED = (float, int, type(None))
"""Types of a figure that is null before the first training."""

MOMENTS = [{"time": 0.0, "head": {"yaw": 0.0}}, {"time": 1.0, "head": {"yaw": 0.3}}]

PATHS = (
    Asked(
        "POST chat",
        "a command",
        posted("chat", message="look left", session_id=SESSION),
        {"response": TEXT, "session_id": TEXT, "agent_used": TEXT, "tools_called": LIST, "trace_id": TEXT},
    ),
    Asked(
        "GET session/{session_id}",
        "the conversation of that command",
        got(f"session/{SESSION}"),
        {"session_id": TEXT, "created_at": NUMBER, "message_count": (int,), "active_agent": TEXT},
    ),
    Asked(
        "GET session/{session_id}/history",
        "the same conversation; fields of a message",
        _first(f"session/{SESSION}/history", "messages"),
        {"role": TEXT, "content": TEXT, "timestamp": NUMBER, "agent": TEXT},
    ),
    Asked("WS ws/voice", "a spoken sentence", _talk, {"transcription": TEXT, "response": TEXT, "audio": TEXT}),
    Asked(
        "POST voice/stt",
        "a WAV file",
        _transcribe,
        {"transcription": TEXT, "confidence": NUMBER, "duration": NUMBER},
    ),
    Asked("POST voice/tts", "a sentence", posted("voice/tts", text="Hello."), {"binary audio file": (bytes,)}),
    Asked(
        "POST vision/analyze",
        "an image in base64",
        _analyze_upload,
        {"description": TEXT, "objects": LIST, "scene_type": TEXT},
    ),
    Asked("POST vision/capture", "no body", posted("vision/capture"), {"image": TEXT, "timestamp": NUMBER}),
    Asked(
        "GET tools",
        "no body; fields of a tool",
        _first("tools", "tools"),
        {"name": TEXT, "description": TEXT, "parameters": OBJECT, "source": TEXT},
    ),
    Asked(
        "POST tools/execute",
        "`get_robot_state`",
        posted("tools/execute", tool_name="get_robot_state", parameters={}),
        {"status": TEXT, "result": OBJECT, "execution_time": NUMBER},
    ),
    Asked(
        "POST tools/generate",
        "source code",
        posted("tools/generate", code=TOOL, description="Doubles.", test_cases=[{"args": {"number": 2.0}}]),
        {"tool_name": TEXT, "code": TEXT, "validation_result": OBJECT, "test_results": OBJECT},
    ),
    Asked(
        "POST feedback",
        "words",
        _after_motion(posted("feedback", feedback_text="well done")),
        {"status": TEXT, "reward": NUMBER},
    ),
    Asked("WS ws/live_feedback", "`good`", _after_motion(_judge), {"status": TEXT, "reward": NUMBER}),
    Asked(
        "POST demonstration",
        "two postures",
        posted("demonstration", task_description="look aside", actions=MOMENTS),
        {"demo_id": TEXT, "status": TEXT},
    ),
    Asked(
        "GET training/status",
        "no body",
        got("training/status"),
        {"episode": (int,), "success_rate": UNTIL_TRAINED, "avg_reward": UNTIL_TRAINED, "best_checkpoint": TEXT},
    ),
)


@pytest.fixture(scope="module")
def client(graph: StartedGraph) -> Iterator[httpx.Client]:
    """HTTP client of the running gateway."""
    address = graph.node("gateway")["detail"]
    with http_client(f"{address}/api/v1/", timeout=120.0) as client:
        yield client


@pytest.fixture(scope="module")
def rows() -> list[str]:
    """Rows of the documentation table. Each test of this module appends its row."""
    return []


@pytest.mark.parametrize("asked", PATHS, ids=lambda asked: asked.path)
def test_api_path_returns_specified_fields(client: httpx.Client, rows: list[str], asked: Asked) -> None:
    status, answer = asked.ask(client)
    assert status in (101, 200), answer
    for field, types in asked.fields.items():
        assert isinstance(answer.get(field), types), f"{field} in {answer}"
    fields = ", ".join(f"`{field}`" for field in asked.fields)
    rows.append(f"| `{asked.path}` | {asked.what} | {status} | {fields} |\n")


@pytest.mark.nightly
def test_gateway_survives_fuzzed_requests(client: httpx.Client) -> None:
    address = str(client.base_url).rstrip("/")
    findings = fuzz_paths(address, 3, 1, lambda: client.post("stop/reset"))
    assert findings.requests > 100
    # This graph has no model, so MODEL_UNAVAILABLE is a correct response; `scripts/fuzz api` has a model.
    assert [one for one in findings.wrong if "MODEL_UNAVAILABLE" not in one] == []
    assert findings.hangs == []
    assert list(fuzz_sockets(address, 100, 1)) == []


def test_documentation_of_api_paths_is_up_to_date(rows: list[str], tmp_path: Path) -> None:
    if len(rows) != len(PATHS):
        pytest.skip("some paths were not requested or failed")
    written = tmp_path / DOCUMENT.name
    written.write_text(HEADING + "".join(rows))
    assert DOCUMENT.read_text() == written.read_text(), f"the page is outdated; run: cp {written} {DOCUMENT}"
