import asyncio
import json
import uuid
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from reachy_agent_ros.agent.toolbox.clock import clock_tools
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome

TOOLS = OwnTools(clock_tools(lambda: datetime(2026, 11, 22, 23, 5, tzinfo=ZoneInfo("Europe/Paris"))))


def told(time_zone: str = "", tools: OwnTools = TOOLS) -> ToolOutcome:
    call = ToolCall("current_time", json.dumps({"time_zone": time_zone}), uuid.uuid4())
    return asyncio.run(tools.call(call))


def test_clock_tool_returns_time_as_sentence() -> None:
    assert json.loads(told().result_json) == {
        "sentence": "It is 23:05 on Sunday, 22 November 2026.",
        "time": "23:05",
        "date": "2026-11-22",
        "weekday": "Sunday",
        "time_zone": "CET, UTC+01:00",
    }


def test_clock_tool_returns_date_in_requested_time_zone() -> None:
    result = json.loads(told("Asia/Tokyo").result_json)
    assert result["sentence"] == "It is 07:05 on Monday, 23 November 2026."
    assert result["time_zone"] == "JST, UTC+09:00"


def test_clock_tool_returns_time_zone_of_system() -> None:
    result = json.loads(told(tools=OwnTools(clock_tools())).result_json)
    assert "UTC" in result["time_zone"]


@pytest.mark.parametrize("name", ["Paris", "../../etc/passwd", "/etc/passwd", "Asia", "\0", "Asia/\ud800"])
def test_clock_tool_rejects_unknown_time_zone(name: str) -> None:
    error = told(name).error
    assert error is not None
    assert error.code is ErrorCode.INVALID_ARGUMENTS
