from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.helpers.helper import MOST_WAITING, Helper
from support.recordings import LOOK_LEFT
from support.waiting import PATIENCE

READER = "reachy_agent_ros.gateway.helpers.sound_reader"


def request(folder: Path, sound: Path = LOOK_LEFT) -> dict[str, Any]:
    return {"path": str(sound), "wav": str(folder / "plain.wav")}


async def pid_of(helper: Helper) -> int:
    """Returns the id of the helper's process. The id stays the same until the process ends."""
    process = await helper._running()
    return process.pid


def code(error: BaseException) -> ErrorCode:
    assert isinstance(error, AgentError)
    return error.code


def test_one_helper_process_handles_all_requests(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        first = await helper.ask(request(tmp_path), PATIENCE)
        pid = await pid_of(helper)
        answers = await asyncio.gather(*(helper.ask(request(tmp_path), PATIENCE) for _ in range(3)))
        assert answers == [first] * 3
        assert await pid_of(helper) == pid
        await helper.close()

    asyncio.run(ask())
    assert read_sound(tmp_path / "plain.wav").size == read_sound(LOOK_LEFT).size


def test_helper_process_reports_error_and_keeps_running(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        with pytest.raises(AgentError) as caught:
            await helper.ask(request(tmp_path, Path(__file__)), PATIENCE)
        assert caught.value.code is ErrorCode.AUDIO_UNSUPPORTED
        assert str(Path(__file__)) not in caught.value.message
        pid = await pid_of(helper)
        await helper.ask(request(tmp_path), PATIENCE)
        assert await pid_of(helper) == pid
        await helper.close()

    asyncio.run(ask())


@pytest.mark.slow
def test_helper_process_restarts_after_crash(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        os.kill(await pid_of(helper), signal.SIGKILL)
        asked = helper.ask(request(tmp_path), PATIENCE)
        with pytest.raises(AgentError) as caught:
            await asked
        assert caught.value.code is ErrorCode.INTERNAL
        await helper.ask(request(tmp_path), PATIENCE)
        await helper.close()

    asyncio.run(ask())


def test_timeout_ends_helper_process_and_discards_its_response(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        with pytest.raises(AgentError) as caught:
            await helper.ask(request(tmp_path), 0.001)
        assert caught.value.code is ErrorCode.TIMEOUT
        with pytest.raises(AgentError) as caught:
            await helper.ask(request(tmp_path, tmp_path / "missing"), PATIENCE)
        assert caught.value.code is ErrorCode.AUDIO_UNAVAILABLE
        await helper.close()

    asyncio.run(ask())


@pytest.mark.slow
def test_idle_helper_process_exits(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER, idle=0.01)
        await helper.ask(request(tmp_path), PATIENCE)
        process = await helper._running()
        assert await asyncio.wait_for(process.wait(), PATIENCE) < 0
        await helper.ask(request(tmp_path), PATIENCE)
        await helper.close()

    asyncio.run(ask())


def test_helper_rejects_requests_beyond_queue_limit(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        many = [helper.ask(request(tmp_path), PATIENCE) for _ in range(MOST_WAITING + 3)]
        answers = await asyncio.gather(*many, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert [code(error) for error in refused] == [ErrorCode.BUDGET_EXCEEDED] * 2
        await helper.close()

    asyncio.run(ask())
