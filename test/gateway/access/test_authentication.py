"""Tests of authentication and decisions.

The application is real, and the decision service is a test double.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from starlette.types import Message
from starlette.websockets import WebSocketDisconnect

from reachy_agent_ros.agent.permissions.principal import Decides, Principal
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.application import application
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.models.decisions import DecisionRequest, GrantAnswer, GrantRequest
from reachy_agent_ros.gateway.problem import MEDIA_TYPE
from reachy_agent_ros.gateway.roles import Role, Scope
from reachy_agent_ros.gateway.server import Server
from support.nodes.guarded_gateway import ECHO, HERE, GuardedGateway
from support.waiting import wait_until


def close_code(client: TestClient, protocols: list[str]) -> int:
    """Sends a word over a WebSocket. Returns the close code, or 0 if the server responds."""
    with client.websocket_connect(ECHO, subprotocols=protocols) as socket:
        try:
            socket.send_text("hello")
            return 0 if socket.receive_text() == "hello" else -1
        except WebSocketDisconnect as closed:
            return closed.code


def test_caller_has_name_of_its_token(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    client = gateway.client(Role.OBSERVER)
    (token,) = gateway.tokens.tokens()
    assert client.post("/api/v1/act").json()["caller"] == f"token:observer#{token.digest[:8]}"


@pytest.mark.parametrize("header", [None, "Bearer ", "Bearer reachy_wrong", "Basic cm9ib3Q6", "Bearer \xff"])
def test_rejects_missing_or_wrong_token_before_reading_the_body(tmp_path: Path, header: str | None) -> None:
    gateway = GuardedGateway(tmp_path)
    gateway.tokens.make("other", Role.ADMINISTRATOR)
    headers: dict[bytes, bytes] = {b"Authorization": header.encode("latin-1")} if header else {}
    answer = gateway.client().post("/api/v1/act", content=b"{", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert gateway.acts == []


def test_reveals_unknown_api_paths_only_to_authenticated_callers(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    assert gateway.client().get("/api/v1/nothing").status_code == 401
    assert gateway.client(Role.OBSERVER).get("/api/v1/nothing").status_code == 404
    assert gateway.client().get("/console").status_code == 200


def test_rejects_revoked_token_at_once(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    client = gateway.client(Role.OBSERVER)
    assert client.post("/api/v1/act").status_code == 200
    gateway.tokens.revoke("observer")
    assert client.post("/api/v1/act").status_code == 401


def test_revocation_of_token_ends_running_request(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    client = gateway.client(Role.OBSERVER)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(client.post, "/api/v1/wait")
        wait_until(lambda: gateway.waits == ["waiting"], "the request to arrive")
        gateway.tokens.revoke("observer")
        assert waiting.result(10.0).status_code == 401
    assert gateway.waits == ["waiting", "ended"]


def test_request_through_proxy_is_not_local(tmp_path: Path) -> None:
    client = GuardedGateway(tmp_path, local=True).client()
    assert client.post("/api/v1/act").json()["caller"] == "local"
    assert client.post("/api/v1/act", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 401


def test_websocket_accepts_token_as_subprotocol_without_echoing_it(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    secret = gateway.tokens.make("page", Role.OPERATOR)
    with gateway.client().websocket_connect(ECHO, subprotocols=["reachy.v1", f"bearer.{secret}"]) as socket:
        assert socket.accepted_subprotocol == "reachy.v1"


def test_rejected_websocket_closes_with_http_status_code(tmp_path: Path) -> None:
    gateway = GuardedGateway(tmp_path)
    observer, operator = (gateway.tokens.make(role.name, role) for role in (Role.OBSERVER, Role.OPERATOR))
    client = gateway.client()
    assert close_code(client, ["reachy.v1"]) == 4401
    assert close_code(client, ["reachy.v1", "bearer.reachy_wrong"]) == 4401
    assert close_code(client, ["reachy.v1", f"bearer.{observer}"]) == 4403
    assert close_code(client, ["reachy.v1", f"bearer.{operator}"]) == 0


def test_revocation_of_token_closes_open_websocket(tmp_path: Path) -> None:
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


def test_revocation_of_token_ends_open_stream(tmp_path: Path) -> None:
    assert GuardedGateway(tmp_path).client(Role.OBSERVER).get("/api/v1/stream").content == b"one"


def test_revocation_while_route_runs_rejects_request(tmp_path: Path) -> None:
    answer = GuardedGateway(tmp_path).client(Role.OBSERVER).get("/api/v1/last_answer")
    assert (answer.status_code, answer.headers["content-type"]) == (HTTPStatus.UNAUTHORIZED, MEDIA_TYPE)


def test_revocation_during_response_of_known_length_closes_connection(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gateway = GuardedGateway(tmp_path)

    async def download() -> None:
        secret = gateway.tokens.make("observer", Role.OBSERVER)
        server = Server(gateway.app, BindConfig(), 0)
        serving = asyncio.ensure_future(server.serve_all())
        async with httpx.AsyncClient(headers={"Authorization": f"Bearer {secret}"}) as client:
            with pytest.raises(httpx.RemoteProtocolError):
                await client.get(f"{server.url}/api/v1/last_file")
        server.should_exit = True
        await asyncio.wait_for(serving, 10.0)

    asyncio.run(download())
    assert "Traceback" not in capsys.readouterr().err


def test_closes_websocket_that_route_leaves_open(tmp_path: Path) -> None:
    with GuardedGateway(tmp_path, local=True).client().websocket_connect(ECHO) as socket:
        socket.send_text("leave")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
    assert closed.value.code == 1003


QUESTION = f"/api/v1/approvals/{uuid.UUID(int=7)}"

DECISIONS: list[tuple[str, dict[str, Any]]] = [
    (QUESTION, {"approve": True}),
    ("/api/v1/grants", {"tools": ["dance"]}),
    ("/api/v1/plan/review", {"review": 0}),
    ("/api/v1/tools/double/review", {"version": 1, "approve": True}),
]


class Decided:
    """Test double of `Decisions` and `WorkshopService` that records who makes each decision."""

    def __init__(self) -> None:
        self.by: list[Principal | None] = []

    async def decide(self, _approval_id: uuid.UUID, _request: DecisionRequest, decided_by: Principal) -> None:
        self.by.append(decided_by)

    async def grant(self, _request: GrantRequest, given_by: Principal) -> GrantAnswer:
        self.by.append(given_by)
        return GrantAnswer(grant_id=uuid.uuid4())

    async def review(self, *given: Any) -> None:
        """Records a tool review or a change of the review mode of plans.

        The last argument of a tool review is the person who decides.
        """
        self.by.append(given[-1] if isinstance(given[-1], Principal) else None)


class Served:
    """Gateway that records decisions but does not carry them out."""

    def __init__(self, folder: Path, *, local: bool = False) -> None:
        self.tokens = TokenFile(folder / "tokens.json")
        self.decided = Decided()
        ports: dict[str, Any] = {field.name: None for field in fields(Gateway)}
        authenticator = TokenAuthenticator(self.tokens, local=local)
        ports |= {"authenticator": authenticator, "decisions": self.decided, "workshop": self.decided}
        self.app = application(Gateway(**ports))

    def client(self, secret: str = "") -> TestClient:
        client = TestClient(self.app, base_url=HERE, raise_server_exceptions=False)
        if secret:
            client.headers["Authorization"] = f"Bearer {secret}"
        return client


@pytest.mark.parametrize(("path", "body"), DECISIONS)
def test_caller_without_permission_cannot_decide(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    served = Served(tmp_path)
    answer = served.client(served.tokens.make("desk", Role.CALLER)).post(path, json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (HTTPStatus.FORBIDDEN, MEDIA_TYPE)
    assert served.decided.by == []


@pytest.mark.parametrize(("path", "body"), DECISIONS)
def test_token_of_mcp_client_cannot_decide_without_scope(tmp_path: Path, path: str, body: dict[str, Any]) -> None:
    served = Served(tmp_path)
    client = served.client(served.tokens.make("desk", Role.ADMINISTRATOR))
    served.tokens.note_mcp_client(served.tokens.tokens()[0])
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (HTTPStatus.FORBIDDEN, "DECISION_NOT_ALLOWED")
    assert "tokens allow desk approve-as-mcp-client" in answer.json()["detail"]
    assert served.decided.by == []
    served.tokens.allow("desk", Scope.APPROVE_AS_MCP_CLIENT)
    assert client.post(path, json=body).is_success
    assert len(served.decided.by) == 1


@pytest.mark.parametrize(("role", "mcp_client"), [(Role.OPERATOR, False), (Role.ADMINISTRATOR, True)])
def test_operator_and_mcp_client_cannot_change_settings(tmp_path: Path, role: Role, mcp_client: bool) -> None:
    served = Served(tmp_path)
    client = served.client(served.tokens.make("desk", role))
    if mcp_client:
        served.tokens.note_mcp_client(served.tokens.tokens()[0])
    answer = client.post("/api/v1/settings", json={"name": "robot", "value": "daemon"})
    assert answer.status_code == HTTPStatus.FORBIDDEN


@pytest.mark.parametrize(
    ("scopes", "decides"),
    [
        (frozenset(), Decides.FOR_OTHERS),
        (frozenset({Scope.APPROVE_AS_MCP_CLIENT}), Decides.FOR_OTHERS),
        (frozenset({Scope.APPROVE_OWN}), Decides.EVERYTHING),
    ],
)
def test_decision_record_names_token_and_scope(tmp_path: Path, scopes: frozenset[Scope], decides: Decides) -> None:
    served = Served(tmp_path)
    client = served.client(served.tokens.make("phone", Role.OPERATOR, scopes))
    name = f"token:{served.tokens.tokens()[0].identity}"
    answer = client.post(QUESTION, json={"approve": True})
    assert answer.json()["decided_by"] == name
    assert served.decided.by == [Principal(name, True, decides)]


def test_local_caller_can_decide_without_token(tmp_path: Path) -> None:
    served = Served(tmp_path, local=True)
    assert served.client().post(QUESTION, json={"approve": True}).is_success
    assert served.decided.by == [Principal("gateway without a token")]


def test_token_revoked_before_request_body_cannot_decide(tmp_path: Path) -> None:
    served = Served(tmp_path)
    secret = served.tokens.make("phone", Role.OPERATOR)
    status = asyncio.run(_posted(served, secret, before_body=lambda: served.tokens.revoke("phone")))
    assert status == HTTPStatus.UNAUTHORIZED
    assert served.decided.by == []


async def _posted(served: Served, secret: str, before_body: Callable[[], object]) -> int:
    """Sends the headers of a decision, calls a function, and sends the body. Returns the HTTP status."""
    body = b'{"approve": true}'
    headers = {"host": "localhost", "authorization": f"Bearer {secret}", "content-type": "application/json"}
    scope = {
        **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http"},
        **{"path": QUESTION, "raw_path": QUESTION.encode(), "root_path": "", "query_string": b"", "state": {}},
        **{"client": ("127.0.0.1", 5000), "server": ("localhost", 80)},
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    answered: list[Message] = []
    sent = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Message:
        message = next(sent, None)
        if message is None:
            await asyncio.Event().wait()
        before_body()
        assert message is not None
        return message

    async def send(message: Message) -> None:
        answered.append(message)

    await served.app(scope, receive, send)
    return int(answered[0]["status"])
