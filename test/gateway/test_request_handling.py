from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request
from starlette.types import Message

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.request_handling import unless_hung_up


class Line:
    """A connection that may be cut.

    Attributes:
        cut: Set when the caller hangs up.
    """

    def __init__(self) -> None:
        self.cut = asyncio.Event()
        self.request = Request({"type": "http"}, self._receive)

    async def _receive(self) -> Message:
        await self.cut.wait()
        return {"type": "http.disconnect"}


def test_work_that_is_waited_for_is_done() -> None:
    async def work() -> str:
        return "done"

    async def asked() -> str:
        return await unless_hung_up(Line().request, work())

    assert asyncio.run(asked()) == "done"


def test_what_goes_wrong_is_told() -> None:
    async def work() -> None:
        raise AgentError(ErrorCode.TOOL_FAILED, "It failed.")

    async def asked() -> None:
        await unless_hung_up(Line().request, work())

    with pytest.raises(AgentError, match="It failed"):
        asyncio.run(asked())


def test_whoever_hangs_up_cancels_the_work_and_it_has_the_last_word_before_the_request_ends() -> None:
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
            await unless_hung_up(line.request, work())
        finally:
            ended.append("request")

    with pytest.raises(AgentError) as hung_up:
        asyncio.run(asked())
    assert hung_up.value.code is ErrorCode.CANCELED
    assert ended == ["work", "request"]
