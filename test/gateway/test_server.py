import asyncio
import socket

import httpx
import pytest
from fastapi import FastAPI

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.access.exposure import Exposure
from reachy_agent_ros.gateway.server import Server


def test_a_port_that_is_taken_is_told_before_anything_is_served() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(AgentError, match=f"127.0.0.1:{port}") as refused:
            Server(FastAPI(), Exposure(), port)
    assert refused.value.code is ErrorCode.SERVER_UNAVAILABLE


def test_it_serves_until_it_shall_exit() -> None:
    async def served() -> int:
        app = FastAPI()

        @app.get("/")
        async def root() -> str:
            return "here"

        server = Server(app, Exposure(), 0)
        serving = asyncio.ensure_future(server.serve_all())
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}") as client:
            status = (await client.get("/")).status_code
        server.should_exit = True
        await asyncio.wait_for(serving, 10.0)
        return status

    assert asyncio.run(served()) == 200
