import asyncio
import uuid
from pathlib import Path

import pytest

from reachy_agent_ros.agent.undo.undo_tool import CHANGED, NOTHING
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.undoable_robot import Killed, UndoableAgent, UndoableRobot

LOUD = ("set_volume", {"level_percent": 100})
ACTS = {
    "pose": ("move_head", {"yaw_deg": 30.0}),
    "volume": LOUD,
    "tracking": ("head_tracking", {"enabled": True}),
    "new fact": ("remember", {"key": "pet", "text": "a duck"}),
    "changed fact": ("remember", {"key": "tea", "text": "green"}),
    "new note": ("write_note", {"name": "trip", "text": "Pack the tent."}),
    "longer note": ("write_note", {"name": "shopping", "text": "Eggs"}),
}


@pytest.fixture
def robot() -> UndoableRobot:
    return UndoableRobot()


@pytest.fixture
def agent(tmp_path: Path, robot: UndoableRobot) -> UndoableAgent:
    return prepared(tmp_path, robot)


def prepared(directory: Path, robot: UndoableRobot) -> UndoableAgent:
    agent = UndoableAgent(directory, robot)
    asyncio.run(agent.call("remember", key="tea", text="black", session="earlier"))
    asyncio.run(agent.call("write_note", name="shopping", text="Milk", session="earlier"))
    return agent


def state(agent: UndoableAgent) -> object:
    """Returns everything that the acts change."""
    facts = {fact.key: fact.text for fact in agent.memory.entries() if fact.kind == "fact"}
    notes = {}
    for name in ("shopping", "trip"):
        try:
            notes[name] = agent.notes.read(name)
        except AgentError:
            notes[name] = ""
    robot = agent.robot
    return robot.pose, robot.volume, robot.tracking, agent.persona, facts, notes


@pytest.mark.parametrize("act", ACTS.values(), ids=list(ACTS))
def test_undo_restores_state(agent: UndoableAgent, act: tuple[str, dict[str, object]]) -> None:
    tool, arguments = act

    async def run() -> None:
        before = state(agent)
        await agent.call(tool, **arguments)
        assert state(agent) != before
        assert await agent.undone() not in (NOTHING, CHANGED)
        assert state(agent) == before
        assert await agent.undone() == NOTHING

    asyncio.run(run())


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("act", [ACTS["pose"], ACTS["volume"]], ids=["pose", "volume"])
def test_journal_and_robot_agree_after_kill(
    tmp_path: Path, robot: UndoableRobot, act: tuple[str, dict[str, object]], moment: str
) -> None:
    agent = prepared(tmp_path, robot)
    tool, arguments = act
    before = state(agent)

    def kill(now: str) -> None:
        if now == moment:
            raise Killed

    robot.killed = kill
    with pytest.raises(Killed):
        asyncio.run(agent.call(tool, **arguments))
    robot.killed = lambda _moment: None
    restarted = UndoableAgent(tmp_path, robot)
    assert asyncio.run(restarted.undone()) != NOTHING
    assert state(restarted) == before


def test_undo_after_restart_restores_note(agent: UndoableAgent, tmp_path: Path, robot: UndoableRobot) -> None:
    asyncio.run(agent.call("write_note", name="shopping", text="Eggs"))
    restarted = UndoableAgent(tmp_path, robot)
    assert asyncio.run(restarted.undone()) == "The note shopping is as it was before."
    assert restarted.notes.read("shopping") == "Milk\n"


def test_undo_restores_all_acts_of_a_turn(agent: UndoableAgent) -> None:
    async def run() -> None:
        before, turn = state(agent), uuid.uuid4()
        for yaw in (10.0, 20.0, 30.0):
            await agent.call("move_head", turn, yaw_deg=yaw)
        await agent.call("set_volume", turn, level_percent=20)
        await agent.undone()
        assert state(agent) == before
        assert [call.tool for call in agent.permitted] == ["set_volume", "set_pose"]

    asyncio.run(run())


def test_undo_goes_back_turn_by_turn(agent: UndoableAgent) -> None:
    async def run() -> None:
        await agent.call("move_head", yaw_deg=10.0)
        await agent.call("move_head", yaw_deg=20.0)
        await agent.undone()
        assert agent.robot.pose["yaw_deg"] == 10.0
        await agent.undone()
        assert agent.robot.pose["yaw_deg"] == 0.0

    asyncio.run(run())


def test_undo_says_what_is_final_and_then_undoes_earlier_act(agent: UndoableAgent) -> None:
    async def run() -> None:
        await agent.call("move_head", yaw_deg=10.0)
        await agent.call("take_photo")
        assert await agent.undone() == "I cannot undo that: to take a photo is final."
        await agent.undone()
        assert agent.robot.pose["yaw_deg"] == 0.0

    asyncio.run(run())


def test_undo_leaves_note_that_a_person_has_edited(agent: UndoableAgent, tmp_path: Path) -> None:
    asyncio.run(agent.call("write_note", name="shopping", text="Eggs"))
    (tmp_path / "notes" / "shopping.md").write_text("Milk\n\nEggs\n\nBread, added by hand\n")
    assert asyncio.run(agent.undone()) == CHANGED
    assert "by hand" in agent.notes.read("shopping")


def test_undo_concerns_own_conversation(agent: UndoableAgent) -> None:
    asyncio.run(agent.call(LOUD[0], session="other", **LOUD[1]))
    assert asyncio.run(agent.undone()) == NOTHING
    assert agent.robot.volume == 100


def test_every_conversation_can_undo_choice_of_persona(agent: UndoableAgent) -> None:
    async def run() -> None:
        async with agent.undo.everywhere("persona", "persona", "reachy"):
            await agent.become("pirate")
        assert await agent.undone() == "I am reachy again."
        assert agent.persona == "reachy"

    asyncio.run(run())


def test_failed_choice_of_persona_leaves_nothing_to_undo(agent: UndoableAgent) -> None:
    async def run() -> None:
        with pytest.raises(AgentError):
            async with agent.undo.everywhere("persona", "persona", "reachy"):
                await agent.become("nobody")
        assert await agent.undone() == NOTHING

    asyncio.run(run())


def test_refused_motion_leaves_nothing_to_undo(agent: UndoableAgent) -> None:
    agent.robot.failure = AgentError(ErrorCode.OUT_OF_ENVELOPE, "Too far.")
    asyncio.run(agent.call("move_head", yaw_deg=170.0))
    assert asyncio.run(agent.undone()) == NOTHING


def test_act_that_changes_nothing_leaves_nothing_to_undo(agent: UndoableAgent) -> None:
    asyncio.run(agent.call("set_volume", level_percent=agent.robot.volume))
    assert asyncio.run(agent.undone()) == NOTHING


def test_failed_restoration_can_be_repeated(agent: UndoableAgent) -> None:
    async def run() -> None:
        await agent.call("move_head", yaw_deg=10.0)
        agent.robot.failure = AgentError(ErrorCode.EMERGENCY_STOPPED, "The robot is stopped.")
        assert await agent.undone() == "The robot is stopped."
        await agent.undone()
        assert agent.robot.pose["yaw_deg"] == 0.0

    asyncio.run(run())


def test_reading_and_reporting_leave_nothing_to_undo(agent: UndoableAgent) -> None:
    async def run() -> None:
        for tool in ("get_robot_state", "set_volume"):
            await agent.call(tool)
        await agent.call("read_note", name="shopping")
        assert await agent.undone() == NOTHING

    asyncio.run(run())


def test_forgotten_texts_are_erased_from_journal(agent: UndoableAgent, tmp_path: Path) -> None:
    def stored() -> bool:
        return any(b"xylitol" in path.read_bytes() for path in tmp_path.glob("undo.sqlite3*"))

    async def run() -> None:
        for text in ("xylitol", "green"):
            await agent.call("remember", key="tea", text=text)
            await agent.call("write_note", name="shopping", text=text)
        assert stored()
        await agent.call("forget", what="tea")
        await agent.call("forget_note", name="shopping")
        assert not stored()

    asyncio.run(run())


def test_act_is_not_carried_out_without_journal(agent: UndoableAgent) -> None:
    agent.undo.journal.close()
    told = asyncio.run(agent.call("move_head", yaw_deg=10.0))
    assert agent.robot.pose["yaw_deg"] == 0.0
    assert "undo journal" in told
