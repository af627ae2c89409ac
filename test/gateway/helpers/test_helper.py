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

READER = "reachy_agent_ros.gateway.helpers.sound_reader"
LIMIT = 60.0


def request(folder: Path, sound: Path = LOOK_LEFT) -> dict[str, Any]:
    return {"path": str(sound), "wav": str(folder / "plain.wav")}


async def pid_of(helper: Helper) -> int:
    """The process that runs; it is the same one as long as nothing ends it."""
    process = await helper._running()
    return process.pid


def code(error: BaseException) -> ErrorCode:
    assert isinstance(error, AgentError)
    return error.code


def test_one_process_answers_one_request_after_the_other(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        first = await helper.ask(request(tmp_path), LIMIT)
        pid = await pid_of(helper)
        answers = await asyncio.gather(*(helper.ask(request(tmp_path), LIMIT) for _ in range(3)))
        assert answers == [first] * 3
        assert await pid_of(helper) == pid
        await helper.close()

    asyncio.run(ask())
    assert read_sound(tmp_path / "plain.wav").size == read_sound(LOOK_LEFT).size


def test_its_own_errors_are_told_and_it_lives_on(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        with pytest.raises(AgentError) as caught:
            await helper.ask(request(tmp_path, Path(__file__)), LIMIT)
        assert caught.value.code is ErrorCode.AUDIO_UNSUPPORTED
        assert str(Path(__file__)) not in caught.value.message
        pid = await pid_of(helper)
        await helper.ask(request(tmp_path), LIMIT)
        assert await pid_of(helper) == pid
        await helper.close()

    asyncio.run(ask())


@pytest.mark.slow
def test_one_that_dies_is_an_error_once(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        os.kill(await pid_of(helper), signal.SIGKILL)
        asked = helper.ask(request(tmp_path), LIMIT)
        with pytest.raises(AgentError) as caught:
            await asked
        assert caught.value.code is ErrorCode.INTERNAL
        await helper.ask(request(tmp_path), LIMIT)
        await helper.close()

    asyncio.run(ask())


def test_one_that_takes_too_long_is_ended_with_its_answer(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        with pytest.raises(AgentError) as caught:
            await helper.ask(request(tmp_path), 0.001)
        assert caught.value.code is ErrorCode.TIMEOUT
        with pytest.raises(AgentError) as caught:
            await helper.ask(request(tmp_path, tmp_path / "missing"), LIMIT)
        assert caught.value.code is ErrorCode.AUDIO_UNAVAILABLE
        await helper.close()

    asyncio.run(ask())


@pytest.mark.slow
def test_an_idle_one_ends(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER, idle=0.01)
        await helper.ask(request(tmp_path), LIMIT)
        process = await helper._running()
        assert await asyncio.wait_for(process.wait(), LIMIT) < 0
        await helper.ask(request(tmp_path), LIMIT)
        await helper.close()

    asyncio.run(ask())


def test_no_endless_queue_forms(tmp_path: Path) -> None:
    async def ask() -> None:
        helper = Helper(READER)
        many = [helper.ask(request(tmp_path), LIMIT) for _ in range(MOST_WAITING + 3)]
        answers = await asyncio.gather(*many, return_exceptions=True)
        refused = [answer for answer in answers if isinstance(answer, BaseException)]
        assert [code(error) for error in refused] == [ErrorCode.BUDGET_EXCEEDED] * 2
        await helper.close()

    asyncio.run(ask())
