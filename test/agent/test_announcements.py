import asyncio
from collections.abc import Sequence

import pytest

from reachy_agent_ros.agent import announcements as module
from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.core.errors import AgentError, ErrorCode

NOT_READY = AgentError(ErrorCode.SERVER_UNAVAILABLE, "tts is not ready.")
CANCELED = AgentError(ErrorCode.CANCELED, "The speech was canceled.")


class Story:
    """Order of what happens to an announcement. Speech fails with some errors first."""

    def __init__(self, failures: Sequence[AgentError] = ()) -> None:
        self.events: list[str] = []
        self._failures = list(failures)
        self.announcements = Announcements(self._say, lambda text: self.events.append(f"shows {text}"))

    async def _say(self, text: str) -> None:
        if self._failures:
            self.events.append("fails")
            raise self._failures.pop(0)
        self.events.append(f"says {text}")

    def record(self) -> None:
        self.events.append("records")

    def told(self) -> list[str]:
        asyncio.run(self.announcements.announce("hello", self.record))
        return self.events


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY_PAUSE", 0.0)


def test_records_announcement_after_it_was_spoken() -> None:
    assert Story().told() == ["shows hello", "says hello", "records"]


def test_tries_again_until_speech_is_ready() -> None:
    assert Story([NOT_READY, NOT_READY]).told() == ["shows hello", "fails", "fails", "says hello", "records"]


def test_does_not_repeat_speech_that_somebody_canceled() -> None:
    assert Story([CANCELED]).told() == ["shows hello", "fails", "records"]


def test_gives_up_speaking_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SPEECH_PATIENCE", 0.0)
    assert Story([NOT_READY, NOT_READY]).told() == ["shows hello", "fails", "records"]


def test_failed_record_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise AgentError(ErrorCode.STORAGE_FAILED, "The disk is full.")

    asyncio.run(Story().announcements.announce("hello", fail))
    assert "The next start repeats an announcement: The disk is full." in caplog.text


def test_close_ends_speech_without_recording_it() -> None:
    async def live() -> list[str]:
        story = Story()
        blocked = asyncio.Event()

        async def block(_text: str) -> None:
            blocked.set()
            await asyncio.Event().wait()

        announcements = Announcements(block)
        announcements.start(announcements.announce("hello", story.record))
        await blocked.wait()
        await announcements.close()
        return story.events

    assert asyncio.run(live()) == []
