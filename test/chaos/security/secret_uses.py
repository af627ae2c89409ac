"""Actions on a graph that contains secrets.

They are normal use, misplaced tokens, errors that echo secrets, and crashes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from bench.running_graph import COMMAND
from chaos.answering_model import AnsweringModel
from chaos.ledger import Ledger
from chaos.security.secret_search import SecretSearch
from chaos.workload import Workload
from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

PATIENCE = 60.0  # s
_CRASHED = (names.AGENT, names.GATEWAY)
_STATE = "/api/v1/state"


@contextmanager
def recording(folder: Path) -> Iterator[None]:
    """Records all topics to a bag during a `with` block."""
    recorder = subprocess.Popen([*COMMAND, "topics", "record", "--out", str(folder)], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        recorder.send_signal(signal.SIGINT)
        recorder.wait(PATIENCE)


def live(client: GraphClient) -> None:
    """Runs every operation of the workload once.

    The operations are a turn, feedback, a fact, an approval, a tool and a demonstration.
    """
    workload = Workload(client, Ledger())
    given = workload.run_all()
    workload.close()
    assert given, "the graph acknowledged no operation"


def misuse(search: SecretSearch, url: str, token: str) -> int:
    """Sends a token in wrong parts of requests. Returns the number of requests."""
    requests = list(_misplaced(token))
    with httpx.Client(base_url=url, timeout=PATIENCE) as http:
        for request in requests:
            answer = http.request(**request)
            if token not in str(answer.request.url):  # the error for a missing page contains the requested URL
                search.look_at(f"the answer to {request['method']}", str(answer.headers).encode() + answer.content)
    places = [f"{url}/api/v1/events?token={token}", f"{url}/api/v1/events"]
    for place in places:
        _knock(search, place.replace("http", "ws", 1), token)
    return len(requests) + len(places)


def _misplaced(token: str) -> Iterator[dict[str, Any]]:
    bearer = {"Authorization": f"Bearer {token}"}
    yield {"method": "GET", "url": _STATE, "params": {"token": token}}
    yield {"method": "GET", "url": f"/api/v1/session/{token}", "headers": bearer}
    yield {"method": "GET", "url": f"/{token}"}
    for wrong in ({"Authorization": token}, {"Authorization": f"Basic {token}"}, {"X-Token": token, "Cookie": token}):
        yield {"method": "GET", "url": _STATE, "headers": wrong}
    yield {"method": "POST", "url": "/api/v1/tools/execute", "json": {"token": token}, "headers": bearer}
    yield {"method": "POST", "url": "/api/v1/chat", "content": token, "headers": bearer}
    yield {"method": "POST", "url": "/api/v1/stop/reset", "headers": {**bearer, "Idempotency-Key": token}}


def _knock(search: SecretSearch, place: str, token: str) -> None:
    with (
        contextlib.suppress(WebSocketException, OSError, TimeoutError),
        connect(place, additional_headers={"Sec-WebSocket-Protocol": token}, open_timeout=PATIENCE) as socket,
    ):
        search.look_at("a socket's answer", str(socket.recv(timeout=1.0)))


def refused_keys(search: SecretSearch, model: AnsweringModel, key: str) -> int:
    """Makes the model server reject and echo the API keys of the agent and the vision node.

    Returns the number of requests.
    """
    refusal = ScriptedAnswer(f"Incorrect API key provided: {key}.", status=401)
    sentences = ("what do you make of the weather these days?", "what do you see?")
    asked = len(model.chats)
    for sentence in sentences:
        model.answers[:] = [refusal] * 3
        run(search, "ask", sentence)
    model.answers.clear()
    return len(model.chats) - asked


def crash(client: GraphClient) -> None:
    """Crashes two nodes with SIGSEGV, and waits until both are ready again."""
    for name in _CRASHED:
        watch = client.watch(name)
        assert watch.last is not None
        pid = watch.last.pid
        os.kill(pid, signal.SIGSEGV)
        wait_until(partial(_is_back, watch, pid), f"the restart of {name}")


def _is_back(watch: HeartbeatMonitor, pid: int) -> bool:
    return watch.ready and watch.last is not None and watch.last.pid != pid


def run(search: SecretSearch, *words: str) -> None:
    """Runs a command and searches its output for secrets."""
    done = subprocess.run([*COMMAND, *words], capture_output=True, timeout=2 * PATIENCE)
    search.look_at(f"what `{words[0]}` prints", done.stdout + done.stderr)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Waits until a condition holds.

    Raises:
        AssertionError: The condition did not hold within `PATIENCE`.
    """
    patience = Deadline(PATIENCE)
    while not condition():
        assert not patience.passed, f"waited {PATIENCE} s for {what}"
        time.sleep(0.05)
