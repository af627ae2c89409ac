"""Interrupted answers in the history."""

from __future__ import annotations

import asyncio
from pathlib import Path

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.agent.world import MindInWorld, until

MOVES = (ScriptedAnswer(calls=(("transfer_to_robot", {}),)), ScriptedAnswer(calls=(("move_head", {"yaw_deg": 20}),)))


def test_history_contains_interrupted_answer(tmp_path: Path) -> None:
    with ScriptedEndpoint([*MOVES, ScriptedAnswer("Which one?")]) as server:
        mind = MindInWorld(tmp_path, server)
        mind.world.lasting = {"move_head"}

        async def talk() -> None:
            turn = asyncio.create_task(mind.say("please examine the red cup on the shelf"))
            await until(lambda: mind.world.calls)
            turn.cancel()
            await turn
            await mind.say("no, the other one")

        asyncio.run(talk())
        said = [message["content"] for message in server.chats[-1]["messages"][1:]]
        expected = ["please examine the red cup on the shelf", "[interrupted by the person]", "no, the other one"]
        assert said == expected
        mind.close()
