"""Approval requests that survive a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.status import AgentActivity
from reachy_agent_ros.agent.conversation.turn import AgentStarted
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.agent.world import MindInWorld, until

ERASES = (ScriptedAnswer(calls=(("transfer_to_robot", {}),)), ScriptedAnswer(calls=(("erase", {}),)))


@pytest.mark.slow
def test_restored_approval_is_executed_once_tools_are_available(tmp_path: Path) -> None:
    with ScriptedEndpoint([*ERASES, ScriptedAnswer("All is erased.")]) as server:
        _ask_and_end(MindInWorld(tmp_path, server))
        mind = MindInWorld(tmp_path, server)

        async def goes_on() -> str:
            mind.mind.status.ready()
            prepared = asyncio.Event()
            (turn,) = mind.mind.take_up(
                lambda _request: mind.events.append, lambda _request: mind.spans.append, prepared.wait
            )
            await until(lambda: mind.pending)
            assert mind.mind.status.status.state is AgentActivity.WAITING_FOR_APPROVAL
            assert mind.mind.status.status.agent == "robot"
            mind.decide(True)
            await until(lambda: not mind.pending)
            assert not mind.world.called
            prepared.set()
            _, result = await turn
            return result.reply

        assert "All is erased." in asyncio.run(goes_on())
        assert mind.world.called == ["erase"]
        assert "I looked to the left." in str(server.chats[-1]["messages"])
        assert AgentStarted("robot") in mind.events
        mind.close()


def _ask_and_end(mind: MindInWorld) -> None:
    """Lets a model request a call that needs approval, then closes the agent before the approval is answered."""

    async def ask() -> None:
        await mind.say("look left")  # adds a plain-text reply, which the SDK stores in a different format
        turn = asyncio.create_task(mind.say("please erase everything now and for good"))
        await until(lambda: mind.pending)
        await mind.mind.close()
        await turn

    asyncio.run(ask())
