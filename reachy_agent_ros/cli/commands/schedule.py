"""Lists, adds and cancels timers, alarms and reminders."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import Subcommands, whole
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, Row, show, show_list, shown_time
from reachy_agent_ros.core.names import ADD_SCHEDULE_ENTRY, AGENT, CANCEL_SCHEDULE_ENTRY, SCHEDULE

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import NodeClient

HEADER = ("ID", "KIND", "DUE", "REPEATED", "TEXT")

KINDS = ("timer", "alarm", "reminder")
"""Kinds in the order of the constants of the message `ScheduleEntry`."""

GROUP = Group.MANAGE

HELP = "list, add or cancel timers, alarms and reminders"

EXAMPLES = (
    "reachy-agent schedule",
    'reachy-agent schedule add timer "ten minutes" pasta',
    'reachy-agent schedule add reminder "every weekday at nine" "water the plants"',
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the subcommands. The default subcommand is `list`."""
    choices = Subcommands(parser, usual=_list, graph=True)
    choices.add("list", "list timers, alarms and reminders, the next one first", _list)
    added = choices.add("add", "add a timer, an alarm or a reminder", _add, example='alarm "tomorrow at 7:30 am"')
    added.add_argument("kind", choices=KINDS, help="kind of the entry")
    added.add_argument("time", metavar="WHEN", help='words such as "ten minutes" or "every day at 7 am"')
    added.add_argument("text", nargs="?", default="", help="name, or what to remind of")
    added.add_argument("--language", default="", metavar="L", help="language of WHEN, such as de; default: any")
    canceled = choices.add("cancel", "cancel an entry with all its repetitions", _cancel, example="3")
    canceled.add_argument("which", type=whole(1), metavar="ID", help="id of the entry")


def run(arguments: argparse.Namespace) -> int:
    """Runs the subcommand.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `NOT_FOUND`: there is no such entry;
            `INVALID_ARGUMENTS`: the time cannot be understood or used; `STORAGE_FAILED`.
    """
    from reachy_agent_ros.ros.client.client import joined

    with joined(AGENT, "schedule", arguments.namespace) as agent:
        arguments.subcommand(agent, arguments)
    return 0


def _list(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.msg import ScheduleEntryList

    entries = agent.latest(ScheduleEntryList, SCHEDULE).entries
    listed = [(_line(entry), _row(entry)) for entry in entries]
    show_list(HEADER, listed, arguments.json, "There are no timers, alarms or reminders.")


def _add(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.srv import AddScheduleEntry

    request = AddScheduleEntry.Request(
        kind=KINDS.index(arguments.kind), text=arguments.text, time=arguments.time, language=arguments.language
    )
    line = _line(agent.ask(AddScheduleEntry, ADD_SCHEDULE_ENTRY, request).entry)
    words = f"The {arguments.kind} is due {_due(line['due'])}. To cancel: reachy-agent schedule cancel {line['id']}"
    show(line, words, arguments.json)


def _cancel(agent: NodeClient, arguments: argparse.Namespace) -> None:
    from reachy_agent_msgs.srv import CancelScheduleEntry

    agent.ask(CancelScheduleEntry, CANCEL_SCHEDULE_ENTRY, CancelScheduleEntry.Request(id=arguments.which))
    show({"id": arguments.which}, f"Canceled entry {arguments.which}.", arguments.json)


def _line(entry: Any) -> dict[str, Any]:
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    return {
        "id": entry.id,
        "kind": KINDS[entry.kind],
        "text": entry.text,
        "language": entry.language,
        "due": seconds_of(entry.due),
        "duration_s": seconds_of(entry.duration) or None,
        "time_zone": entry.time_zone or None,
        "rrule": entry.rrule or None,
        "ringing": entry.ringing,
    }


def _row(entry: Any) -> Row:
    line = _line(entry)
    due = "ringing now" if line["ringing"] else _due(line["due"])
    return str(line["id"]), Cell(line["kind"], "bold"), due, line["rrule"] or "once", line["text"]


def _due(due: float) -> str:
    """Describes a time (s since the epoch), with the time that is left if it is less than an hour."""
    left = round(due - time.time())
    return f"in {left // 60}:{left % 60:02d} min" if 0 <= left < 3600 else f"at {shown_time(due)}"
