from __future__ import annotations

import asyncio
import contextlib
import resource
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.server import ReservingListener, Server


def test_gateway_reports_port_already_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AgentError, match=f"127.0.0.1:{port}") as refused:
            Server(FastAPI(), BindConfig(), port)
    assert refused.value.code is ErrorCode.SERVER_UNAVAILABLE


def test_server_runs_until_exit_is_requested() -> None:
    async def served() -> int:
        app = FastAPI()

        @app.get("/")
        async def root() -> str:
            return "here"

        server = Server(app, BindConfig(), 0)
        serving = asyncio.ensure_future(server.serve_all())
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}") as client:
            status = (await client.get("/")).status_code
        server.should_exit = True
        await asyncio.wait_for(serving, 10.0)
        return status

    assert asyncio.run(served()) == 200


def test_shutdown_ends_open_stream_without_log_output(capsys: pytest.CaptureFixture[str]) -> None:
    async def streamed() -> list[str]:
        app = FastAPI()

        @app.get("/")
        async def stream() -> StreamingResponse:
            return StreamingResponse(endless())

        async def endless() -> AsyncIterator[str]:
            while True:
                yield "line\n"
                await asyncio.sleep(0.01)

        server = Server(app, BindConfig(), 0)
        serving = asyncio.ensure_future(server.serve_all())
        async with httpx.AsyncClient() as client, client.stream("GET", server.url) as response:
            lines = response.aiter_lines()
            first = await anext(lines)
            server.should_exit = True
            with contextlib.suppress(httpx.TransportError):
                async for _ in lines:
                    pass
            await asyncio.wait_for(serving, 10.0)
        return [first]

    assert asyncio.run(streamed()) == ["line"]
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_server_with_certificate_rejects_connection_without_tls(tmp_path: Path) -> None:
    certificate, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*made.split(), *names], check=True, capture_output=True)

    async def statuses() -> list[int]:
        server = Server(FastAPI(), BindConfig(certificate=certificate, key=key), 0)
        assert server.url.startswith("https://")
        serving = asyncio.ensure_future(server.serve_all())
        trust = ssl.create_default_context(cafile=certificate)
        async with httpx.AsyncClient(verify=trust) as client:
            found = [(await client.get(server.url)).status_code]
            with pytest.raises(httpx.TransportError):
                await client.get(server.url.replace("https", "http"))
        server.should_exit = True
        await asyncio.wait_for(serving, 10.0)
        return found

    assert asyncio.run(statuses()) == [404]


def test_rejects_invalid_certificate_file(tmp_path: Path) -> None:
    wrong = tmp_path / "chain.pem"
    wrong.write_text("not a certificate")
    for file in (wrong, tmp_path / "missing.pem"):
        with pytest.raises(AgentError) as refused:
            Server(FastAPI(), BindConfig(certificate=file), 0)
        assert refused.value.code is ErrorCode.INVALID_ARGUMENTS


SERVER = """
import asyncio, os, resource
from fastapi import FastAPI
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.server import Server

application = FastAPI()

@application.post("/{path:path}")
async def act(path: str) -> str:
    return path

async def main() -> None:
    server = Server(application, BindConfig(), 0)
    serving = asyncio.create_task(server.serve_all())
    while not server.started:
        await asyncio.sleep(0.01)
    used = len(os.listdir("/proc/self/fd")) - 1
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 10, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    print(server.port, flush=True)
    await serving

asyncio.run(main())
"""
HALF = b"POST /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
REQUEST = "POST /api/v1/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def answer(port: int, path: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=20.0) as connection:
        connection.sendall(REQUEST.format(path).encode())
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def test_serves_stop_request_when_file_descriptors_run_out() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        port = int(server.stdout.readline())
        half_open = []
        for _ in range(60):
            half_open.append(socket.create_connection(("127.0.0.1", port), timeout=20.0))
            half_open[-1].sendall(HALF)
        assert b"api/v1/stop" in answer(port, "stop")
        assert answer(port, "state").startswith(b"HTTP/1.1 503 ")
        for connection in half_open:
            connection.close()
        server.terminate()
        assert server.stderr.read() == ""


def test_listener_keeps_half_of_file_descriptors_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (8, 8))
    with ExitStack() as stack:
        listener = stack.enter_context(ReservingListener(BindConfig().listen(0)))
        clients = [stack.enter_context(socket.create_connection(listener.getsockname())) for _ in range(6)]
        accepted = [stack.enter_context(listener.accept()[0]) for _ in range(4)]
        with pytest.raises(ConnectionAbortedError):
            listener.accept()
        assert clients[4].recv(1) == b""
        accepted[0].close()
        assert stack.enter_context(listener.accept()[0]).getpeername() == clients[5].getsockname()
