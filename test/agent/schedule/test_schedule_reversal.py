import asyncio
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.schedule.announcer import Announcer
from reachy_agent_ros.agent.schedule.entry import Entry
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_reversal import ScheduleReversal
from reachy_agent_ros.agent.schedule.tools import schedule_tools
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools, Toolbox
from reachy_agent_ros.agent.undo.undo import Undo
from reachy_agent_ros.agent.undo.undo_tool import CHANGED, NOTHING
from reachy_agent_ros.tools.protocol.tools import ToolCall
from support.agent.simulated_clocks import SimulatedClocks
from support.agent.undoable_robot import UndoableRobot

Use = Callable[..., str]


@pytest.fixture
def use(schedule: Schedule, tmp_path: Path) -> Use:
    """Calls a tool in a turn of its own. Returns its sentence, or the message of its error."""

    async def silent(_text: str) -> None: ...

    async def permit(_call: object) -> None: ...

    own = OwnTools(schedule_tools(schedule, Announcer(schedule, silent)))
    undo = Undo(tmp_path, Toolbox(UndoableRobot(), own), permit)
    undo.add(ScheduleReversal(schedule))
    own.add([undo.tool])

    def call(tool: str, language: str = "en", **arguments: Any) -> str:
        request = ToolCall(tool, json.dumps(arguments), uuid.uuid4(), "talk", language=language)
        outcome = asyncio.run(undo.tools.call(request))
        return outcome.error.message if outcome.error else str(json.loads(outcome.result_json)["sentence"])

    return call


def shown(schedule: Schedule) -> list[tuple[int, str, Entry]]:
    return [(entry.identity, entry.text, entry) for entry in schedule.entries()]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("set_timer", {"duration_s": 60, "name": "tea"}),
        ("set_alarm", {"time": "tomorrow at 7 am"}),
        ("set_reminder", {"text": "stretch", "delay_s": 900}),
        ("change_timer", {"change_s": 120, "name": "pasta"}),
        ("cancel_schedule", {"kind": "timer", "name": "pasta"}),
        ("cancel_schedule", {"kind": "any", "all": True}),
    ],
)
def test_undo_restores_schedule(use: Use, schedule: Schedule, tool: str, arguments: dict[str, Any]) -> None:
    use("set_timer", duration_s=600, name="pasta")
    use("set_reminder", text="water the plants", time="every weekday at nine")
    before = shown(schedule)
    use(tool, **arguments)
    assert shown(schedule) != before
    assert use("undo") not in (NOTHING, CHANGED)
    assert shown(schedule) == before


def test_says_what_undo_has_changed(use: Use) -> None:
    use("set_timer", "de", duration_s=600, name="Nudeln")
    use("cancel_schedule", "de", kind="timer")
    assert use("undo") == "Timer Nudeln: noch 10 Minuten."
    assert "Timer Nudeln" in use("undo")
    assert use("list_schedule", kind="timer") == "There is no timer."


def test_entry_that_fires_in_meantime_does_not_prevent_undo(
    use: Use, schedule: Schedule, clocks: SimulatedClocks
) -> None:
    use("set_timer", duration_s=60, name="tea")
    use("set_timer", duration_s=600, name="pasta")
    use("cancel_schedule", kind="timer", name="pasta")
    clocks.advance(61.0)
    assert [firing.entry.text for firing in schedule.fire()] == ["tea"]
    use("undo")
    assert [entry.text for entry in schedule.entries()] == ["pasta"]


def test_announced_timer_cannot_be_undone(use: Use, schedule: Schedule, clocks: SimulatedClocks) -> None:
    use("set_timer", duration_s=60, name="tea")
    clocks.advance(61.0)
    schedule.fire()
    assert use("undo") == "It has been announced already, so there is nothing left to undo."
    assert use("undo") == NOTHING


def test_timer_that_would_be_overdue_stays_canceled(use: Use, schedule: Schedule, clocks: SimulatedClocks) -> None:
    use("set_timer", duration_s=60, name="tea")
    use("cancel_schedule", kind="timer")
    clocks.advance(61.0)
    assert use("undo") not in (NOTHING, CHANGED)
    assert schedule.entries() == []


def test_timer_that_a_program_has_changed_is_left_alone(use: Use, schedule: Schedule) -> None:
    use("set_timer", duration_s=600)
    schedule.prolong(schedule.entries()[0].identity, 60.0)  # by a program
    assert use("undo") == CHANGED
    assert len(schedule.entries()) == 1


def test_restored_schedule_is_on_disk(use: Use, schedule: Schedule, opened: Callable[[], Schedule]) -> None:
    use("set_timer", duration_s=600, name="pasta")
    before = schedule.entries()
    use("cancel_schedule", kind="timer")
    use("undo")
    schedule.close()
    assert opened().entries() == before
