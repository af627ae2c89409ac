"""Tests of a running server with clients that send nothing, too much, or too slowly."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Thread

import httpx
import pytest
from fastapi import FastAPI, Request, WebSocket

from reachy_agent_ros.gateway import connections as module
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.connections import LARGEST_HEAD, BoundedProtocol, Connections
from reachy_agent_ros.gateway.server import Server
from support.waiting import wait_until

HEAD = b"POST /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\n"
STOP = b"POST /api/v1/stop HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def application() -> FastAPI:
    app = FastAPI()

    @app.post("/{path:path}")
    async def act(path: str, request: Request) -> str:
        return f"{path} {len(await request.body())}"

    @app.websocket("/socket")
    async def talk(websocket: WebSocket) -> None:
        await websocket.accept()
        async for text in websocket.iter_text():
            await websocket.send_text(text)

    return app


@pytest.fixture
def places() -> Connections:
    return Connections(most=8, most_of_one=8, reserve=2)


@pytest.fixture
def server(places: Connections) -> Iterator[Server]:
    served = Server(application(), BindConfig(), 0, places)
    thread = Thread(target=lambda: asyncio.run(served.serve_all()))
    thread.start()
    wait_until(lambda: served.started, "the server")
    yield served
    served.should_exit = True
    thread.join()


def connect(server: Server, said: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=20.0)
    connection.sendall(said)
    return connection


def answer(connection: socket.socket) -> bytes:
    """Returns all bytes that the peer sends before it closes the connection."""
    found = b""
    try:
        while piece := connection.recv(1 << 16):
            found += piece
    except ConnectionError:
        pass
    return found


def test_serves_request_that_arrives_in_chunks_of_any_size(server: Server) -> None:
    body = b"x" * 300_000
    request = HEAD + b"Content-Length: 300000\r\nConnection: close\r\n\r\n" + body
    for size in (1 << 20, 70_000, 1000):
        with connect(server) as connection:
            for begin in range(0, len(request), size):
                connection.sendall(request[begin : begin + size])
            assert answer(connection).endswith(b'"api/v1/state 300000"')


def test_serves_several_requests_on_one_connection(server: Server) -> None:
    with httpx.Client(base_url=server.url) as client:
        assert [client.post("/a", content=b"12").json() for _ in range(3)] == ["a 2"] * 3


@pytest.mark.parametrize("endless", [b"GET /" + b"a" * 2 * LARGEST_HEAD, HEAD + b"X: " + b"a" * 2 * LARGEST_HEAD])
def test_rejects_request_with_endless_headers(server: Server, endless: bytes) -> None:
    with connect(server) as connection:
        try:
            connection.sendall(endless)
        except ConnectionError:
            return
        said = answer(connection)
    assert said.startswith(b"HTTP/1.1 431") or not said


@pytest.mark.parametrize(
    "said", [b"", b"POST ", HEAD, HEAD + b"Content-Length: 10\r\n\r\n12", HEAD + b"Content-Length: 0\r\n\r\nGET"]
)
def test_stalled_request_times_out(server: Server, said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEAD_TIME", 0.2)
    monkeypatch.setattr(module, "BODY_TIME", 0.2)
    with connect(server, said) as connection:
        assert b"HTTP/1.1 408" in answer(connection)


def test_idle_connections_are_closed_to_make_room_for_others(server: Server, places: Connections) -> None:
    with ExitStack() as stack:
        for _ in range(30):
            stack.enter_context(connect(server, HEAD))
        with httpx.Client(base_url=server.url) as client:
            assert client.post("/api/v1/state").status_code == 200
        assert len(places) <= 8


def test_idle_connection_is_closed_while_another_thread_counts_connections(
    server: Server, places: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    abort = BoundedProtocol.abort

    def abort_and_count(connection: BoundedProtocol) -> None:
        abort(connection)
        assert not places.crowded

    monkeypatch.setattr(BoundedProtocol, "abort", abort_and_count)
    with ExitStack() as stack:
        oldest, *_ = [stack.enter_context(connect(server, HEAD)) for _ in range(9)]
        assert answer(oldest) == b""
        assert len(places) == 8


def test_serves_only_stop_requests_when_all_connection_slots_are_in_use(server: Server, places: Connections) -> None:
    waiting = HEAD + b"Content-Length: 10\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connect(server, waiting))
        wait_until(lambda: len(places) == 8, "the connections")
        with connect(server, waiting) as other:
            assert answer(other).startswith(b"HTTP/1.1 503")
        with connect(server, STOP) as stop:
            assert answer(stop).startswith(b"HTTP/1.1 200")


def test_limits_number_of_connections_from_one_address(server: Server) -> None:
    server.connections._most_of_one = 3
    waiting = HEAD + b"Content-Length: 10\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(connect(server, waiting))
        wait_until(lambda: len(server.connections) == 3, "the connections")
        with connect(server, waiting) as other:
            assert answer(other).startswith(b"HTTP/1.1 503")


def test_websocket_keeps_its_connection_slot_until_it_closes(
    server: Server, places: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HEAD_TIME", 0.2)
    monkeypatch.setattr(module, "BODY_TIME", 0.2)
    upgrade = (
        b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with connect(server, upgrade) as one:
        assert one.recv(100).startswith(b"HTTP/1.1 101")
        with connect(server, HEAD) as other:
            assert b"HTTP/1.1 408" in answer(other)  # by now, the WebSocket has been silent beyond the timeout
        assert len(places) == 1
    wait_until(lambda: len(places) == 0, "the slot to be free")


@pytest.mark.parametrize(("soft", "hard", "most"), [(64, 64, 16), (256, 1024, 256), (64, 120, 44)])
def test_connection_limit_reserves_half_of_file_descriptors(soft: int, hard: int, most: int) -> None:
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])));"
        "from reachy_agent_ros.gateway.connections import fitting_connections; print(fitting_connections()._most)"
    )
    command = [sys.executable, "-c", f"import sys; {program}", str(soft), str(hard)]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip() == str(most)


def test_reports_that_few_connection_slots_are_left(server: Server, places: Connections) -> None:
    waiting = HEAD + b"Content-Length: 10\r\n\r\n"
    assert not places.crowded
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(connect(server, waiting))
        wait_until(lambda: places.crowded, "the slots to be in use")
