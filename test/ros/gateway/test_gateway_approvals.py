"""Permission to approve calls over HTTP and MCP, with access tokens and real nodes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from reachy_agent_ros.agent.permissions.audit_check import check, records
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role, Scope
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from support.nodes.gateway_client import gateway_client, http_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

RULES = """
extends: standard
rules:
  - {tools: current_time, tier: confirm}
"""


class Tokens:
    """Gateway that requires access tokens, and its clients.

    Attributes:
        file: File with the tokens.
        audit: Path of the audit log.
    """

    def __init__(self, url: httpx.URL, directory: Path) -> None:
        self.file = TokenFile(directory / "tokens.json")
        self.audit = directory / "audit.jsonl"
        self._url = url
        self._pool = ThreadPoolExecutor()
        self._made = 0

    def client(self, role: Role, *scopes: Scope) -> httpx.Client:
        """Returns an HTTP client with a new token."""
        self._made += 1
        secret = self.file.make(f"t{self._made}", role, frozenset(scopes))
        return http_client(self._url, secret)

    def identity(self) -> str:
        """Returns the identity of the newest token."""
        return f"token:{self.file.tokens()[-1].identity}"

    def call(self, client: httpx.Client, **headers: str) -> Future[httpx.Response]:
        """Calls a tool that requires approval."""
        body = {"tool_name": "current_time"}
        return self._pool.submit(client.post, "/tools/execute", json=body, headers=headers)

    def call_mcp(self, client: httpx.Client) -> Future[Any]:
        """Calls the tool that requires approval, as an MCP client."""

        async def use() -> Any:
            url, headers = str(client.base_url.copy_with(path="/mcp")), dict(client.headers)
            async with (
                create_mcp_http_client({"Authorization": headers["authorization"]}) as http,
                Client(streamable_http_client(url, http_client=http)) as other,
            ):
                return await other.call_tool("current_time", {})

        return self._pool.submit(asyncio.run, use())

    def last_answer(self) -> dict[str, Any]:
        """Returns the latest decision in the audit log."""
        assert check(self.audit).fault is None
        return [record for record in records(self.audit) if record["event"] == "answer"][-1]


@pytest.fixture(scope="module")
def tokens(ros: Ros, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tokens]:
    directory = tmp_path_factory.mktemp("mind")
    (directory / "permissions.yaml").write_text(RULES)
    state = {"directory": str(directory)}
    TokenFile(directory / "tokens.json").make("first", Role.OBSERVER)
    with (
        NodeProcess("hardware_bridge") as bridge,
        NodeProcess("tool_server", state) as tools,
        NodeProcess("agent", {**state, "approval_time": PATIENCE}) as agent,
        gateway_client(ros, {**state, "tokens": "required"}) as client,
    ):
        for node in (bridge, tools, agent):
            node.wait_ready()
        found = Tokens(client.base_url, directory)
        watcher = found.client(Role.OBSERVER)
        wait_until(lambda: watcher.get("/tools").json().get("revision"))
        watch = HeartbeatMonitor(ros.node, names.AGENT)
        wait_until(lambda: watch.ready)
        yield found


def question(client: httpx.Client) -> dict[str, Any]:
    """Waits for a single pending approval, and returns this approval."""
    wait_until(lambda: len(client.get("/approvals").json()["approvals"]) == 1, "a question")
    found: dict[str, Any] = client.get("/approvals").json()["approvals"][0]
    return found


def answer(client: httpx.Client, asked: dict[str, Any], approve: bool = True, **headers: str) -> httpx.Response:
    return client.post(f"/approvals/{asked['approval_id']}", json={"approve": approve}, headers=headers)


def test_token_cannot_approve_its_own_call_and_another_can(tokens: Tokens) -> None:
    asker = tokens.client(Role.OPERATOR)
    asked_by = tokens.identity()
    call = tokens.call(asker)
    asked = question(asker)
    assert asked["asked_by"] == asked_by
    refused = answer(asker, asked)
    assert (refused.status_code, refused.json()["code"]) == (403, "DECISION_NOT_ALLOWED")
    assert "Somebody else can" in refused.json()["detail"]
    assert tokens.last_answer()["outcome"] == "rejected"
    assert question(asker) == asked
    other = tokens.client(Role.OPERATOR)
    decided_by = tokens.identity()
    assert answer(other, asked).json()["decided_by"] == decided_by
    assert call.result(PATIENCE).json()["status"] == "success"
    record = tokens.last_answer()
    assert (record["outcome"], record["decided_by"]) == ("approved", f"service: {decided_by}")
    assert record["asked_by"] == asked_by
    (shown, *_) = asker.get("/approvals").json()["decided"]
    assert (shown["decided_by"], shown["asked_by"]) == (f"service: {decided_by}", asked_by)
    late = answer(other, asked, approve=False)
    assert late.status_code == 409
    assert f"with yes, by service: {decided_by}" in late.json()["detail"]


def test_token_with_permission_can_approve_its_own_call(tokens: Tokens) -> None:
    client = tokens.client(Role.OPERATOR, Scope.APPROVE_OWN)
    call = tokens.call(client)
    assert answer(client, question(client)).is_success
    assert call.result(PATIENCE).json()["status"] == "success"


def test_repeated_approval_with_same_idempotency_key_is_processed_once(tokens: Tokens) -> None:
    asker, other = tokens.client(Role.CALLER), tokens.client(Role.OPERATOR)
    call = tokens.call(asker, **{"Idempotency-Key": "call"})
    asked = question(other)
    first, second = (answer(other, asked, **{"Idempotency-Key": "yes"}) for _ in range(2))
    assert (first.status_code, first.text) == (second.status_code, second.text)
    assert call.result(PATIENCE).json()["status"] == "success"
    answers = [one for one in records(tokens.audit) if one.get("approval") == asked["approval_id"]]
    assert [(one["event"], one["outcome"]) for one in answers] == [("answer", "approved"), ("call", "allowed")]


def test_token_used_by_mcp_client_cannot_approve_without_permission(tokens: Tokens) -> None:
    client, other = tokens.client(Role.OPERATOR), tokens.client(Role.OPERATOR)
    name, asked_by = [(one.name, f"token:{one.identity}") for one in tokens.file.tokens()][-2]
    call = tokens.call_mcp(client)
    asked = question(other)
    assert asked["asked_by"] == asked_by
    assert answer(client, asked).json()["code"] == "DECISION_NOT_ALLOWED"
    assert answer(client, asked, approve=False).json()["code"] == "DECISION_NOT_ALLOWED"
    assert answer(other, asked).is_success
    assert not call.result(PATIENCE).is_error
    second = tokens.call(other)
    asked = question(client)
    assert answer(client, asked).json()["code"] == "DECISION_NOT_ALLOWED"
    tokens.file.allow(name, Scope.APPROVE_AS_MCP_CLIENT)
    assert answer(client, asked).is_success
    assert second.result(PATIENCE).json()["status"] == "success"


def test_chat_cannot_approve_calls_of_same_token(tokens: Tokens) -> None:
    client = tokens.client(Role.OPERATOR)
    call = tokens.call(client)
    asked = question(client)
    said = {"message": "yes", "session_id": asked["session_id"]}
    refused = client.post("/chat", json=said)
    assert (refused.status_code, refused.json()["code"]) == (403, "DECISION_NOT_ALLOWED")
    assert client.post("/chat", json={**said, "message": "no"}).is_success
    assert call.result(PATIENCE).json()["code"] == "APPROVAL_DENIED"


def test_revoked_token_is_rejected(tokens: Tokens) -> None:
    asker, other = tokens.client(Role.OPERATOR), tokens.client(Role.OPERATOR)
    name = tokens.file.tokens()[-1].name
    call = tokens.call(asker)
    asked = question(other)
    tokens.file.revoke(name)
    assert answer(other, asked).status_code == 401
    assert question(asker) == asked
    third = tokens.client(Role.OPERATOR)
    assert answer(third, asked, approve=False).is_success
    assert call.result(PATIENCE).json()["code"] == "APPROVAL_DENIED"
    assert json.dumps(tokens.last_answer()["decided_by"]).find(tokens.identity()) > 0


def test_grant_by_token_does_not_apply_to_its_own_calls(tokens: Tokens) -> None:
    giver = tokens.client(Role.ADMINISTRATOR)
    grant = giver.post("/grants", json={"tools": ["current_time"]}).json()["grant_id"]
    call = tokens.call(giver)
    other = tokens.client(Role.OPERATOR)
    assert tokens.call(other).result(PATIENCE).json()["status"] == "success"
    assert answer(other, question(giver)).is_success
    assert call.result(PATIENCE).json()["status"] == "success"
    assert giver.delete(f"/grants/{grant}").status_code == 204


def test_grant_ends_when_its_token_is_revoked(tokens: Tokens) -> None:
    observer = tokens.client(Role.OBSERVER)
    giver = tokens.client(Role.ADMINISTRATOR)
    name, identity = tokens.file.tokens()[-1].name, tokens.identity()
    grant = giver.post("/grants", json={"tools": ["current_time"]}).json()["grant_id"]
    wait_until(lambda: [given["grant_id"] for given in observer.get("/grants").json()["grants"]] == [grant])
    tokens.file.revoke(name)
    wait_until(lambda: observer.get("/grants").json()["grants"] == [], "the grant to end")
    revoked = [record for record in records(tokens.audit) if record["event"] == "revoke"][-1]
    assert f"{identity} was revoked" in str(revoked)
