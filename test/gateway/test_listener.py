"""The gateway serves the stop when its process has run out of file descriptors."""

from __future__ import annotations

import socket
import subprocess
import sys

SERVER = """
import asyncio, os, resource
from fastapi import FastAPI
from reachy_agent_ros.gateway.access.exposure import Exposure
from reachy_agent_ros.gateway.server import Server

application = FastAPI()

@application.post("/{path:path}")
async def act(path: str) -> str:
    return path

async def main() -> None:
    server = Server(application, Exposure(), 0)
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


def test_serves_stop_and_logs_nothing_without_descriptors() -> None:
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
