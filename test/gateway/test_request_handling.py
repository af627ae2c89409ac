from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request
from starlette.types import Message

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.request_handling import cancel_on_disconnect


class Line:
    """Test double of the connection to a client. The test can close the connection.

    Attributes:
        cut: Set when the caller disconnects.
    """

    def __init__(self) -> None:
        self.cut = asyncio.Event()
        self.request = Request({"type": "http"}, self._receive)

    async def _receive(self) -> Message:
        await self.cut.wait()
        return {"type": "http.disconnect"}


def test_request_returns_result_of_work() -> None:
    async def work() -> str:
        return "done"

    async def asked() -> str:
        return await cancel_on_disconnect(Line().request, work())

    assert asyncio.run(asked()) == "done"


def test_request_raises_error_of_work() -> None:
    async def work() -> None:
        raise AgentError(ErrorCode.TOOL_FAILED, "It failed.")

    async def asked() -> None:
        await cancel_on_disconnect(Line().request, work())

    with pytest.raises(AgentError, match="It failed"):
        asyncio.run(asked())


def test_disconnect_of_client_cancels_work_and_waits_for_its_cleanup() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")

    async def asked() -> None:
        line = Line()
        asyncio.get_running_loop().call_soon(line.cut.set)
        try:
            await cancel_on_disconnect(line.request, work())
        finally:
            ended.append("request")

    with pytest.raises(AgentError) as hung_up:
        asyncio.run(asked())
    assert hung_up.value.code is ErrorCode.CANCELED
    assert ended == ["work", "request"]
