from __future__ import annotations

import asyncio

import pytest

from reachy_agent_ros.agent.conversation import voice
from reachy_agent_ros.agent.conversation.voice import GRACE, STALE, TurnTaking


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Simulated clock that advances only when the code under test waits."""
    now = [10.0]

    async def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(voice.asyncio, "sleep", sleep)
    return now


def waited(floor: TurnTaking, clock: list[float]) -> float:
    before = clock[0]
    asyncio.run(floor.free())
    return clock[0] - before


def test_robot_speaks_immediately_if_no_user_is_speaking(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    assert waited(floor, clock) == 0.0
    floor.update(False)
    assert waited(floor, clock) == 0.0


def test_robot_waits_while_user_pauses(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    floor.update(True)
    floor.update(False)
    assert waited(floor, clock) == pytest.approx(GRACE)
    assert waited(floor, clock) == 0.0


def test_report_of_ongoing_user_speech_expires(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    floor.update(True)
    assert waited(floor, clock) == pytest.approx(STALE)


def test_repeated_report_of_silence_has_no_effect(clock: list[float]) -> None:
    floor = TurnTaking(lambda: clock[0])
    floor.update(True)
    floor.update(False)
    clock[0] += GRACE
    floor.update(False)
    assert waited(floor, clock) == 0.0
