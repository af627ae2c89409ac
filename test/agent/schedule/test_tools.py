import asyncio
import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.provenance.label import Label, OriginKind, written
from reachy_agent_ros.agent.schedule.announcer import Announcer
from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.tools import schedule_tools
from reachy_agent_ros.agent.toolbox.spoken_tool import SpokenError
from reachy_agent_ros.agent.toolbox.tool_names import SCHEDULE_TOOLS
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome
from support.agent.simulated_clocks import SimulatedClocks

Use = Callable[..., ToolOutcome]


@pytest.fixture
def use(schedule: Schedule) -> Use:
    async def silent(_text: str) -> None: ...

    tools = OwnTools(schedule_tools(schedule, Announcer(schedule, Announcements(silent))))

    def call(tool: str, language: str = "", origin: str = "", **arguments: Any) -> ToolOutcome:
        request = ToolCall(tool, json.dumps(arguments), uuid.uuid4(), language=language, origin=origin)
        return asyncio.run(tools.call(request))

    return call


def said(outcome: ToolOutcome) -> str:
    assert outcome.error is None, outcome.error
    return str(json.loads(outcome.result_json)["sentence"])


def test_every_tool_has_its_name_in_the_list(schedule: Schedule) -> None:
    async def silent(_text: str) -> None: ...

    assert [tool.name for tool in schedule_tools(schedule, Announcer(schedule, Announcements(silent)))] == list(
        SCHEDULE_TOOLS
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "I set a timer for 10 minutes: pasta."),
        ("de", "Der Timer läuft: 10 Minuten: pasta."),
        ("fr", "Le minuteur est lancé : 10 minutes: pasta."),
        ("es", "He puesto el temporizador: 10 minutos: pasta."),
        ("it", "Il timer è partito: 10 minuti: pasta."),
        ("pt", "O temporizador está a contar: 10 minutos: pasta."),
    ],
)
def test_confirms_timer_in_language_of_request(use: Use, schedule: Schedule, language: str, sentence: str) -> None:
    assert said(use("set_timer", language, duration_s=600, name="pasta")) == sentence
    assert [entry.language for entry in schedule.entries()] == [language]


def test_alarm_at_skipped_hour_says_so(use: Use, schedule: Schedule) -> None:
    sentence = said(use("set_alarm", "en", time="March 28 at 2:30 am"))
    moved = "The clocks skip that time, so I take the one an hour later."
    assert sentence == f"I set an alarm on March 28, 2027 at 3:30 am. {moved}"


def test_alarm_with_delay(use: Use, schedule: Schedule) -> None:
    use("set_alarm", "en", delay_s=1200, name="tea")
    (entry,) = schedule.entries()
    assert (entry.kind, entry.text) == (EntryKind.ALARM, "tea")
    assert schedule.time_left(entry) == pytest.approx(1200.0)


def test_alarm_without_time_is_rejected(use: Use, schedule: Schedule) -> None:
    outcome = use("set_alarm", "en")
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.INVALID_ARGUMENTS
    assert schedule.entries() == []


def test_cancels_named_timer_of_several(use: Use, schedule: Schedule) -> None:
    use("set_timer", duration_s=600, name="pasta")
    use("set_timer", duration_s=720, name="eggs")
    use("cancel_schedule", kind="timer", name="pasta")
    assert [entry.text for entry in schedule.entries()] == ["eggs"]


def test_reminder_with_delay(use: Use, schedule: Schedule) -> None:
    assert said(use("set_reminder", "en", text="stretch", delay_s=20)) == "I will remind you in 20 seconds: stretch."
    assert schedule.entries()[0].text == "stretch"


def test_reminder_with_time_in_its_text(use: Use) -> None:
    sentence = said(use("set_reminder", "en", text="every weekday at nine to water the plants"))
    assert sentence == "I will remind you every weekday at 9 am: water the plants."


def test_reminder_needs_more_than_time(use: Use) -> None:
    outcome = use("set_reminder", "de", text="morgen um 8 Uhr")
    assert isinstance(outcome.error, SpokenError)
    assert outcome.error.message == "Ich muss wissen, woran ich dich erinnern soll."


def test_rejects_negative_timer_in_language_of_request(use: Use) -> None:
    outcome = use("set_timer", "fr", duration_s=-300)
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.INVALID_ARGUMENTS
    assert outcome.error.message == "Il me faut une durée entre 1 seconde et 30 jours."


def test_tells_time_that_is_left(use: Use, clocks: SimulatedClocks) -> None:
    use("set_timer", duration_s=600, name="pasta")
    clocks.advance(240.0)
    assert said(use("list_schedule", kind="timer")) == "Timer pasta: 6 minutes left."


def test_lists_entries_in_order_of_due_time(use: Use) -> None:
    use("set_alarm", time="tomorrow at 7 am")
    use("set_timer", duration_s=600)
    assert said(use("list_schedule")) == "You have set: timer in 10 minutes and alarm tomorrow at 7 am."


def test_says_that_nothing_is_set(use: Use) -> None:
    assert said(use("list_schedule", kind="alarm")) == "There is no alarm."


def test_adds_time_to_only_timer(use: Use, schedule: Schedule) -> None:
    use("set_timer", duration_s=600)
    assert said(use("change_timer", change_s=300)) == "Timer: 15 minutes left now."
    assert schedule.time_left(schedule.entries()[0]) == pytest.approx(900.0)


def test_asks_which_of_several_timers_is_meant(use: Use, schedule: Schedule) -> None:
    use("set_timer", duration_s=600, name="pasta")
    use("set_timer", duration_s=720, name="eggs")
    outcome = use("cancel_schedule", kind="timer")
    assert outcome.error is not None
    items = "timer pasta in 10 minutes and timer eggs in 12 minutes"
    assert outcome.error.message == f"I do not know which one you mean: {items}."
    assert said(use("cancel_schedule", kind="timer", name="Egg")) == "I canceled: timer eggs."
    assert [entry.text for entry in schedule.entries()] == ["pasta"]


def test_cancels_all_timers_but_no_alarm(use: Use, schedule: Schedule) -> None:
    use("set_timer", duration_s=600)
    use("set_timer", duration_s=700)
    use("set_alarm", time="tomorrow at 7 am")
    use("cancel_schedule", kind="timer", all=True)
    assert [entry.kind for entry in schedule.entries()] == [EntryKind.ALARM]


def test_rejects_snooze_if_nothing_rings(use: Use) -> None:
    error = use("snooze_alarm", "it").error
    assert error is not None
    assert error.message == "Adesso non suona niente."


def test_text_from_untrusted_source_keeps_its_label(use: Use) -> None:
    web = written([Label(OriginKind.WEB)])
    use("set_reminder", origin=web, text="buy things", delay_s=60)
    assert "web" in (use("list_schedule").origin or "")


def test_full_schedule_rejects_further_reminders(use: Use, schedule: Schedule) -> None:
    errors = [use("set_reminder", text=f"thing {number}", delay_s=60).error for number in range(201)]
    assert errors[:200] == [None] * 200
    assert isinstance(errors[200], AgentError)
    assert "Cancel some of them first" in errors[200].message
    entry: Entry = schedule.entries()[0]
    assert said(use("list_schedule")).endswith("and 195 more.")
    assert entry.text == "thing 0"
