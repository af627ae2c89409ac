"""Pause, continue, pace and "repeat after me" in a conversation without a model."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.conversation.repetition import GO_AHEAD
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOutcome
from support.agent.world import MindInWorld, until

PACE = ToolOutcome('{"percent": 70, "previous_percent": 100}')


@pytest.fixture
def mind(tmp_path: Path) -> MindInWorld:
    mind = MindInWorld(tmp_path)
    added = [ToolDescription(name, name, {"type": "object"}, 5.0) for name in ("resume", "set_pace", "speak")]
    mind.world.tools = (*mind.world.tools, *added)
    mind.world.outcomes["set_pace"] = PACE
    asyncio.run(mind.mind.know_tools())
    return mind


def test_pause_ends_running_turn_and_go_on_continues_motion(mind: MindInWorld) -> None:
    async def run() -> None:
        mind.world.lasting.add("move_head")
        turn = asyncio.create_task(mind.say("look left"))
        await until(lambda: "move_head" in mind.world.called)
        assert (await mind.say("pause")).reply == phrases.PAUSED
        await turn
        assert mind.world.holds == 1
        assert (await mind.say("go on")).error is None
        assert mind.world.called == ["move_head", "resume"]

    asyncio.run(run())


def test_go_on_without_pause_is_not_a_command(mind: MindInWorld) -> None:
    result = asyncio.run(mind.say("go on"))
    assert result.reply == phrases.NOTHING_TO_CONTINUE
    assert mind.world.called == []


def test_go_on_concerns_pause_only_until_next_command(mind: MindInWorld) -> None:
    async def run() -> None:
        await mind.say("pause")
        await mind.say("look up")
        assert (await mind.say("go on")).reply == phrases.NOTHING_TO_CONTINUE

    asyncio.run(run())


def test_change_of_pace_does_not_wait_for_running_turn(mind: MindInWorld) -> None:
    async def run() -> None:
        mind.world.lasting.add("move_head")
        turn = asyncio.create_task(mind.say("look left"))
        await until(lambda: "move_head" in mind.world.called)
        result = await mind.say("slower")
        assert result.reply == "I now move at 70 percent of my usual pace."
        assert not turn.done()
        await mind.say("stop")
        await turn

    asyncio.run(run())


def test_repeats_next_sentence_once(mind: MindInWorld) -> None:
    async def run() -> None:
        assert (await mind.say("repeat after me")).reply == GO_AHEAD
        await mind.say("Dance, little robot!")
        assert mind.world.calls[-1][:2] == ("speak", {"text": "Dance, little robot!"})
        await mind.say("look up")
        assert mind.world.called == ["speak", "move_head"]

    asyncio.run(run())


def test_stop_after_repeat_after_me_stops(mind: MindInWorld) -> None:
    async def run() -> None:
        await mind.say("repeat after me")
        assert (await mind.say("stop")).reply == phrases.STOPPED
        assert mind.world.called == []

    asyncio.run(run())


def test_undo_in_conversation_restores_pose(tmp_path: Path) -> None:
    mind = MindInWorld(tmp_path)
    moving = [replace(tool, moves_robot=True) for tool in mind.world.tools if tool.name == "move_head"]
    added = [ToolDescription(name, name, {"type": "object"}, 5.0) for name in ("get_robot_state", "set_pose")]
    mind.world.tools = (*moving, *added)
    head = ", ".join(f'"{name}": 1.0' for name in ("roll_deg", "pitch_deg", "yaw_deg", "x_mm", "y_mm", "z_mm"))
    rest = ", ".join(
        f'"{name}": 2.0' for name in ("body_yaw_deg", "antenna_right_deg", "antenna_left_deg", "front_deg")
    )
    mind.world.outcomes["get_robot_state"] = ToolOutcome(f'{{"head": {{{head}}}, {rest}}}')

    async def run() -> None:
        await mind.mind.know_tools()
        await mind.say("look left")
        assert (await mind.say("undo that")).reply == "I moved back to where I was."
        assert mind.world.called == ["get_robot_state", "move_head", "set_pose"]
        assert mind.world.calls[-1][1]["yaw_deg"] == 1.0

    asyncio.run(run())
