"""Turns of a conversation that several integration tests of the agent use."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from reachy_agent_ros.agent.conversation.turn_request import TurnResult
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer
from support.agent.model_protocol import HANDOFF, Protocol
from support.agent.world import MindInWorld, until

TIDY = "please tidy everything up"
PLAN = {
    "goal": "Look around",
    "steps": [{"title": name, "expectation": f"{name} is seen"} for name in ("the door", "the window")],
}


async def asked(mind: MindInWorld) -> asyncio.Task[TurnResult]:
    """Starts a turn and waits until the turn requests approval."""
    turn = asyncio.create_task(mind.say(TIDY))
    await until(lambda: mind.pending or turn.done())
    assert mind.pending, turn.result()
    return turn


async def obeys(mind: MindInWorld) -> None:
    """Asserts that the agent executes the next command, and that neither a turn nor an approval is pending."""
    before = mind.world.called.count("move_head")
    result = await mind.say("look left")
    assert (result.error, result.reply) == (None, "I looked to the left.")
    assert mind.world.called.count("move_head") == before + 1
    assert not mind.conversation.busy
    assert mind.pending == []


def code(result: TurnResult) -> ErrorCode:
    return ErrorCode.NONE if result.error is None else result.error.code


async def restarted(first: MindInWorld, second: Callable[[], MindInWorld]) -> MindInWorld:
    """Closes the first agent while a turn waits for approval, and creates the second agent."""
    turn = await asked(first)
    await first.mind.close()
    assert code(await turn) is ErrorCode.CANCELED
    return second()


def guarded(protocol: Protocol, *replies: str) -> list[ScriptedAnswer]:
    return [protocol.call(HANDOFF, {}), protocol.call("erase", {}), *map(protocol.reply, replies)]


async def nothing_waits(folder: Path) -> bool:
    return not MindInWorld(folder).take_up()
