"""Tests of the voice tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.tool import Tool

TOOLS = {tool.specification.name: tool for tool in predefined_tools(Path("unused"), ["joy"], ["nod"])}


def call(body: RecordingBody, name: str, **arguments: Any) -> Any:
    tool: Tool = TOOLS[name]
    context = ToolContext(body, Deadline(5.0), lambda _progress: None)
    return tool.handler(tool.specification.arguments(**arguments), context)


def test_speak_tool_speaks_text() -> None:
    body = RecordingBody()
    assert call(body, "speak", text="Good morning.") == {"spoken": "Good morning."}
    assert body.said == ["Good morning."]


@pytest.mark.parametrize(
    ("before", "arguments", "after"),
    [
        (100, {"level_percent": 40}, 40),
        (100, {"level_percent": 0}, 0),
        (100, {"change": "down"}, 80),
        (100, {"change": "up"}, 100),
        (90, {"change": "up"}, 100),
        (25, {"change": "down"}, 10),
        (5, {"change": "down"}, 5),
        (0, {"change": "up"}, 20),
        (60, {"level_percent": 30, "change": "up"}, 30),
        (60, {}, 60),
    ],
)
def test_set_volume_tool_accepts_level_or_step(before: int, arguments: dict[str, Any], after: int) -> None:
    body = RecordingBody(loudness=before / 100.0)
    assert call(body, "set_volume", **arguments) == {"level_percent": after, "previous_percent": before}
    assert body.loudness == pytest.approx(after / 100.0)
