"""Metrics of the graph and the gateway for Prometheus."""

from __future__ import annotations

import math
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.gateway.event_hub import EventHub
from reachy_agent_ros.gateway.models.health import HealthAnswer
from reachy_agent_ros.gateway.models.traces import TurnSummary

_PREFIX = "reachy_agent"

_TURN_SECONDS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, math.inf)

_REQUEST_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, math.inf)

LOOKED_AT = 500
"""Number of turns that are read for each scrape: more than occur between two scrapes."""


class Metrics:
    """Metrics of the graph and of the gateway, since the gateway started."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            f"{_PREFIX}_http_request_seconds",
            "Requests to the gateway, until their answer began.",
            ("method", "path", "status"),
            buckets=_REQUEST_SECONDS,
            registry=self._registry,
        )
        self._turns = Histogram(
            f"{_PREFIX}_turn_seconds",
            "Turns of conversation that have ended.",
            ("agent", "error"),
            buckets=_TURN_SECONDS,
            registry=self._registry,
        )
        self._calls = self._counter("tool_calls", "Calls of tools in turns.", "tool")
        self._tokens = self._counter("tokens", "Tokens that language models read and wrote.", "direction")
        self._watchers = self._gauge("watchers", "Clients that watch events.")
        self._up = self._gauge("node_up", "Whether a node is ready.", "node")
        self._cpu = self._gauge("node_cpu_cores", "Cores that a node's process uses.", "node")
        self._memory = self._gauge("node_resident_bytes", "Resident memory of a node's process.", "node")
        self._restarts = self._gauge("node_restarts", "How often a node was restarted.", "node")
        self._concerns = self._gauge("concern_good", "Whether a diagnostic of a node is OK.", "node", "concern")
        self._figures = self._gauge(
            "figure", "Values that nodes report in their diagnostics.", "node", "concern", "figure"
        )
        self._counted = time.time()

    def note_request(self, method: str, path: str, status: int, seconds: float) -> None:
        """Counts a request.

        Args:
            method: HTTP method, such as GET.
            path: Template of the path, which is the same for all sessions.
            status: HTTP status of the response.
            seconds: Time until the response began, s.
        """
        self._requests.labels(method, path, str(status)).observe(seconds)

    def text(self, health: HealthAnswer, turns: list[TurnSummary], hub: EventHub) -> bytes:
        """Returns all metrics in the text format of Prometheus.

        Args:
            health: Current health of the graph.
            turns: Latest turns in any order; each is counted once.
            hub: Event hub, whose watchers are counted.
        """
        self._watchers.set(hub.watchers)
        self._set_node_gauges(health)
        self._count(turns)
        return generate_latest(self._registry)

    def _set_node_gauges(self, health: HealthAnswer) -> None:
        for gauge in (self._up, self._cpu, self._memory, self._restarts, self._concerns, self._figures):
            gauge.clear()
        for node in health.nodes:
            self._up.labels(node.name).set(node.state == "ready")
            self._cpu.labels(node.name).set(node.cpu or 0.0)
            self._memory.labels(node.name).set(node.resident_mb * 2**20)
            self._restarts.labels(node.name).set(node.restarts)
        for each in health.diagnostics:
            self._concerns.labels(each.node, each.concern).set(each.level == "ok")
            for name, value in each.values.items():
                if (number := _number(value)) is not None:
                    self._figures.labels(each.node, each.concern, name).set(number)

    def _count(self, turns: list[TurnSummary]) -> None:
        ended = [turn for turn in turns if turn.duration is not None]
        new = [turn for turn in ended if turn.began + (turn.duration or 0.0) > self._counted]
        for turn in new:
            self._turns.labels(turn.agent, str(turn.error_code)).observe(turn.duration or 0.0)
            self._tokens.labels("read").inc(turn.input_tokens)
            self._tokens.labels("written").inc(turn.output_tokens)
            for tool in turn.tools:
                self._calls.labels(tool).inc()
        self._counted = max((turn.began + (turn.duration or 0.0) for turn in new), default=self._counted)

    def _gauge(self, name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"{_PREFIX}_{name}", text, labels, registry=self._registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"{_PREFIX}_{name}", text, labels, registry=self._registry)


class MetricsMiddleware:
    """ASGI middleware that measures every HTTP request.

    Args:
        app: Next ASGI application.
        metrics: Metrics that count the requests.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.monotonic()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                path = getattr(scope.get("route"), "path", "other")
                self._metrics.note_request(scope["method"], path, message["status"], time.monotonic() - began)
            await send(message)

        await self._app(scope, receive, sending)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
