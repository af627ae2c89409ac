"""Tests of all paths of the real application: the required roles and the OpenAPI description."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, APIWebSocketRoute, iter_route_contexts
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from reachy_agent_ros.gateway.access.authentication import PROTECTED_PREFIXES
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.application import application
from reachy_agent_ros.gateway.callers import RequireRole
from reachy_agent_ros.gateway.graph import Gateway
from reachy_agent_ros.gateway.problem import MEDIA_TYPE
from reachy_agent_ros.gateway.request_handling import StrictRoute
from reachy_agent_ros.gateway.roles import Role
from support.nodes.guarded_gateway import HERE

Paths = list[tuple[str, str, list[Role]]]

CANARY = "canary-5f2d"


class _Unreached:
    """Stub of a service that fails if it is called, because all requests must be rejected before."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was reached")


class _Unheard(_Unreached):
    """Stub of the feedback service.

    Every authenticated caller may call its method that stops the robot.
    """

    def stop_if_urgent(self, _text: str, _who: str) -> bool:
        return False


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> TokenFile:
    return TokenFile(tmp_path_factory.mktemp("tokens") / "tokens.json")


@pytest.fixture(scope="module")
def client(tokens: TokenFile) -> Iterator[TestClient]:
    services: dict[str, Any] = {field.name: _Unreached() for field in fields(Gateway)}
    services["feedback"] = _Unheard()
    gateway = Gateway(**{**services, "authenticator": TokenAuthenticator(tokens, local=False)})
    with TestClient(application(gateway), base_url=HERE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="module")
def paths(client: TestClient) -> Paths:
    """Returns the method, path and required roles of every path that requires a token."""
    return [(method, path, least(dependant)) for method, path, dependant in _routes(client)]


def _routes(client: TestClient) -> Iterator[tuple[str, str, Dependant]]:
    assert isinstance(client.app, FastAPI)
    for route in iter_route_contexts(client.app.routes):
        path = (route.path or "").replace("{path:path}", "talk")
        if not path.startswith(PROTECTED_PREFIXES) or path.endswith("openapi.json"):
            continue
        original = route.original_route
        assert isinstance(original, APIRoute | APIWebSocketRoute), f"{path} requires no role"
        methods = getattr(original, "methods", None) or {"WEBSOCKET"}
        for method in methods:
            yield method, path, route.dependant or original.dependant


def least(dependant: Dependant) -> list[Role]:
    own = [dependant.call.role] if isinstance(dependant.call, RequireRole) else []
    return own + [role for inner in dependant.dependencies for role in least(inner)]


def answered(client: TestClient, method: str, path: str, token: str | None) -> int:
    """Sends a request. Returns the HTTP status, or the close code of a WebSocket."""
    path = path.replace("{", "").replace("}", "")
    if method != "WEBSOCKET":
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return client.request(method, path, headers=headers, content=b"{").status_code
    protocols = ["reachy.v1", *([f"bearer.{token}"] if token else [])]
    with client.websocket_connect(HERE.replace("http", "ws") + path, subprotocols=protocols) as socket:
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_text()
        return closed.value.code


def test_every_api_path_requires_a_role(paths: Paths) -> None:
    assert [f"{method} {path}" for method, path, roles in paths if not roles] == []
    assert len(paths) > 20


def test_observer_may_stop_but_not_act(paths: Paths) -> None:
    needed = {(method, path): max(roles) for method, path, roles in paths}
    assert needed.pop(("POST", "/api/v1/stop")) is Role.OBSERVER
    for method in ("POST", "DELETE"):  # listing tools also uses POST; a tool call checks the role separately
        assert needed.pop((method, "/mcp")) is Role.OBSERVER
    acting = {key: role for key, role in needed.items() if key[0] not in ("GET", "WEBSOCKET")}
    assert [key for key, role in acting.items() if role is Role.OBSERVER] == []


@pytest.mark.slow
def test_every_api_path_rejects_invalid_token(client: TestClient, tokens: TokenFile, paths: Paths) -> None:
    revoked = tokens.make("gone", Role.ADMINISTRATOR)
    tokens.revoke("gone")
    for method, path, _ in paths:
        wanted = 4401 if method == "WEBSOCKET" else 401
        for token in (None, "reachy_wrong", revoked):
            assert answered(client, method, path, token) == wanted, f"{method} {path}"


def test_every_api_path_rejects_lower_role(client: TestClient, tokens: TokenFile, paths: Paths) -> None:
    bearers = {role: tokens.make(role.name, role) for role in Role}
    for method, path, roles in paths:
        for role in range(max(roles)):
            status = answered(client, method, path, bearers[Role(role)])
            # A malformed body may be rejected before the role is checked, which has no effect either.
            assert status in (403, 4403, 422), f"{method} {path}"


@pytest.mark.slow
def test_every_api_path_parses_json_strictly(client: TestClient) -> None:
    assert isinstance(client.app, FastAPI)
    routes = [context.original_route for context in iter_route_contexts(client.app.routes)]
    lax = [one for one in routes if isinstance(one, APIRoute) and not isinstance(one, StrictRoute)]
    assert [one.path for one in lax if one.path.startswith("/api/")] == []
    assert any(isinstance(one, StrictRoute) for one in routes)


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b'{"tool_name": "nod", "tool_name": "dance"}', "the name 'tool_name' occurs twice"),
        (b'{"tool_name": "rotate", "parameters": {"yaw_deg": 0, "yaw_deg": 90}}', "the name 'yaw_deg' occurs twice"),
        (b'{"tool_name": "get_robot_state\\u0000"}', "contains a control character"),
        (b"{", "Expecting property name"),
    ],
)
def test_ambiguous_json_is_rejected_before_any_service_call(
    client: TestClient, tokens: TokenFile, body: bytes, complaint: str
) -> None:
    headers = {"Authorization": f"Bearer {tokens.make('caller', Role.OPERATOR)}", "Content-Type": "application/json"}
    answer = client.post("/api/v1/tools/execute", headers=headers, content=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "INVALID_ARGUMENTS")
    assert complaint in answer.json()["detail"]
    tokens.revoke("caller")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/tools%00", 400, "INVALID_ARGUMENTS"),
        ("GET", "/api/v1/nothing", 404, "NOT_FOUND"),
        ("DELETE", "/api/v1/tools", 405, ""),
        ("DELETE", "/api/v1/policies/wave", 403, ""),
        ("POST", "/api/v1/tools/execute", 422, "INVALID_ARGUMENTS"),
    ],
)
def test_problem_document_has_error_code_that_fits_its_status(
    client: TestClient, tokens: TokenFile, method: str, path: str, status: int, code: str
) -> None:
    headers = {"Authorization": f"Bearer {tokens.make('caller', Role.CALLER)}"}
    answer = client.request(method, path, headers=headers)
    tokens.revoke("caller")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_openapi_describes_every_response(client: TestClient, tokens: TokenFile) -> None:
    headers = {"Authorization": f"Bearer {tokens.make('reader', Role.OBSERVER)}"}
    schema = client.get("/api/v1/openapi.json", headers=headers).json()
    assert "Problem" in schema["components"]["schemas"]
    assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation.get("description"), where
            for status in ("4XX", "5XX"):
                assert list(operation["responses"][status]["content"]) == [MEDIA_TYPE], where
            assert "422" not in operation["responses"], where
            keys = [one for one in operation.get("parameters", []) if one["name"] == "Idempotency-Key"]
            assert len(keys) == (method == "post" and path != "/api/v1/stop"), where


def test_log_of_gateway_contains_no_secret(
    client: TestClient, paths: Paths, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG, "reachy_agent_ros")
    headers = {"Authorization": f"Bearer {CANARY}", "Idempotency-Key": CANARY, "Cookie": CANARY}
    for method, path, _ in paths:
        if method != "WEBSOCKET":
            client.request(method, f"{path}?token={CANARY}", headers=headers, content=CANARY)
    said = capfd.readouterr()
    assert CANARY not in caplog.text + said.out + said.err
