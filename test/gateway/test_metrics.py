import time

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.metrics import Metrics, MetricsMiddleware
from reachy_agent_ros.gateway.models.health import DiagnosticReport, HealthAnswer, NodeStatus
from reachy_agent_ros.gateway.models.traces import TurnSummary


def health(*nodes: NodeStatus, diagnostics: tuple[DiagnosticReport, ...] = ()) -> HealthAnswer:
    return HealthAnswer(
        stamp=0.0,
        namespace="/reachy_mini",
        domain="0",
        supervisor=1,
        transport="loopback",
        arguments={},
        ready=True,
        cpu=0.5,
        cores=2,
        memory_mb=900.0,
        nodes=list(nodes),
        diagnostics=list(diagnostics),
    )


def turn(began: float, duration: float | None = 0.4) -> TurnSummary:
    return TurnSummary(
        turn_id="id",
        session_id="default",
        began=began,
        heard="look left",
        reply="I did.",
        agent="reflex",
        duration=duration,
        input_tokens=7,
        output_tokens=3,
        tools=["move_head"],
        error_code=0,
        error_msg="",
        lost=0,
    )


def lines(metrics: Metrics, report: HealthAnswer, *turns: TurnSummary) -> dict[str, float]:
    text = metrics.text(report, list(turns), EventHub()).decode()
    return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line[0] != "#"}


def test_metrics_count_each_ended_turn_once() -> None:
    metrics, now = Metrics(), time.time()
    first, second, running = turn(now), turn(now + 1.0), turn(now + 2.0, None)
    assert lines(metrics, health(), first, running)['reachy_agent_tool_calls_total{tool="move_head"}'] == 1
    found = lines(metrics, health(), running, second, first)
    assert found['reachy_agent_tool_calls_total{tool="move_head"}'] == 2
    assert found['reachy_agent_tokens_total{direction="read"}'] == 14
    assert found['reachy_agent_turn_seconds_sum{agent="reflex",error="0"}'] == pytest.approx(0.8)


def test_metrics_do_not_count_turns_before_start_of_gateway() -> None:
    assert not any("tool_calls_total" in name for name in lines(Metrics(), health(), turn(time.time() - 60.0)))


def test_node_metrics_follow_health_report() -> None:
    node = NodeStatus(
        name="camera",
        state="ready",
        detail="",
        pid=7,
        age=1.0,
        cpu=None,
        resident_mb=100.0,
        restarts=2,
        last_end="",
    )
    values = {"rate_hz": "14.5", "device": "/dev/video0"}
    told = DiagnosticReport(node="camera", concern="frames", level="warn", message="", values=values)
    metrics = Metrics()
    found = lines(metrics, health(node, diagnostics=(told,)))
    assert found['reachy_agent_node_up{node="camera"}'] == 1
    assert found['reachy_agent_node_resident_bytes{node="camera"}'] == 100.0 * 2**20
    assert found['reachy_agent_concern_good{concern="frames",node="camera"}'] == 0
    assert found['reachy_agent_figure{concern="frames",figure="rate_hz",node="camera"}'] == 14.5
    assert not any("device" in name for name in found)
    assert not any("camera" in name for name in lines(metrics, health()))


def test_metrics_count_requests_by_path_template() -> None:
    metrics, app = Metrics(), FastAPI()

    @app.get("/session/{session_id}")
    async def session(session_id: str) -> str:
        return session_id

    app.add_middleware(MetricsMiddleware, metrics=metrics)
    client = TestClient(app)
    for path in ("/session/a", "/session/b", "/nowhere"):
        client.get(path)
    found = lines(metrics, health())
    name = "reachy_agent_http_request_seconds_count"
    assert found[f'{name}{{method="GET",path="/session/{{session_id}}",status="200"}}'] == 2
    assert found[f'{name}{{method="GET",path="other",status="404"}}'] == 1
