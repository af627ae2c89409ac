"""Small web application with all access controls of the real gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated

from fastapi import Depends, FastAPI, Request, WebSocket
from starlette.responses import StreamingResponse
from starlette.testclient import TestClient

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.access.rate_limit import RATE
from reachy_agent_ros.gateway.access.token_file import TokenAuthenticator, TokenFile
from reachy_agent_ros.gateway.application import protect
from reachy_agent_ros.gateway.callers import Caller, requires
from reachy_agent_ros.gateway.request_handling import accept, cancel_on_disconnect
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop

HERE = "http://localhost"
ECHO = "ws://localhost/api/v1/echo"

Observer = Annotated[Caller, Depends(requires(Role.OBSERVER))]


class GuardedGateway:
    """Gateway stub with the real access control, which records requests.

    Args:
        folder: Folder of the tokens.
        local: Whether clients without a token are trusted.

    Attributes:
        app: Application.
        tokens: Accepted tokens.
        acts: Bodies of the accepted requests.
        stops: Texts that stopped the robot.
        waits: Results of requests that never complete.
    """

    def __init__(self, folder: Path, *, local: bool = False, rate: str = RATE, origins: tuple[str, ...] = ()) -> None:
        self.tokens = TokenFile(folder / "tokens.json")
        self.acts: list[bytes] = []
        self.stops: list[str] = []
        self.waits: list[str] = []
        self.app = app = FastAPI()
        app.state.gateway = SimpleNamespace(
            authenticator=TokenAuthenticator(self.tokens, local=local),
            feedback=SimpleNamespace(stop_if_urgent=self._stop_if_urgent),
        )
        problem.install(app)
        protect(app, origins, rate)
        app.post("/api/v1/act")(self._act)
        app.post("/api/v1/stop")(self._act)
        app.post("/api/v1/chat")(self._act)
        app.post("/api/v1/wait")(self._wait)
        app.get("/api/v1/stream")(self._stream)
        app.get("/api/v1/last_answer")(self._last_answer)
        app.get("/api/v1/last_file")(self._last_file)
        app.websocket("/api/v1/echo")(_echo)
        app.get("/console")(_console)

    def client(self, role: Role | None = None, base: str = HERE) -> TestClient:
        """Returns a client with a new token for a role, or without a token."""
        client = TestClient(self.app, base_url=base, raise_server_exceptions=False)
        if role is not None:
            client.headers["Authorization"] = f"Bearer {self.tokens.make(role.name.lower(), role)}"
        return client

    def _stop_if_urgent(self, text: str, _who: str) -> bool:
        if not is_urgent_stop(text):
            return False
        self.stops.append(text)
        return True

    async def _act(self, request: Request, caller: Observer) -> dict[str, str]:
        body = await request.body()
        self.acts.append(body)
        if body == b"fail":
            raise AgentError(ErrorCode.TOOL_FAILED, "It failed.")
        if body == b"busy":
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "Not yet.")
        return {"caller": caller.name, "act": str(len(self.acts))}

    async def _wait(self, request: Request, _caller: Observer) -> None:
        await request.body()
        await cancel_on_disconnect(request, self._waiting())

    async def _waiting(self) -> None:
        self.waits.append("waiting")
        try:
            await asyncio.Event().wait()
        finally:
            self.waits.append("ended")

    async def _stream(self) -> StreamingResponse:
        return StreamingResponse(self._ticks())

    async def _last_answer(self) -> str:
        self.tokens.revoke("observer")
        return "for observers"

    async def _last_file(self) -> StreamingResponse:
        return StreamingResponse(self._ticks(), headers={"Content-Length": "100"})

    async def _ticks(self) -> AsyncIterator[bytes]:
        yield b"one"
        self.tokens.revoke("observer")
        while True:
            yield b"more"


async def _echo(socket: WebSocket, _caller: Annotated[Caller, Depends(requires(Role.OPERATOR))]) -> None:
    await accept(socket)
    async for text in socket.iter_text():
        if text == "leave":
            break
        await socket.send_text(text)


async def _console() -> str:
    return "for everybody"
