from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from reachy_agent_ros.gateway.callers import Role
from reachy_agent_ros.gateway.problem import MEDIA_TYPE
from support.nodes.guarded_gateway import ECHO, GuardedGateway
from support.waiting import wait_until


def close_code(client: TestClient, protocols: list[str]) -> int:
    """With which a WebSocket is closed that sends one word, or 0 if that is answered."""
    with client.websocket_connect(ECHO, subprotocols=protocols) as socket:
        try:
            socket.send_text("hello")
            return 0 if socket.receive_text() == "hello" else -1
        except WebSocketDisconnect as closed:
            return closed.code


def test_a_bearer_is_known_by_name(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    client = gateway.client(Role.OBSERVER)
    (token,) = gateway.tokens.tokens()
    assert client.post("/api/v1/act").json()["caller"] == f"token:observer#{token.digest[:8]}"


@pytest.mark.parametrize("header", [None, "Bearer ", "Bearer reachy_wrong", "Basic cm9ib3Q6", "Bearer \xff"])
def test_nobody_else_gets_in_and_nothing_of_what_they_sent_is_looked_at(tmp_path: Path, header: str | None) -> None:
    gateway = GuardedGateway(tmp_path)
    gateway.tokens.make("other", Role.ADMINISTRATOR)
    headers: dict[bytes, bytes] = {b"Authorization": header.encode("latin-1")} if header else {}
    answer = gateway.client().post("/api/v1/act", content=b"{", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert gateway.acts == []


def test_a_path_that_does_not_exist_says_so_only_to_who_may_come_in(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    assert gateway.client().get("/api/v1/nothing").status_code == 401
    assert gateway.client(Role.OBSERVER).get("/api/v1/nothing").status_code == 404
    assert gateway.client().get("/console").status_code == 200


def test_a_revoked_token_is_refused_at_once(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    client = gateway.client(Role.OBSERVER)
    assert client.post("/api/v1/act").status_code == 200
    gateway.tokens.revoke("observer")
    assert client.post("/api/v1/act").status_code == 401


def test_request_that_waits_ends_with_its_token(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    client = gateway.client(Role.OBSERVER)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(client.post, "/api/v1/wait")
        wait_until(lambda: gateway.waits == ["waiting"], 10.0, "the request")
        gateway.tokens.revoke("observer")
        assert waiting.result(10.0).status_code == 401
    assert gateway.waits == ["waiting", "ended"]


def test_a_proxy_does_not_make_strangers_local(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    assert client.post("/api/v1/act").json()["caller"] == "local"
    assert client.post("/api/v1/act", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 401


def test_a_socket_takes_its_token_as_a_subprotocol_and_never_tells_it(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    secret = gateway.tokens.make("page", Role.OPERATOR)
    with gateway.client().websocket_connect(ECHO, subprotocols=["reachy.v1", f"bearer.{secret}"]) as socket:
        assert socket.accepted_subprotocol == "reachy.v1"


def test_a_socket_is_closed_with_a_code_that_a_page_can_read(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    observer, operator = (gateway.tokens.make(role.name, role) for role in (Role.OBSERVER, Role.OPERATOR))
    client = gateway.client()
    assert close_code(client, ["reachy.v1"]) == 4401
    assert close_code(client, ["reachy.v1", "bearer.reachy_wrong"]) == 4401
    assert close_code(client, ["reachy.v1", f"bearer.{observer}"]) == 4403
    assert close_code(client, ["reachy.v1", f"bearer.{operator}"]) == 0


def test_an_open_socket_ends_with_its_token(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    secret = gateway.tokens.make("page", Role.OPERATOR)
    with gateway.client().websocket_connect(ECHO, subprotocols=[f"bearer.{secret}"]) as socket:
        socket.send_text("hello")
        assert socket.receive_text() == "hello"
        gateway.tokens.revoke("page")
        socket.send_text("hello")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
    assert closed.value.code == 4401


def test_an_open_stream_ends_with_its_token(tmp_path: Path) -> None:
    assert GuardedGateway(tmp_path).client(Role.OBSERVER).get("/api/v1/stream").content == b"one"


def test_a_socket_that_its_path_leaves_is_closed_and_not_just_hung_up(tmp_path: Path) -> None:
    with GuardedGateway(tmp_path, local=True).client().websocket_connect(ECHO) as socket:
        socket.send_text("leave")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
    assert closed.value.code == 1003
