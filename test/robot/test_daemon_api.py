"""Tests with responses from other servers, or from another version of the Reachy Mini daemon."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.robot.daemon_api import DaemonApi, daemon_address
from reachy_agent_ros.robot.protocol import MotorMode


@contextmanager
def answering(body: bytes, status: int = 200) -> Iterator[DaemonApi]:
    """Runs a fake daemon that sends the same bytes in response to every request."""

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        with closing(DaemonApi(f"http://127.0.0.1:{server.server_port}")) as api:
            yield api
        server.shutdown()


def refused(ask: Callable[[DaemonApi], object], body: bytes, status: int = 200) -> AgentError:
    with answering(body, status) as api, pytest.raises(AgentError) as caught:
        ask(api)
    return caught.value


@pytest.mark.parametrize("url", ["", "localhost", "http://[::1", "http://localhost:port", "http://localhost:99999"])
def test_rejects_malformed_daemon_url(url: str) -> None:
    with pytest.raises(AgentError, match="expected http://HOST:PORT") as refused:
        daemon_address(url)
    assert refused.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[]", b"null", b'"enabled"', b"[" * 100_000],
    ids=["nothing", "a half", "no text", "a list", "null", "a text", "a depth"],
)
@pytest.mark.parametrize("ask", [DaemonApi.status, DaemonApi.motor_mode], ids=["status", "motor mode"])
def test_invalid_daemon_response_is_reported_as_disconnection(ask: Callable[[DaemonApi], object], body: bytes) -> None:
    assert refused(ask, body).code is ErrorCode.ROBOT_DISCONNECTED


@pytest.mark.parametrize(
    "mode", [b"{}", b'{"mode": null}', b'{"mode": 3}', b'{"mode": ["enabled"]}', b'{"mode": "odd"}']
)
def test_reports_unknown_motor_mode(mode: bytes) -> None:
    error = refused(DaemonApi.motor_mode, mode)
    assert error.code is ErrorCode.ROBOT_DISCONNECTED
    assert "unknown motor mode" in error.message


@pytest.mark.parametrize("mode", MotorMode)
def test_reads_every_motor_mode(mode: MotorMode) -> None:
    with answering(b'{"mode": "%s"}' % mode.name.lower().encode()) as api:
        assert api.motor_mode() is mode


def test_ignored_target_error_contains_reason_of_daemon() -> None:
    error = refused(lambda api: api.set_target(BodyPose()), b'{"status": "busy", "reason": "it dances"}')
    assert (error.code, error.message) == (ErrorCode.MOTION_IGNORED, "The daemon ignored a target: it dances.")


def test_rejected_motor_mode_error_contains_reason_of_daemon() -> None:
    error = refused(lambda api: api.set_motor_mode(MotorMode.ENABLED), b"no such mode", status=422)
    assert error.code is ErrorCode.INVALID_GOAL
    assert "422: no such mode" in error.message
