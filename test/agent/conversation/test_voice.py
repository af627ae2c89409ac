from __future__ import annotations

import asyncio

import pytest

from reachy_agent_ros.agent.conversation import voice
from reachy_agent_ros.agent.conversation.voice import GRACE, STALE, TurnTaking


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that only waiting moves."""
    now = [10.0]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(voice.asyncio, "sleep", sleep)
    return now


def waited(floor: TurnTaking, clock: list[float]) -> float:
    before = clock[0]
    asyncio.run(floor.free())
    return clock[0] - before


def test_where_nobody_speaks_the_robot_may(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    assert waited(floor, clock) == 0.0
    floor.update(False)
    assert waited(floor, clock) == 0.0


def test_who_has_paused_may_go_on(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    floor.update(True)
    floor.update(False)
    assert waited(floor, clock) == pytest.approx(GRACE)
    assert waited(floor, clock) == 0.0


def test_ears_that_have_died_keep_nobody_silent(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    floor.update(True)
    assert waited(floor, clock) == pytest.approx(STALE)


def test_saying_again_that_nobody_speaks_changes_nothing(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    floor.update(True)
    floor.update(False)
    clock[0] += GRACE
    floor.update(False)
    assert waited(floor, clock) == 0.0
