"""Gateway with the simulated robot, the tool server and the agent, without a language model."""

from __future__ import annotations

import json
import os
import socket
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from reachy_agent_msgs.msg import Heartbeat
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from reachy_agent_ros.agent.permissions.audit_check import records
from reachy_agent_ros.agent.permissions.permission_service import AUDIT_FILE
from reachy_agent_ros.core import names
from reachy_agent_ros.gateway.streams.chat import ChatEventData
from reachy_agent_ros.ros.gateway.tools import CALLS
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HEARTBEAT_PATIENCE, HeartbeatMonitor, heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.qos import heartbeat_profile
from support.nodes.gateway_client import http_client
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until

RULES = """
extends: standard
rules:
  - {tools: move_head, when: {yaw_deg: {above: 40.0}}, tier: confirm, because: it is a wide turn}
"""
ASKED = "look 45 degrees left"
"""Command that requires a person's approval."""


class GatewayClient:
    """HTTP and WebSocket client of the gateway.

    Attributes:
        agent: Process of the agent.
    """

    def __init__(self, url: str, agent: NodeProcess) -> None:
        self.agent = agent
        self._http = http_client(f"{url}/api/v1")
        self._socket = f"{url.replace('http', 'ws')}/api/v1/events"
        self._pool = ThreadPoolExecutor()

    def get(self, path: str, **query: Any) -> Any:
        answer = self._http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, path: str) -> httpx.Response:
        """Sends a GET request, and returns the response even if its status is an error."""
        return self._http.get(path)

    def metrics(self) -> str:
        answer = self._http.get(self._http.base_url.join("/metrics"))
        assert answer.status_code == 200, answer.text
        return answer.text

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self._http.post(path, json=body)

    def delete(self, path: str) -> httpx.Response:
        return self._http.delete(path)

    def begin(self, message: str, session_id: str = "") -> Future[httpx.Response]:
        return self._pool.submit(self.post, "/chat", message=message, session_id=session_id)

    def stream(self, message: str, tell: Callable[[dict[str, Any]], None]) -> None:
        """Sends a message to the streaming chat.

        Passes each event to `tell`, with the name of the event in the field `event`.
        """
        name = ""
        with self._http.stream("POST", "/chat/stream", json={"message": message}) as answer:
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                name = value if field == "event" else name
                if field == "data":
                    tell({"event": name, **json.loads(value)})

    def hang_up(self, path: str, message: str) -> None:
        """Sends a chat message and disconnects when the robot asks for an approval."""
        body = json.dumps({"message": message}).encode()
        url = self._http.base_url
        head = f"POST {url.path}{path[1:]} HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nContent-Length: {len(body)}\r\n"
        with socket.create_connection((url.host, url.port or 80)) as line:
            line.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
            self.question()

    def question(self) -> dict[str, Any]:
        """Waits for a single pending approval, and returns this approval."""
        wait_until(lambda: len(self.get("/approvals")["approvals"]) == 1, "a question")
        question: dict[str, Any] = self.get("/approvals")["approvals"][0]
        return question

    def events(self) -> ClientConnection:
        return connect(self._socket, subprotocols=[Subprotocol("reachy.v1")])


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mind")


@pytest.fixture(scope="module")
def client(ros: Ros, directory: Path) -> Iterator[GatewayClient]:
    (directory / "permissions.yaml").write_text(RULES)
    where = {"directory": str(directory)}
    watch = HeartbeatMonitor(ros.node, names.GATEWAY)
    with (
        NodeProcess("hardware_bridge") as bridge,
        NodeProcess("tool_server") as tools,
        NodeProcess("agent", {**where, "approval_time": PATIENCE}) as agent,
        NodeProcess("gateway", {**where, "port": 0}) as gateway,
    ):
        for node in (bridge, tools, agent, gateway):
            node.wait_ready()
        wait_until(lambda: watch.ready)
        assert watch.last is not None
        client = GatewayClient(watch.last.detail, agent)
        wait_until(lambda: len(client.get("/health")["nodes"]) == 4, "all to be heard")
        yield client
        assert gateway.stop() == 0


def test_chat_message_moves_robot_and_is_stored_in_history(client: GatewayClient) -> None:
    answer = client.post("/chat", message="look left", session_id="kept").json()
    assert (answer["agent_used"], answer["tools_called"]) == ("reflex", ["move_head"])
    session = client.get("/session/kept")
    assert (session["message_count"], session["active_agent"], session["beginning"]) == (1, "reflex", "look left")
    person, robot = client.get("/session/kept/history")["messages"]
    assert (person["role"], person["content"], person["agent"]) == ("user", "look left", "")
    assert (robot["role"], robot["content"], robot["agent"]) == ("assistant", "I looked to the left.", "reflex")
    assert robot["timestamp"] >= session["created_at"] > 0.0


def test_chat_stream_contains_steps_of_turn(client: GatewayClient) -> None:
    trace_id = client.post("/chat", message="look straight ahead", session_id="traced").json()["trace_id"]
    wait_until(lambda: bool(client.get("/traces", session_id="traced")["turns"][0]["duration"]), "the trace")
    (turn,) = client.get("/traces", session_id="traced")["turns"]
    assert (turn["turn_id"], turn["tools"], turn["agent"]) == (trace_id, ["move_head"], "reflex")
    assert {0, 1, 2, 4} <= {span["kind"] for span in client.get(f"/traces/{trace_id}")["spans"]}


def test_chat_executes_stop_during_turn_and_queues_other_messages(client: GatewayClient) -> None:
    moving = client.begin("look 30 degrees left over ten seconds")
    wait_until(lambda: client.get("/state")["activity"] == "moving", "the motion")
    queued: list[dict[str, Any]] = []
    with ThreadPoolExecutor(1) as pool:
        events = pool.submit(client.stream, "look right", queued.append)
        wait_until(lambda: bool(queued), "the first event")
        assert (queued[0]["event"], queued[0]["text"]) == ("queued", "Queued: 1 turn runs or waits before this one.")
        assert client.post("/chat", message="stop").json()["response"] == "I stopped."
        events.result(PATIENCE)
    assert queued[-1]["code"] == moving.result(PATIENCE).json()["code"] == "CANCELED"
    assert client.get("/state")["activity"] != "moving"


@pytest.mark.slow
def test_time_limit_of_turn_is_reported_by_agent_and_does_not_include_queue(client: GatewayClient) -> None:
    with ThreadPoolExecutor(1) as pool:
        moving = pool.submit(client.post, "/chat", message="look 30 degrees left over ten seconds", time_allowance=6.0)
        wait_until(lambda: client.get("/state")["activity"] == "moving", "the motion")
        queued = client.post("/chat", message="look right", time_allowance=5.0)
        exceeded = moving.result(PATIENCE)
    assert (exceeded.status_code, exceeded.json()["code"]) == (429, "BUDGET_EXCEEDED")
    assert queued.status_code == 200, queued.text


def test_streamed_chat_events_match_documented_models(client: GatewayClient) -> None:
    told: list[dict[str, Any]] = []
    client.stream("look left", told.append)
    kinds = [event.pop("event") for event in told]
    assert {"tool_started", "tool_ended", "answer"} <= set(kinds)
    for kind, data in zip(kinds, told, strict=True):
        described = ChatEventData.model_fields[kind].annotation
        assert described is not None
        assert described.model_validate(data).model_dump(mode="json") == data


def test_gateway_returns_404_for_deleted_conversation(client: GatewayClient) -> None:
    client.post("/chat", message="look left", session_id="short")
    assert "short" in [session["session_id"] for session in client.get("/sessions")["sessions"]]
    assert client.delete("/session/short").json()["session_id"] == "short"
    assert "short" not in [session["session_id"] for session in client.get("/sessions")["sessions"]]
    assert client.delete("/session/short").status_code == 404


def test_gateway_rejects_second_approval_decision(client: GatewayClient) -> None:
    turn = client.begin(ASKED)
    question = client.question()
    assert (question["tool"], json.loads(question["arguments_json"])["yaw_deg"]) == ("move_head", 45.0)
    assert client.post(f"/approvals/{question['approval_id']}", approve=True).json()["approved"]
    assert turn.result(PATIENCE).status_code == 200
    second = client.post(f"/approvals/{question['approval_id']}", approve=False)
    assert (second.status_code, second.headers["content-type"]) == (409, "application/problem+json")
    assert client.post(f"/approvals/{uuid.uuid4()}", approve=True).status_code == 409


@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
def test_client_disconnect_cancels_turn(client: GatewayClient, path: str) -> None:
    client.hang_up(path, ASKED)
    wait_until(lambda: not client.get("/approvals")["approvals"], "the question to be withdrawn")
    assert client.post("/chat", message="look left").status_code == 200


def test_gateway_rejects_call_above_limit_without_blocking_approvals(client: GatewayClient) -> None:
    wide = {"tool_name": "move_head", "parameters": {"yaw_deg": 45.0}}
    with ThreadPoolExecutor(CALLS) as pool:
        calls = [pool.submit(client.post, "/tools/execute", **wide) for _ in range(CALLS)]
        wait_until(lambda: len(client.get("/approvals")["approvals"]) == CALLS, "as many questions")
        refused = client.post("/tools/execute", tool_name="get_robot_state")
        assert (refused.status_code, refused.json()["code"]) == (503, "SERVER_UNAVAILABLE")
        assert client.get("/state")["connected"]
        for question in client.get("/approvals")["approvals"]:
            assert client.post(f"/approvals/{question['approval_id']}", approve=False).status_code == 200
        assert {call.result(PATIENCE).status_code for call in calls} == {403}
    assert client.post("/tools/execute", tool_name="get_robot_state").status_code == 200


def test_gateway_adds_and_revokes_grant(client: GatewayClient) -> None:
    grant = client.post("/grants", tools=["move_*"], uses=3).json()["grant_id"]
    wait_until(lambda: bool(client.get("/grants")["grants"]), "the grant")
    (held,) = client.get("/grants")["grants"]
    assert (held["grant_id"], held["tools"], held["uses"], held["given_by"]) == (
        grant,
        ["move_*"],
        3,
        "service: gateway without a token",
    )
    assert client.delete(f"/grants/{grant}").status_code == 204
    wait_until(lambda: not client.get("/grants")["grants"], "the grant to end")
    assert client.delete(f"/grants/{grant}").status_code == 404


def test_gateway_switches_persona(client: GatewayClient) -> None:
    assert client.post("/persona", name="companion").json() == {"name": "companion"}
    personas = client.get("/personas")["personas"]
    assert [persona["name"] for persona in personas if persona["active"]] == ["companion"]
    assert client.post("/persona", name="reachy").status_code == 200
    assert client.post("/persona", name="nobody").status_code == 404


def test_gateway_changes_plan_review_setting(client: GatewayClient) -> None:
    assert client.post("/plan/review", review=1).status_code == 200
    wait_until(lambda: client.get("/plan")["review"] == 1, "the review")
    assert client.post("/plan/review", review=0).status_code == 200
    assert client.post("/plan/review", review=3).status_code == 422


def test_event_stream_contains_joint_states_only_on_request(client: GatewayClient) -> None:
    with client.events() as events:
        events.send('{"watch": ["pose", "health"]}')
        heard: dict[str, Any] = {}
        while not {"pose", "health", "state", "alive"} <= heard.keys():
            event = json.loads(events.recv(PATIENCE))
            heard[event["kind"]] = event["data"]
        assert {"yaw_body", "stewart_1", "passive_1_x", "left_antenna"} <= heard["pose"]["joints"].keys()
        assert {node["name"]: node["state"] for node in heard["health"]["nodes"]}["agent"] == "ready"
        events.send('{"watch": []}')
        alive = 0
        while alive < 3:  # two events may still have been in transit
            kind = json.loads(events.recv(PATIENCE))["kind"]
            alive += kind == "alive"
            assert alive < 2 or kind not in ("pose", "health")


def test_alive_event_names_degraded_nodes(ros: Ros, client: GatewayClient) -> None:
    beats = ros.node.create_publisher(Heartbeat, heartbeat_topic(names.CAMERA), heartbeat_profile(HEARTBEAT_PATIENCE))
    degraded: list[str] = []
    with client.events() as events:
        while not degraded:
            beats.publish(Heartbeat(node=names.CAMERA, pid=os.getpid(), state=Heartbeat.DEGRADED))
            event = json.loads(events.recv(PATIENCE))
            if event["kind"] == "alive":
                degraded = event["data"]["degraded"]
    ros.node.destroy_publisher(beats)
    assert degraded == ["camera"]


def test_health_includes_timing_of_motion_loop(client: GatewayClient) -> None:
    def told() -> dict[str, dict[str, str]]:
        return {each["concern"]: each["values"] for each in client.get("/health")["diagnostics"]}

    wait_until(lambda: "motion loop" in told(), "the bridge's diagnostics")
    assert float(told()["motion loop"]["p99_ms"]) >= 0.0


def test_gateway_returns_404_for_unknown_memory_entry(client: GatewayClient) -> None:
    assert client.get("/memory", query="anything") == {"entries": []}
    assert client.delete("/memory/12345").status_code == 404


def test_question_without_language_model_returns_problem(client: GatewayClient) -> None:
    answer = client.post("/chat", message="Why is the sky blue?")
    assert (answer.status_code, answer.json()["code"]) == (503, "MODEL_UNAVAILABLE")


def test_gateway_stop_ends_dance_and_turn_until_reset(client: GatewayClient) -> None:
    turn = client.begin("dance")
    wait_until(lambda: client.get("/state")["activity"] == "moving", "the dance")
    stopped = client.post("/stop").json()
    assert (stopped["emergency_stopped"], stopped["activity"]) == (True, "stopped")
    assert turn.result(PATIENCE).json()["code"] in ("CANCELED", "EMERGENCY_STOPPED")
    assert client.post("/chat", message="look left").json()["code"] == "EMERGENCY_STOPPED"
    assert not client.post("/stop/reset").json()["emergency_stopped"]
    assert client.post("/chat", message="look left").status_code == 200


def test_stop_is_recorded_with_caller_and_way(client: GatewayClient, directory: Path) -> None:
    client.post("/stop")
    client.post("/stop/reset")
    client.post("/chat", message="stop")

    def ways() -> set[tuple[str, str]]:
        return {(one["who"], one["reason"]) for one in records(directory / AUDIT_FILE) if one["event"] == "stop"}

    wanted = {("gateway without a token", "HTTP"), ("gateway without a token", "remote words")}
    wait_until(lambda: ways() >= wanted, "the records of both stops")


def test_gateway_stop_withdraws_pending_approvals(client: GatewayClient) -> None:
    turn = client.begin(ASKED)
    client.question()
    assert client.post("/stop").json()["emergency_stopped"]
    assert turn.result(PATIENCE).json()["code"] == "CANCELED"
    wait_until(lambda: not client.get("/approvals")["approvals"], "the question to be withdrawn")
    client.post("/stop/reset")


def test_gateway_stop_works_without_running_agent(client: GatewayClient) -> None:
    client.agent.process.kill()
    client.agent.process.wait()
    assert client.post("/stop").json()["activity"] == "stopped"
    answer = client.post("/chat", message="look left")
    assert answer.status_code == 503
    assert answer.json()["code"] in ("SERVER_UNAVAILABLE", "SERVER_LOST")
    assert client.post("/stop/reset").status_code == 200


def test_stored_data_is_unavailable_without_agent(client: GatewayClient) -> None:
    client.agent.process.kill()
    client.agent.process.wait()
    for path in ("/sessions", "/session/kept", "/session/kept/history", "/memory", "/traces"):
        answer = client.ask(path)
        assert answer.status_code == 503, path
        assert answer.json()["code"] in ("SERVER_UNAVAILABLE", "SERVER_LOST"), path


def test_gateway_serves_metrics_of_other_nodes_without_agent(client: GatewayClient) -> None:
    client.agent.process.kill()
    client.agent.process.wait()
    assert 'reachy_agent_node_up{node="hardware_bridge"} 1.0' in client.metrics()
