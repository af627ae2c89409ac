from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from reachy_agent_ros.agent.conversation.deeds import Deeds
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

NOD, SHAKE = Action("gesture", {"gesture": "nod"}), Action("gesture", {"gesture": "shake"})
DONE = ToolOutcome("{}")


class Body:
    """Does one action at a time, until it is let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.busy = asyncio.Event()
        self.free = asyncio.Event()

    def start(self, name: str) -> Callable[[], Coroutine[Any, Any, ToolOutcome]]:
        async def act() -> ToolOutcome:
            self.begun.append(name)
            self.busy.set()
            try:
                await self.free.wait()
            except asyncio.CancelledError:
                self.ended.append(name)
                raise
            return DONE

        return act


def test_an_action_is_begun_once_for_all_who_wait() -> None:
    async def scene() -> None:
        body, deeds = Body(), Deeds()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        late = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod again")))
        await asyncio.sleep(0)
        body.free.set()
        assert await early == await late == DONE
        assert body.begun == ["nod"]

    asyncio.run(scene())


def test_who_stops_waiting_leaves_the_action_to_the_others() -> None:
    async def scene() -> None:
        body, deeds = Body(), Deeds()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        late = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod again")))
        await asyncio.sleep(0)
        early.cancel()
        await asyncio.sleep(0)
        body.free.set()
        assert await late == DONE
        assert body.ended == []

    asyncio.run(scene())


def test_another_action_in_its_place_cancels_it_and_begins() -> None:
    async def scene() -> None:
        body, deeds = Body(), Deeds()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        await body.busy.wait()
        late = asyncio.create_task(deeds.outcome(0, SHAKE, body.start("shake")))
        with pytest.raises(asyncio.CancelledError):
            await early
        body.free.set()
        assert await late == DONE
        assert (body.begun, body.ended) == (["nod", "shake"], ["nod"])

    asyncio.run(scene())


def test_an_action_that_was_cancelled_is_begun_anew() -> None:
    async def scene() -> None:
        body, deeds = Body(), Deeds()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        await body.busy.wait()
        await deeds.end()
        with pytest.raises(asyncio.CancelledError):
            await early
        body.free.set()
        assert await deeds.outcome(0, NOD, body.start("nod again")) == DONE
        assert body.begun == ["nod", "nod again"]

    asyncio.run(scene())


def test_what_was_handed_over_ends_only_with_the_successor() -> None:
    async def scene() -> None:
        body, deeds = Body(), Deeds()
        early = asyncio.create_task(deeds.outcome(0, NOD, body.start("nod")))
        await body.busy.wait()
        successor = deeds.hand_over()
        await deeds.end()
        assert body.ended == []
        await successor.end()
        assert body.ended == ["nod"]
        with pytest.raises(asyncio.CancelledError):
            await early

    asyncio.run(scene())
