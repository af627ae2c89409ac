"""Tools over HTTP, with real nodes and a scripted model server."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from reachy_agent_ros.agent.permissions.audit_check import check
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role, Scope
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.cases import mostly_nightly
from support.nodes.gateway_client import gateway_client, http_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

CODE = '''def double(number: int) -> dict:
    """Doubles a number.

    Args:
        number: What to double.

    Returns:
        The double.
    """
    return {"doubled": 2 * number}
'''

CASES = [{"args": {"number": 2}, "expect": {"doubled": 4}}]

STAGES = ["text", "syntax", "sandbox", "trial"]

WRITTEN = {"source": CODE, "explanation": "It doubles.", "cases": CASES}


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


@pytest.fixture(scope="module")
def client(ros: Ros, directory: Path, server: ScriptedEndpoint) -> Iterator[httpx.Client]:
    state = {"directory": str(directory)}
    model = {"model_endpoint": server.url, "model_name": "scripted"}
    with (
        NodeProcess("hardware_bridge") as bridge,
        NodeProcess("tool_server", {**state, "tool_review": "always"}) as tools,
        NodeProcess("agent", {**state, **model}) as agent,
        gateway_client(ros, state) as client,
    ):
        for node in (bridge, tools, agent):
            node.wait_ready()
        wait_until(lambda: executed(client, "get_robot_state").status_code == 200)
        wait_until(lambda: sent(client, "no tool").status_code != 503, "the end of the sandbox's self-test")
        yield client


def executed(client: httpx.Client, tool: str, **parameters: Any) -> httpx.Response:
    return client.post("/tools/execute", json={"tool_name": tool, "parameters": parameters})


def sent(client: httpx.Client, code: str) -> httpx.Response:
    return client.post("/tools/generate", json={"code": code, "description": "doubles", "test_cases": CASES})


def made(client: httpx.Client, code: str = CODE) -> dict[str, Any]:
    answer = sent(client, code)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


@pytest.fixture
def double(client: httpx.Client) -> Iterator[int]:
    """Registers and approves the tool `double`. Returns its version."""
    version = made(client)["version"]
    approval = {"version": version, "approve": True, "comment": "I read it."}
    assert client.post("/tools/double/review", json=approval).status_code == 204
    wait_until(lambda: "double" in offered(client))
    yield version
    assert client.delete("/tools/double").status_code == 204


def offered(client: httpx.Client) -> dict[str, Any]:
    """Returns the enabled tools by name."""
    return {one["name"]: one for one in client.get("/tools").json()["tools"] if one["enabled"]}


def asked(client: httpx.Client) -> list[dict[str, Any]]:
    """Returns the pending approvals."""
    return list(client.get("/approvals").json()["approvals"])


def has_double_written(server: ScriptedEndpoint) -> None:
    """Clears earlier model requests, and makes the scripted model write the tool `double` at the next request."""
    server.chats.clear()
    server.answers[:] = [
        ScriptedAnswer(calls=(("write_tool", WRITTEN),)),
        ScriptedAnswer("I have written double."),
    ]


def send_code(author: httpx.Client, _server: ScriptedEndpoint) -> None:
    made(author)


def send_description(author: httpx.Client, server: ScriptedEndpoint) -> None:
    has_double_written(server)
    assert author.post("/tools/generate", json={"description": "double a number"}).json()["waiting"]


def chat(author: httpx.Client, server: ScriptedEndpoint) -> None:
    has_double_written(server)
    order = {"message": "Write a tool that doubles a number.", "session_id": "workshop"}
    assert author.post("/chat", json=order).json()["tools_called"][-1] == "write_tool"


def call_as_mcp_client(author: httpx.Client, _server: ScriptedEndpoint) -> None:
    async def call() -> None:
        url = str(author.base_url.copy_with(path="/mcp"))
        async with (
            httpx.AsyncClient(headers=author.headers, timeout=PATIENCE) as http,
            Client(streamable_http_client(url, http_client=http)) as other,
        ):
            assert not (await other.call_tool("write_tool", WRITTEN)).is_error

    asyncio.run(call())


@pytest.mark.parametrize("ask", mostly_nightly([send_code, chat, send_description, call_as_mcp_client]))
def test_token_that_requested_tool_cannot_approve_tool(
    client: httpx.Client,
    server: ScriptedEndpoint,
    directory: Path,
    ask: Callable[[httpx.Client, ScriptedEndpoint], None],
) -> None:
    tokens, name = TokenFile(directory / "tokens.json"), ask.__name__
    secret = tokens.make(name, Role.ADMINISTRATOR, frozenset({Scope.APPROVE_AS_MCP_CLIENT}))
    token = f"token:{tokens.tokens()[-1].identity}"
    with http_client(client.base_url, secret) as author:
        ask(author, server)
        waiting = client.get("/tools/double").json()["versions"][-1]
        assert (waiting["asked_by"], waiting["decided_by"]) == (token, "")
        approval = {"version": waiting["version"], "approve": True, "comment": "I read it."}
        refused = author.post("/tools/double/review", json=approval)
        assert (refused.status_code, refused.json()["code"]) == (403, "DECISION_NOT_ALLOWED")
        assert f"tokens allow {name} approve-own" in refused.json()["detail"]
        assert "double" not in offered(client)
        assert client.post("/tools/double/review", json=approval).status_code == 204
    assert client.get("/tools/double").json()["versions"][-1]["decided_by"] == "service: gateway without a token"
    wait_until(lambda: "double" in offered(client))
    assert client.delete("/tools/double").status_code == 204
    records = [json.loads(line) for line in (directory / "audit.jsonl").read_text().splitlines()]
    reviews = [one for one in records if one["event"] == "review" and one["asked_by"] == token]
    assert [(one["tool"], one["outcome"], one["decided_by"]) for one in reviews] == [
        ("double", "rejected", f"service: {token}"),
        ("double", "approved", "service: gateway without a token"),
    ]
    assert json.loads(reviews[1]["arguments_json"])["version"] == waiting["version"]
    assert check(directory / "audit.jsonl").fault is None


def test_token_with_permission_can_approve_tool_that_it_requested(client: httpx.Client, directory: Path) -> None:
    secret = TokenFile(directory / "tokens.json").make("owner", Role.ADMINISTRATOR, frozenset({Scope.APPROVE_OWN}))
    with http_client(client.base_url, secret) as owner:
        approval = {"version": made(owner)["version"], "approve": True}
        assert owner.post("/tools/double/review", json=approval).status_code == 204
        wait_until(lambda: "double" in offered(client))
        assert owner.delete("/tools/double").status_code == 204


def test_gateway_lists_tools_with_argument_schemas(client: httpx.Client) -> None:
    tools = offered(client)
    assert {"move_head", "get_robot_state", "write_tool"} <= tools.keys()
    move = tools["move_head"]
    assert move["source"] == "predefined"
    assert "yaw_deg" in move["parameters"]["properties"]
    assert move["moves_robot"]


def test_audit_log_names_caller_of_call(client: httpx.Client, directory: Path) -> None:
    answer = executed(client, "get_robot_state").json()
    assert answer["status"] == "success"
    assert answer["result"]["connected"]
    assert answer["execution_time"] > 0.0
    records = [json.loads(line) for line in (directory / "audit.jsonl").read_text().splitlines()]
    last = [one for one in records if one["tool"] == "get_robot_state"][-1]
    assert (last["outcome"], last["who"]) == ("allowed", "gateway: local")


def test_mcp_client_calls_tools_through_gateway(client: httpx.Client, directory: Path) -> None:
    told: list[float] = []

    async def hear(progress: float, _total: float | None, _message: str | None) -> None:
        told.append(progress)

    async def use() -> None:
        async with Client(str(client.base_url.copy_with(path="/mcp"))) as other:
            assert {"move_head", "get_robot_state"} <= {tool.name for tool in (await other.list_tools()).tools}
            result = await other.call_tool("get_robot_state", {})
            assert result.structured_content is not None
            assert result.structured_content["connected"]
            await other.call_tool("move_head", {"yaw_deg": 10}, progress_callback=hear)
            assert told
            assert all(0.0 <= progress <= 1.0 for progress in told)

    asyncio.run(use())
    records = [json.loads(line) for line in (directory / "audit.jsonl").read_text().splitlines()]
    last = [one for one in records if one["tool"] == "move_head"][-1]  # a count of earlier calls may follow it
    assert last["outcome"] == "allowed"
    assert last["who"] == "gateway: local mcp:mcp"


@pytest.mark.parametrize(
    ("tool", "parameters", "status", "code"),
    [
        ("no_such_tool", {}, 404, "UNKNOWN_TOOL"),
        ("move_head", {"yaw_deg": "left"}, 422, "INVALID_ARGUMENTS"),
    ],
)
def test_invalid_tool_call_returns_problem(
    client: httpx.Client, tool: str, parameters: dict[str, Any], status: int, code: str
) -> None:
    answer = executed(client, tool, **parameters)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_tool_error_is_returned_in_response(client: httpx.Client) -> None:
    answer = executed(client, "take_photo")
    assert answer.status_code == 200
    assert answer.json()["status"] == "error"
    assert answer.json()["result"] is None
    assert answer.json()["error"]["detail"]


def test_tool_call_through_gateway_waits_for_approval(client: httpx.Client, double: int) -> None:
    with ThreadPoolExecutor(1) as pool:
        call: Future[httpx.Response] = pool.submit(executed, client, "double", number=4)
        wait_until(lambda: bool(asked(client)))
        pending = asked(client)[0]
        assert pending["tool"] == "double"
        client.post(f"/approvals/{pending['approval_id']}", json={"approve": True}).raise_for_status()
        assert call.result(PATIENCE).json()["result"]["doubled"] == 8


def test_client_disconnect_cancels_tool_call(client: httpx.Client, double: int) -> None:
    hung_up = threading.Event()

    def call() -> None:
        with http_client(client.base_url, timeout=1.0) as impatient, suppress(httpx.ReadTimeout):
            executed(impatient, "double", number=4)
        hung_up.set()

    threading.Thread(target=call, daemon=True).start()
    wait_until(lambda: bool(asked(client)) or hung_up.is_set())
    assert hung_up.wait(PATIENCE)
    wait_until(lambda: not asked(client))


def test_checking_tool_code_does_not_store_tool(client: httpx.Client) -> None:
    wrong = [*CASES, {"args": {"number": 3}, "expect": {"doubled": 7}}]
    answer = client.post("/tools/check", json={"code": CODE, "test_cases": wrong}).json()
    assert not answer["validation_result"]["ok"]
    assert [one["ok"] for one in answer["test_results"]["results"]] == [True, False]
    assert "expected 7, got 6" in answer["test_results"]["results"][1]["error"]
    assert "double" not in offered(client)
    assert client.get("/tools/double").status_code == 404


def test_rejected_tool_code_returns_validation_results(client: httpx.Client) -> None:
    answer = made(client, CODE.replace("2 *", "3 *"))
    assert (answer["version"], answer["registered"]) == (0, False)
    assert [one["stage"] for one in answer["validation_result"]["verdicts"] if not one["ok"]] == ["sandbox"]
    assert answer["test_results"]["failed"] == 1


def test_gateway_reviews_rolls_back_disables_and_deletes_tool(client: httpx.Client) -> None:
    first = made(client)
    assert first["waiting"]
    assert not first["registered"]
    assert client.get("/tools").json()["waiting"] == ["double"]
    second = made(client, CODE.replace("2 * number", "number + number"))
    for version in (first["version"], second["version"]):
        review = {"version": version, "approve": True}
        assert client.post("/tools/double/review", json=review).status_code == 204
    shown = client.get("/tools/double").json()
    assert [one["active"] for one in shown["versions"]] == [False, True]
    assert "number + number" in shown["code"]
    rolled = client.post("/tools/double/rollback", json={"version": first["version"]}).json()
    assert rolled == {"version": first["version"], "previous_version": second["version"]}
    assert client.get("/tools/double").json()["code"] == CODE
    assert client.post("/tools/double/enable", json={"enabled": False}).status_code == 204
    assert "double" not in offered(client)
    assert client.delete("/tools/double").status_code == 204
    assert client.get("/tools/double").status_code == 404


def test_gateway_generates_tool_from_description(client: httpx.Client, server: ScriptedEndpoint) -> None:
    has_double_written(server)
    order = {"description": "double a number", "test_cases": CASES}
    answer = client.post("/tools/generate", json=order)
    assert answer.status_code == 200, answer.text
    assert "double a number" in str(server.chats[0]["messages"])
    assert answer.json()["tool_name"] == "double"
    assert answer.json()["code"] == CODE
    assert answer.json()["waiting"]
    assert [one["stage"] for one in answer.json()["validation_result"]["verdicts"] if one["ok"]] == STAGES
    assert [one["result"] for one in answer.json()["test_results"]["results"]] == [{"doubled": 4}]
    assert client.delete("/tools/double").status_code == 204


def test_generated_tool_that_fails_given_test_cases_is_not_registered(
    client: httpx.Client, server: ScriptedEndpoint
) -> None:
    server.answers[:] = [
        ScriptedAnswer(calls=(("write_tool", WRITTEN),)),
        ScriptedAnswer("It cannot be done."),
    ]
    order = {"description": "treble a number", "test_cases": [{"args": {"number": 2}, "expect": {"doubled": 6}}]}
    answer = client.post("/tools/generate", json=order)
    assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_FAILED")
    assert client.get("/tools/double").status_code == 404


def test_reports_that_model_wrote_no_tool(client: httpx.Client, server: ScriptedEndpoint) -> None:
    server.answers[:] = [ScriptedAnswer("That is beyond me.")]
    answer = client.post("/tools/generate", json={"description": "prove the Riemann hypothesis in verse"})
    assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_FAILED")
    assert "beyond me" in answer.json()["detail"]


def test_rejects_tool_request_without_code_and_description(client: httpx.Client) -> None:
    assert client.post("/tools/generate", json={"description": " "}).status_code == 422
