from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.guest import host, reachy_agent
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.body import GazeMotion, MoveLibrary, NamedMotion, SeenThing, Sight
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.vision.eye import camera_pose
from support.robot.direct_link import DirectLink


class DuckWorld(RecordingBody):
    def detect(self, labels: Any, context: ToolContext) -> Sight:
        assert labels in ([], ["duck"])
        return Sight((SeenThing("duck", 0.912, (0.0, 1.0, 0.0), (0.0, 0.5, 0.2)),), camera_pose(self.pose.head))


@pytest.fixture
def body() -> DuckWorld:
    return DuckWorld()


@pytest.fixture(autouse=True)
def _connected(body: DuckWorld, tmp_path: Path) -> None:
    context = ToolContext(body, Deadline(30.0), lambda _progress: None)
    host.connect(DirectLink(Broker(body, context, Equipment(tmp_path), Need).answer))


def awaited(value: Any) -> Any:
    async def wait() -> Any:
        return await value

    return asyncio.run(wait())


DUCK = {
    **{"name": "duck", "confidence": 0.91, "yaw_deg": 90.0, "pitch_deg": 0.0},
    **{"x_m": 0.0, "y_m": 0.5, "z_m": 0.2},
}


def test_guest_function_works_with_and_without_await() -> None:
    for value, expected in (
        (reachy_agent.say("Hello."), "Hello."),
        (reachy_agent.analyze_scene("What is there?"), "A duck and an apple."),
        (reachy_agent.detect_objects("duck"), [DUCK]),
        (reachy_agent.detect_objects(), [DUCK]),
    ):
        assert value == expected
        assert awaited(value) == expected
    photo = reachy_agent.take_photo()
    assert Path(photo["path"]).is_file()
    assert awaited(photo) == photo == {"path": photo["path"], "width": 4, "height": 2}


def test_scene_description_contains_detected_objects() -> None:
    scene = reachy_agent.analyze_scene("list objects")
    assert scene.split(" and ") == ["A duck", "an apple."]
    assert scene.detected == ["duck", "apple"]


def test_named_move_is_played_from_its_move_library(body: DuckWorld) -> None:
    reachy_agent.express_emotion("joy", 0.5)
    reachy_agent.dance("yeah_nod")
    reachy_agent.gesture("nod")
    reachy_agent.play_move("mine")
    reachy_agent.look_at(0.6, 0.1, 0.2, 1.5)
    assert body.motions == [
        NamedMotion(MoveLibrary.EMOTION, "joy", 0.5),
        NamedMotion(MoveLibrary.DANCE, "yeah_nod"),
        NamedMotion(MoveLibrary.GESTURE, "nod"),
        NamedMotion(MoveLibrary.RECORDED, "mine"),
        GazeMotion((0.6, 0.1, 0.2), 1.5),
    ]


def test_guest_functions_are_available_without_import(run: Any) -> None:
    def answer(verb: str, _arguments: Mapping[str, Any]) -> Any:
        return {"ask_scene": {"answer": "apple, duck", "detected": []}, "say": "done", "sleep": (0.0, True)}[verb]

    source = (
        "async def tool() -> dict:\n"
        "    objects = set((await analyze_scene('list objects')).split(', '))\n"
        "    return {'objects': sorted(objects), 'said': say('done')}\n"
    )
    assert run(source, answer)["result"] == {"objects": ["apple", "duck"], "said": "done"}
