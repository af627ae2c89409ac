from __future__ import annotations

import asyncio
import uuid
from typing import Any, cast

import pytest

from reachy_agent_ros.agent.conversation import voice
from reachy_agent_ros.agent.conversation.voice import GRACE, STALE, TurnTaking, TurnVoice
from reachy_agent_ros.agent.traces.trace import Trace
from support.agent.world import until


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


class Speaker:
    """Robot that speaks until it is released."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.released = asyncio.Event()

    async def say(self, text: str, _turn_id: uuid.UUID, _voice: str = "") -> None:
        self.said.append(text)
        await self.released.wait()


def test_spoken_waits_until_clauses_were_spoken_or_interrupted() -> None:
    async def live() -> None:
        speaker = Speaker()
        turn_voice = TurnVoice(cast("Any", speaker), TurnTaking())
        await turn_voice.spoken()
        for text in ("One.", "Two."):
            turn_voice.say(text, uuid.uuid4(), Trace(lambda _span: None))
        spoken = asyncio.create_task(turn_voice.spoken())
        await until(lambda: speaker.said == ["One."])
        assert not spoken.done()
        speaker.released.set()
        await spoken
        assert speaker.said == ["One.", "Two."]
        speaker.released.clear()
        turn_voice.say("Three.", uuid.uuid4(), Trace(lambda _span: None))
        spoken = asyncio.create_task(turn_voice.spoken())
        await until(lambda: "Three." in speaker.said)
        turn_voice.silence()
        await spoken

    asyncio.run(live())
