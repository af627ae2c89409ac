import json
from functools import partial

import pytest

from reachy_agent_ros.cli.commands import schedule
from reachy_agent_ros.core.errors import AgentError
from support.command_line import run_command

run = partial(run_command, schedule)


@pytest.mark.usefixtures("agent")
def test_adds_lists_and_cancels_entries(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("add", "timer", "ten minutes", "pasta", "--json") == 0
    timer = json.loads(capfd.readouterr().out)
    assert (timer["kind"], timer["text"], timer["duration_s"], timer["ringing"]) == ("timer", "pasta", 600.0, False)
    assert run("add", "reminder", "jeden Werktag um 9 Uhr", "Blumen gießen", "--json") == 0
    reminder = json.loads(capfd.readouterr().out)
    assert (reminder["language"], reminder["rrule"]) == ("de", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
    assert run() == 0
    listed = capfd.readouterr().out
    assert listed.index("pasta") < listed.index("Blumen gießen")
    for entry in (timer, reminder):
        assert run("cancel", str(entry["id"])) == 0
        assert capfd.readouterr().out == f"Canceled entry {entry['id']}.\n"
    assert run() == 0
    assert "There are no timers, alarms or reminders.\n" in capfd.readouterr().err
    with pytest.raises(AgentError, match=f"Unknown schedule entry {timer['id']}"):
        run("cancel", str(timer["id"]))


@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize(
    ("kind", "when", "message"),
    [
        ("timer", "10 years", "I need a duration between 1 second and 30 days"),
        ("timer", "tomorrow at 7 am", "Invalid time 'tomorrow at 7 am' of a timer: expected a duration"),
        ("alarm", "whenever", "I need to know when"),
        ("reminder", "in ten minutes", "I need to know what to remind you of"),
    ],
)
def test_rejects_entry_with_impossible_time_or_text(kind: str, when: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        run("add", kind, when)


@pytest.mark.parametrize("arguments", [("add", "nap", "ten minutes"), ("cancel", "0"), ("cancel", "first")])
def test_rejects_invalid_arguments(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit):
        run(*arguments)
