import asyncio

import pytest

from reachy_agent_ros.agent.conversation.conversation import MAX_WAITING, TurnQueue
from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Line:
    """Turn queue whose turns run until they are released.

    Records every reported number of waiting turns.
    """

    def __init__(self) -> None:
        self.told: list[int] = []
        self.ran: list[str] = []
        self.queue = TurnQueue(self.told.append)
        self.free = asyncio.Event()
        self.parting = asyncio.Event()
        self.parting.set()

    def turn(self, name: str, wait: bool = True) -> asyncio.Task[None]:
        return asyncio.create_task(self._take(name, wait))

    async def _take(self, name: str, wait: bool) -> None:
        async with self.queue.admitted(wait):
            self.ran.append(name)
            try:
                await self.free.wait()
            finally:
                await self.parting.wait()


async def settled() -> None:
    """Lets every task run until it blocks."""
    for _ in range(5):
        await asyncio.sleep(0)


async def is_refused(turn: asyncio.Task[None]) -> bool:
    with pytest.raises(AgentError) as error:
        await turn
    return error.value.code is ErrorCode.TURN_IN_PROGRESS


def test_queue_runs_turns_in_order_and_reports_waiting_turns() -> None:
    async def live() -> None:
        line = Line()
        turns = [line.turn(name) for name in "abc"]
        await settled()
        assert (line.ran, line.told, line.queue.busy) == (["a"], [0, 1, 2], True)
        line.free.set()
        await asyncio.gather(*turns)
        assert (line.ran, line.told[-1], line.queue.busy) == (["a", "b", "c"], 0, False)

    asyncio.run(live())


def test_rejects_turn_if_queue_is_full_or_waiting_is_disabled() -> None:
    async def live() -> None:
        line = Line()
        turns = [line.turn(str(number)) for number in range(1 + MAX_WAITING)]
        await settled()
        assert await is_refused(line.turn("impatient", wait=False))
        assert await is_refused(line.turn("one too many"))
        line.free.set()
        await asyncio.gather(*turns)
        assert len(line.ran) == 1 + MAX_WAITING

    asyncio.run(live())


def test_accepts_turn_while_earlier_turn_is_being_cancelled() -> None:
    async def live() -> None:
        line = Line()
        line.parting.clear()
        turns = [line.turn(str(number)) for number in range(1 + MAX_WAITING)]
        await settled()
        line.queue.cancel_others()
        await settled()
        last = line.turn("last", wait=False)
        await settled()
        assert line.ran == ["0"]
        line.parting.set()
        line.free.set()
        await last
        assert line.ran == ["0", "last"]
        assert all(turn.cancelled() for turn in turns)

    asyncio.run(live())


def test_idle_waits_for_running_and_waiting_turns() -> None:
    async def live() -> None:
        line = Line()
        turns = [line.turn(name) for name in "ab"]
        await settled()
        idle = asyncio.create_task(line.queue.idle())
        turns.append(line.turn("c"))
        await settled()
        assert not idle.done()
        line.free.set()
        await idle
        assert (line.ran, line.queue.busy) == (["a", "b", "c"], False)
        await asyncio.gather(*turns)
        await line.queue.idle()

    asyncio.run(live())
