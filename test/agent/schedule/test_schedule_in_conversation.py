import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.schedule import announcer as module
from reachy_agent_ros.agent.schedule.entry import ElapsedTime, Entry, EntryKind
from support.agent.world import MindInWorld
from support.waiting import wait_until

Story = Callable[[MindInWorld], Coroutine[None, None, None]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Story], None]:
    """Runs a story with an agent that has no model."""
    for pause in ("PERIOD", "RING_PAUSE"):
        monkeypatch.setattr(module, pause, 0.01)

    def tell(story: Story) -> None:
        async def whole() -> None:
            world = MindInWorld(tmp_path)
            try:
                await story(world)
            finally:
                await world.mind.close()

        asyncio.run(whole())

    return tell


@asynccontextmanager
async def ringing_alarm(world: MindInWorld) -> AsyncIterator[Entry]:
    schedule = world.mind.schedule
    entry = schedule.add(Entry(EntryKind.ALARM, "shift", "en", schedule.elapsed(0.01)))
    task = asyncio.create_task(world.mind.announcer.run())
    try:
        await asyncio.to_thread(wait_until, lambda: len(world.world.spoken) >= 2, "the alarm")
        assert world.mind.announcer.ringing == [entry]
        yield entry
    finally:
        task.cancel()


async def said(world: MindInWorld, text: str) -> TurnResult:
    return await world.conversation.converse(TurnRequest(text), lambda _event: None, lambda _span: None)


def test_stop_ends_ringing_and_still_holds_the_robot(told: Callable[[Story], None]) -> None:
    async def story(world: MindInWorld) -> None:
        async with ringing_alarm(world):
            await said(world, "stop")
            assert world.mind.announcer.ringing == []
            assert world.world.holds == 1
            await asyncio.to_thread(wait_until, lambda: not world.mind.schedule.unannounced())

    told(story)


def test_stop_of_robot_by_others_ends_ringing(told: Callable[[Story], None]) -> None:
    async def story(world: MindInWorld) -> None:
        async with ringing_alarm(world):
            world.conversation.end_all()
            assert world.mind.announcer.ringing == []

    told(story)


def test_snooze_sets_alarm_again(told: Callable[[Story], None]) -> None:
    async def story(world: MindInWorld) -> None:
        await world.mind.know_tools()
        async with ringing_alarm(world) as entry:
            assert (await said(world, "snooze for five minutes")).reply == "I will ring again in 5 minutes."
            assert world.mind.announcer.ringing == []
            (later,) = world.mind.schedule.entries()
            assert (later.text, later.identity != entry.identity) == ("shift", True)
            assert isinstance(later.time, ElapsedTime)
            assert later.time.duration == 300.0
            assert world.world.holds == 0

    told(story)


def test_answers_in_language_of_command(told: Callable[[Story], None]) -> None:
    async def story(world: MindInWorld) -> None:
        await world.mind.know_tools()
        assert (await said(world, "stell einen Timer auf zehn Minuten")).reply == "Der Timer läuft: 10 Minuten."
        assert (await said(world, "quanto manca?")).reply.startswith("Timer: mancano ")
        assert (await said(world, "set a timer for -5 minutes")).reply.startswith("I need a duration between")
        assert [entry.language for entry in world.mind.schedule.entries()] == ["de"]

    told(story)
