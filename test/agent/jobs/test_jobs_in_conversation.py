import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from reachy_agent_ros.agent.conversation.turn_request import TurnResult
from reachy_agent_ros.agent.jobs import scene_watch
from reachy_agent_ros.agent.jobs.job import JobState
from reachy_agent_ros.agent.small_talk_replies import REPLIES
from reachy_agent_ros.nlu.small_talk import Topic
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOutcome
from support.agent.world import MindInWorld, until

WATCH = "watch the table and tell me when something comes"
HEAD = {"roll_deg": 0.0, "pitch_deg": 0.0, "yaw_deg": 0.0}


class Desk:
    """Agent without a model, with a desk in view of its camera."""

    def __init__(self, folder: Path) -> None:
        self.agent = MindInWorld(folder)
        self.world = self.agent.world
        empty = {"type": "object", "properties": {}}
        looks = [ToolDescription(name, "Looks.", empty, 5.0) for name in (scene_watch.STATE, scene_watch.LOOK)]
        self.world.tools = (*self.world.tools, *looks)
        self.world.outcomes[scene_watch.STATE] = ToolOutcome(json.dumps({"head": HEAD, "body_yaw_deg": 0.0}))
        self.show("apple")

    @property
    def jobs(self) -> list[JobState]:
        return [job.state for job in self.agent.mind.jobs.queue.jobs()]

    def show(self, *things: str) -> None:
        seen = {"objects": [{"name": name} for name in things]}
        self.world.outcomes[scene_watch.LOOK] = ToolOutcome(json.dumps(seen))

    async def looks(self) -> None:
        """Waits for two more looks, after which the scene is known."""
        before = self.world.called.count(scene_watch.LOOK)
        await until(lambda: self.world.called.count(scene_watch.LOOK) >= before + 3)

    async def hear(self, text: str) -> TurnResult:
        return await self.agent.say(text)


Story = Callable[[Desk], Coroutine[None, None, None]]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Story], None]:
    """Runs a story with an agent that has no model. Every story continues with the files of the one before."""
    monkeypatch.setattr(scene_watch, "PERIOD", 0.01)

    def tell(story: Story) -> None:
        async def whole() -> None:
            desk = Desk(tmp_path)
            await desk.agent.mind.know_tools()
            task = asyncio.create_task(desk.agent.mind.jobs.run())
            try:
                await story(desk)
            finally:
                task.cancel()
                await desk.agent.mind.close()

        asyncio.run(whole())

    return tell


def test_conversation_continues_while_robot_watches(told: Callable[[Story], None]) -> None:
    async def story(desk: Desk) -> None:
        confirmed = "I am watching, and I will tell you when something comes."
        assert (await desk.hear(WATCH)).reply == confirmed
        await desk.looks()
        assert (await desk.hear("look left")).tools_called == ["move_head"]
        await desk.looks()
        assert "Something has come" not in " ".join(desk.world.spoken)
        desk.show("apple", "duck")
        await until(lambda: "Something has come: a duck." in desk.world.spoken)
        await until(lambda: not desk.agent.mind.jobs.queue.unannounced())
        assert desk.jobs == [JobState.DONE]

    told(story)


def test_question_about_activity_is_answered_from_the_queue(told: Callable[[Story], None]) -> None:
    async def story(desk: Desk) -> None:
        assert (await desk.hear("what are you doing?")).reply in REPLIES[Topic.ACTIVITY]
        assert (await desk.hear("was machst du gerade?")).reply == "Ich mache nebenher gerade nichts."
        await desk.hear("tell me when you see the duck")
        await desk.looks()
        answer = await desk.hear("what are you doing?")
        assert (answer.reply, answer.model_calls) == ("I am watching until I see a duck.", 0)
        assert (await desk.hear("¿qué estás haciendo?")).reply == "Estoy vigilando hasta que vea un pato."

    told(story)


def test_stop_watching_ends_the_watch_and_does_not_hold_the_robot(told: Callable[[Story], None]) -> None:
    async def story(desk: Desk) -> None:
        await desk.hear(WATCH)
        await desk.looks()
        assert (await desk.hear("stop watching")).reply == "I have stopped that."
        assert (desk.jobs, desk.world.holds) == ([JobState.CANCELED], 0)
        looked = desk.world.called.count(scene_watch.LOOK)
        assert (await desk.hear("stop watching")).reply == "I am not watching anything."
        assert desk.world.called.count(scene_watch.LOOK) == looked

    told(story)


def test_plain_stop_holds_the_robot_and_keeps_the_watch(told: Callable[[Story], None]) -> None:
    async def story(desk: Desk) -> None:
        await desk.hear(WATCH)
        await desk.looks()
        await desk.hear("stop")
        assert (desk.jobs, desk.world.holds) == ([JobState.RUNNING], 1)

    told(story)


def test_watch_that_continues_after_restart_sees_what_came_before(told: Callable[[Story], None]) -> None:
    async def before(desk: Desk) -> None:
        await desk.hear(WATCH)
        await desk.looks()

    async def after(desk: Desk) -> None:
        desk.show("apple", "duck")
        await until(lambda: desk.world.spoken == ["Something has come: a duck."])

    told(before)
    told(after)


def test_result_waits_until_the_turn_has_been_spoken(told: Callable[[Story], None]) -> None:
    async def story(desk: Desk) -> None:
        await desk.hear(WATCH)
        await desk.looks()
        desk.world.lasting.add("take_photo")
        turn = asyncio.create_task(desk.hear("take a photo"))
        await until(lambda: "take_photo" in desk.world.called)
        desk.show("apple", "duck")
        await until(lambda: desk.jobs == [JobState.DONE])
        assert "Something has come: a duck." not in desk.world.spoken
        turn.cancel()
        await turn
        await until(lambda: "Something has come: a duck." in desk.world.spoken)

    told(story)


def test_watch_that_needs_approvals_is_refused_with_a_reason(told: Callable[[Story], None], tmp_path: Path) -> None:
    (tmp_path / "permissions.yaml").write_text(
        "default: autonomous\nrules:\n  - tools: detect_objects\n    tier: confirm\n    because: it is private\n"
    )

    async def story(desk: Desk) -> None:
        await desk.hear(WATCH)
        await until(lambda: desk.world.spoken)
        said = "I had to stop watching: I need an approval for every look."
        assert said in desk.world.spoken
        assert scene_watch.LOOK not in desk.world.called
        assert desk.agent.pending == []

    told(story)


def test_looks_are_recorded_once_in_the_audit_log(told: Callable[[Story], None], tmp_path: Path) -> None:
    async def story(desk: Desk) -> None:
        await desk.hear(WATCH)
        await desk.looks()

    told(story)
    assert (tmp_path / "audit.jsonl").read_text().count('"detect_objects"') == 1
