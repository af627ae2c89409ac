import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect

from reachy_agent_ros.gateway import problem
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.application import protect
from reachy_agent_ros.gateway.bind_config import BindConfig
from reachy_agent_ros.gateway.event_hub import CAPACITY, Event, EventHub
from reachy_agent_ros.gateway.routes import monitoring
from reachy_agent_ros.gateway.server import Server
from support.waiting import PATIENCE

LONG = "." * 50_000
"""Text of an event. Several hundred events exceed the buffers of a socket."""


class Served:
    """Server of events, with real sockets.

    Attributes:
        hub: Source of the events.
    """

    def __init__(self, folder: Path) -> None:
        self.hub = EventHub()
        app = FastAPI()
        exposure = BindConfig()
        authenticator = exposure.authenticator(TokenFile(folder / "tokens.json"))
        app.state.gateway = SimpleNamespace(authenticator=authenticator, events=self.hub)
        problem.install(app)
        protect(app)
        app.include_router(monitoring.events_router, prefix="/api/v1")
        self._server = Server(app, exposure, 0)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        serving = asyncio.ensure_future(self._server.serve_all())
        yield
        self._server.should_exit = True
        await serving

    def client(self, after: int = 0) -> connect:
        url = f"ws://127.0.0.1:{self._server.port}/api/v1/events?after={after}"
        return connect(url, max_size=None, close_timeout=0.1)


async def heard(client: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(client.recv(), PATIENCE))


@pytest.mark.slow
def test_slow_event_client_does_not_delay_other_clients(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.hub.publish(Event("state", {}), present=True)

    async def watched() -> tuple[list[int], list[str]]:
        async with served.running(), served.client() as slow, served.client() as quick:
            assert [await heard(client) for client in (slow, quick)] == 2 * [{"kind": "state", "data": {}}]
            numbers = []
            for number in range(2 * CAPACITY):
                served.hub.publish(Event("trace", {"span": number, "summary": LONG}))
                numbers.append((await heard(quick))["data"]["span"])
            kinds = [(await heard(slow))["kind"]]
            while kinds[-1] != "dropped":
                kinds.append((await heard(slow))["kind"])
            return numbers, kinds

    numbers, kinds = asyncio.run(watched())
    assert numbers == list(range(2 * CAPACITY))
    assert kinds[0] == "trace"


def test_event_client_selects_streams_and_receives_error_for_invalid_message(tmp_path: Path) -> None:
    served = Served(tmp_path)
    switched = asyncio.Queue[bool]()
    served.hub.add_stream("pose", switched.put_nowait)

    async def watched() -> list[Any]:
        async with served.running(), served.client() as client:
            await client.send("rubbish")
            answers = [await heard(client)]
            await client.send('{"watch": ["pose"]}')
            assert await asyncio.wait_for(switched.get(), PATIENCE)
            served.hub.publish(Event("pose", {"yaw": 0.5}))
            answers.append(await heard(client))
            await client.close()
            assert not await asyncio.wait_for(switched.get(), PATIENCE)
            return answers

    rubbish, pose = asyncio.run(watched())
    assert rubbish["kind"] == "problem"
    assert pose == {"kind": "pose", "data": {"yaw": 0.5}}


def test_reconnected_event_client_receives_missed_events(tmp_path: Path) -> None:
    served = Served(tmp_path)

    async def watched() -> Any:
        async with served.running():
            async with served.client() as client:
                await client.send("rubbish")
                await heard(client)  # now the client is connected
                served.hub.publish(Event("reply", {"text": "seen"}))
                seen = await heard(client)
            served.hub.publish(Event("reply", {"text": "missed"}))
            async with served.client(after=seen["number"]) as client:
                return seen["number"], await heard(client)

    number, missed = asyncio.run(watched())
    assert missed == {"kind": "reply", "data": {"text": "missed"}, "number": number + 1}


def test_binary_message_closes_websocket_of_events(tmp_path: Path) -> None:
    served = Served(tmp_path)

    async def watched() -> int:
        async with served.running(), served.client() as client:
            await client.send(b"rubbish")
            await asyncio.wait_for(client.wait_closed(), PATIENCE)
            return served.hub.watchers

    assert asyncio.run(watched()) == 0
