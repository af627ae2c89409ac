from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from reachy_agent_ros.gateway.access.request_validation import LARGEST_BODY, ONCE, RequestSyntaxCheck
from reachy_agent_ros.gateway.problem import MEDIA_TYPE
from reachy_agent_ros.gateway.roles import Role
from support.nodes.guarded_gateway import ECHO, HERE, GuardedGateway

ELSEWHERE = {"Origin": "http://evil.example"}


@pytest.mark.parametrize(
    "host", ["localhost:8042", "127.0.0.1:8042", "[::1]:8042", "192.168.1.7", socket.gethostname(), "LOCALHOST"]
)
def test_accepts_host_names_and_addresses_of_this_machine(tmp_path: Path, host: str) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    assert client.post("/api/v1/act", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[::", "a b"])
def test_rejects_foreign_host_names(tmp_path: Path, host: str) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    for path in ("/api/v1/act", "/console"):
        assert gateway.client().post(path, headers={"Host": host}).status_code == 403
    assert gateway.acts == []


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:3000", "https://localhost.evil", "http://["]
)
def test_rejects_foreign_origins(tmp_path: Path, origin: str) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    client = gateway.client()
    assert client.post("/api/v1/act", headers={"Origin": origin}).status_code == 403
    assert client.post("/api/v1/stop", headers={"Origin": origin}).status_code == 403
    assert gateway.acts == []


def test_accepts_own_origin(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    own = {"Host": "127.0.0.1:8042", "Origin": "http://127.0.0.1:8042", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/v1/act", headers=own).status_code == 200


def test_foreign_site_may_link_to_console_but_not_load_data(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    picture = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/api/v1/nothing", headers=picture).status_code == 403
    assert client.get("/api/v1/nothing", headers=link).status_code == 403
    assert client.get("/console", headers=link).status_code == 200


def test_rejects_websocket_of_foreign_origin(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    with client.websocket_connect(ECHO, headers=ELSEWHERE) as opened, pytest.raises(WebSocketDisconnect) as closed:
        opened.receive_text()
    assert closed.value.code == 4403


def test_accepts_configured_origins(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True, origins=("https://robot.example",)).client()
    theirs = {"Origin": "https://robot.example"}
    asked = {**theirs, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "idempotency-key"}
    assert client.options("/api/v1/act", headers=asked).headers["access-control-allow-origin"] == theirs["Origin"]
    answer = client.post("/api/v1/act", headers={**theirs, "Host": "robot.example"})
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == theirs["Origin"]
    assert client.options("/api/v1/act", headers={**asked, **ELSEWHERE}).status_code == 403


async def _served(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.fixture
def client() -> TestClient:
    return TestClient(RequestSyntaxCheck(_served), base_url=HERE)


@pytest.mark.parametrize("path", ["/api/v1/tools/move_head", "/talk?text=Guten%20Tag%2C%20M%C3%BCller", "/a%2Fb"])
def test_accepts_valid_request(client: TestClient, path: str) -> None:
    assert client.delete(path).status_code == 204


@pytest.mark.parametrize("path", ["/api/v1/tools/news_reader%00zzz", "/a%0d%0ab", "/a?name=b%00c", "/a?name=%7f"])
def test_rejects_control_character_in_path_or_query(client: TestClient, path: str) -> None:
    answer = client.delete(path)
    assert answer.status_code == 400
    assert answer.json()["detail"] == "Invalid request: control character in the path or query."


@pytest.mark.parametrize("name", ONCE)
def test_rejects_repeated_header(client: TestClient, name: str) -> None:
    answer = client.get("/", headers=[("host", "127.0.0.1"), ("origin", "http://127.0.0.1"), (name, "a"), (name, "b")])
    assert (answer.status_code, answer.json()["detail"]) == (400, f"Invalid request: more than one {name} header.")


def test_rate_limit_is_per_caller_and_sends_retry_after(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, rate="3/hour")
    busy, calm = gateway.client(Role.OBSERVER), gateway.client(Role.OPERATOR)
    answers = [busy.post("/api/v1/act") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].json()["code"] == "RATE_EXCEEDED"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 3600
    assert calm.post("/api/v1/act").status_code == 200


def test_stop_is_exempt_from_rate_limit(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, rate="1/hour").client(Role.OBSERVER)
    assert [client.post("/api/v1/stop").status_code for _ in range(10)] == 10 * [200]
    assert [client.post("/api/v1/act").status_code for _ in range(2)] == [200, 429]
    assert client.post("/api/v1/stop").status_code == 200


def test_stop_in_chat_is_exempt_from_rate_limit(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, rate="1/hour")
    client = gateway.client(Role.OPERATOR)
    assert [client.post("/api/v1/chat", json={"message": "look left"}).status_code for _ in range(2)] == [200, 429]
    for _ in range(2):  # a used idempotency key does not prevent the stop, either
        stopped = client.post("/api/v1/chat", json={"message": "please stop"}, headers={"Idempotency-Key": "one"})
        assert stopped.status_code == 200
    assert len(gateway.acts) == 3
    assert client.post("/api/v1/chat", content="stop").status_code == 429
    assert client.post("/api/v1/chat", json={"message": "look right"}).status_code == 429


def test_urgent_stop_in_chat_latches_emergency_stop_over_rate_limit(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path, rate="1/hour")
    client = gateway.client(Role.OPERATOR)
    cries = [client.post("/api/v1/chat", json={"message": "Let go of my finger!"}) for _ in range(2)]
    assert [answer.status_code for answer in cries] == [200, 429]
    assert gateway.stops == 2 * ["Let go of my finger!"]
    client.post("/api/v1/chat", json={"message": "please stop"})  # handled by the agent, which holds the robot
    client.post("/api/v1/chat", json={"message": "you can stop the session when you are done"})
    assert len(gateway.stops) == 2


def parts(size: int) -> Iterator[bytes]:
    """Yields the chunks of a request body whose length is unknown."""
    for _ in range(size >> 20):
        yield bytes(1 << 20)


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "one"}])
def test_rejects_large_body_with_or_without_content_length(tmp_path: Path, headers: dict[str, str]) -> None:
    gateway = GuardedGateway(tmp_path, local=True)
    client = gateway.client()
    for body in (bytes(LARGEST_BODY + 1), parts(LARGEST_BODY + (1 << 20))):
        answer = client.post("/api/v1/act", content=body, headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (413, MEDIA_TYPE)
    assert gateway.acts == []
    assert client.post("/api/v1/act", content=parts(LARGEST_BODY)).status_code == 200
