import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

import pytest

from reachy_agent_ros.agent import announcements
from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.schedule import announcer as module
from reachy_agent_ros.agent.schedule.announcer import Announcer
from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.wall_time import WallTime
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.simulated_clocks import SimulatedClocks
from support.waiting import wait_until

Open = Callable[[], Schedule]


class Speech:
    """Speech output that records the spoken texts, and can fail or wait."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.failures = 0
        self.blocks = False

    async def __call__(self, text: str) -> None:
        if self.failures:
            self.failures -= 1
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "tts is not ready.")
        self.said.append(text)
        if self.blocks:
            await asyncio.Event().wait()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for pause in ("PERIOD", "RING_PAUSE"):
        monkeypatch.setattr(module, pause, 0.001)
    monkeypatch.setattr(announcements, "RETRY_PAUSE", 0.001)


@asynccontextmanager
async def running(announcer: Announcer) -> AsyncIterator[None]:
    task = asyncio.create_task(announcer.run())
    try:
        yield
    finally:
        task.cancel()
        await announcer.close()


async def until(condition: Callable[[], bool]) -> None:
    await asyncio.to_thread(wait_until, condition)


def timer(schedule: Schedule, seconds: float, text: str = "") -> Entry:
    return schedule.add(Entry(EntryKind.TIMER, text, "en", schedule.elapsed(seconds)))


def alarm(schedule: Schedule) -> Entry:
    return schedule.add(Entry(EntryKind.ALARM, "", "en", WallTime(datetime(2026, 11, 30, 13), "Europe/Berlin")))


def test_announces_timer_once(schedule: Schedule, clocks: SimulatedClocks) -> None:
    async def story() -> list[str]:
        speech = Speech()
        timer(schedule, 10.0, "pasta")
        async with running(Announcer(schedule, Announcements(speech))):
            clocks.advance(10.0)
            await until(lambda: bool(speech.said) and not schedule.unannounced())
            timer(schedule, 1.0)
            clocks.advance(1.0)
            await until(lambda: len(speech.said) == 2)
        return speech.said

    assert asyncio.run(story()) == ["Your timer is done: pasta.", "Your timer is done."]


def test_announces_after_restart_what_was_due_while_off(opened: Open, clocks: SimulatedClocks) -> None:
    async def story() -> list[str]:
        timer(opened(), 600.0)
        clocks.reboot(3600.0)
        speech = Speech()
        async with running(Announcer(opened(), Announcements(speech))):
            await until(lambda: bool(speech.said))
        return speech.said

    assert asyncio.run(story()) == ["This was due today at 12:10 pm: timer."]


def test_repeats_announcement_that_restart_interrupted(opened: Open, clocks: SimulatedClocks) -> None:
    async def story() -> tuple[list[str], list[str]]:
        schedule, speech, again = opened(), Speech(), Speech()
        speech.blocks = True
        timer(schedule, 10.0)
        async with running(Announcer(schedule, Announcements(speech))):
            clocks.advance(10.0)
            await until(lambda: bool(speech.said))
        async with running(Announcer(opened(), Announcements(again))):
            await until(lambda: bool(again.said))
        return speech.said, again.said

    assert asyncio.run(story()) == (["Your timer is done."], ["Your timer is done."])


def test_tries_again_until_speech_is_ready(schedule: Schedule, clocks: SimulatedClocks) -> None:
    async def story() -> list[str]:
        speech = Speech()
        speech.failures = 3
        timer(schedule, 10.0)
        async with running(Announcer(schedule, Announcements(speech))):
            clocks.advance(10.0)
            await until(lambda: bool(speech.said))
        return speech.said

    assert asyncio.run(story()) == ["Your timer is done."]


def test_alarm_rings_until_stopped(opened: Open, clocks: SimulatedClocks) -> None:
    async def story() -> int:
        schedule, speech = opened(), Speech()
        entry = alarm(schedule)
        announcer = Announcer(schedule, Announcements(speech))
        async with running(announcer):
            clocks.advance(3600.0)
            await until(lambda: len(speech.said) >= 3)
            assert announcer.ringing == [entry]
            assert announcer.stop_ringing() == [entry]
            count = len(speech.said)
            await until(lambda: not schedule.unannounced())
            assert announcer.ringing == []
            return len(speech.said) - count

    assert asyncio.run(story()) == 0


def test_alarm_rings_again_after_restart(opened: Open, clocks: SimulatedClocks) -> None:
    async def story() -> list[str]:
        schedule, first, second = opened(), Speech(), Speech()
        alarm(schedule)
        async with running(Announcer(schedule, Announcements(first))):
            clocks.advance(3600.0)
            await until(lambda: bool(first.said))
        async with running(Announcer(opened(), Announcements(second))):
            await until(lambda: len(second.said) >= 2)
        return second.said[:2]

    assert asyncio.run(story()) == ["This is your alarm."] * 2


def test_old_alarm_is_announced_once_instead_of_ringing(opened: Open, clocks: SimulatedClocks) -> None:
    async def story() -> tuple[list[str], int]:
        alarm(opened())
        clocks.reboot(3 * 3600.0)
        schedule, speech = opened(), Speech()
        announcer = Announcer(schedule, Announcements(speech))
        async with running(announcer):
            await until(lambda: bool(speech.said) and not schedule.unannounced())
            return speech.said, len(announcer.ringing)

    assert asyncio.run(story()) == (["This was due today at 1 pm: alarm."], 0)


def test_many_reminders_make_one_announcement(schedule: Schedule, clocks: SimulatedClocks) -> None:
    async def story() -> list[str]:
        speech = Speech()
        for number in range(100):
            schedule.add(Entry(EntryKind.REMINDER, f"thing {number}", "en", schedule.elapsed(60.0)))
        async with running(Announcer(schedule, Announcements(speech))):
            clocks.advance(60.0)
            await until(lambda: bool(speech.said))
        return speech.said

    (sentence,) = asyncio.run(story())
    assert sentence.startswith("These were due: reminder thing 0, reminder thing 1")
    assert sentence.endswith("and 95 more.")
