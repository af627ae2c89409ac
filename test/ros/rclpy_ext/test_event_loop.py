import asyncio
import threading

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.event_loop import LongCalls, in_thread


def test_one_too_many_is_refused_and_holds_up_nothing_else() -> None:
    over = threading.Event()

    async def called() -> list[str]:
        turns, looks = LongCalls("turns", 2), LongCalls("looks", 1)
        waiting = [asyncio.ensure_future(turns.run(lambda _token: over.wait(20.0))) for _ in range(2)]
        await asyncio.sleep(0.0)
        with pytest.raises(AgentError, match="2 turns are under way") as refused:
            await turns.run(lambda _token: "never")
        assert refused.value.code is ErrorCode.SERVER_UNAVAILABLE
        others = [await looks.run(lambda _token: "a look"), await in_thread(lambda _token: "what is short")]
        over.set()
        assert await asyncio.gather(*waiting) == [True, True]
        return [*others, await turns.run(lambda _token: "the next turn")]

    assert asyncio.run(called()) == ["a look", "what is short", "the next turn"]


def test_who_hangs_up_makes_room() -> None:
    async def called() -> str:
        turns = LongCalls("turns", 1)
        waiting = asyncio.ensure_future(turns.run(lambda token: _until(token.on_cancel)))
        await asyncio.sleep(0.0)
        waiting.cancel()
        await asyncio.wait({waiting})
        return await turns.run(lambda _token: "the next turn")

    assert asyncio.run(called()) == "the next turn"


def _until(on_cancel: object) -> None:
    ended = threading.Event()
    assert callable(on_cancel)
    on_cancel(ended.set)
    assert ended.wait(20.0)
