import asyncio
from pathlib import Path

from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.conversation.turn_tools import REFLEX
from reachy_agent_ros.agent.memory.episode_keeper import EpisodeKeeper
from reachy_agent_ros.agent.memory.recollection import Recollection
from reachy_agent_ros.core.embedding import SentenceEmbedder

REQUEST = TurnRequest("please look for the duck on my desk")


def test_a_task_is_on_disk_when_it_is_closed_and_a_command_is_not_kept(tmp_path: Path) -> None:
    recollection = Recollection(tmp_path / "memory.db", tmp_path / "notes", SentenceEmbedder)
    recollection.open()

    async def live() -> None:
        keeper = EpisodeKeeper(recollection)
        keeper.keep(REQUEST, TurnResult(reply="It is there.", agent="robot"), [("find_object", "")], "")
        await keeper.close()
        assert "look for the duck" in recollection.prompt("").text
        keeper.keep(TurnRequest("look left"), TurnResult(reply="I looked left.", agent=REFLEX), [("move_head", "")], "")
        await keeper.close()
        assert "look left" not in recollection.prompt("").text

    asyncio.run(live())
    recollection.close()


def test_without_a_memory_nothing_is_kept() -> None:
    async def live() -> None:
        keeper = EpisodeKeeper(None)
        keeper.keep(REQUEST, TurnResult(), [], "")
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await keeper.close()

    asyncio.run(live())
