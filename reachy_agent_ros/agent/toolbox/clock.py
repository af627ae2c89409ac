"""Clock tool `current_time`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field

from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall

# Not strftime, whose names depend on the system's language: the robot speaks English.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class _CurrentTime(ToolArguments):
    time_zone: str = Field(
        default="",
        description="IANA time zone of another place, such as 'Asia/Tokyo'; empty for the local time.",
        max_length=60,
    )


def clock_tools(now: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> list[OwnTool[Any]]:
    """Returns the tool `current_time`.

    Args:
        now: Returns the local time with its time zone.
    """

    async def current_time(arguments: _CurrentTime, call: ToolCall) -> dict[str, Any]:
        moment = now()
        return _told(moment.astimezone(time_zone(arguments.time_zone)) if arguments.time_zone else moment)

    return [
        OwnTool(
            "current_time",
            "Returns the time, date and weekday, here or elsewhere. Always use it for these; never guess.",
            _CurrentTime,
            current_time,
            specialist="coordinator",
        )
    ]


def _told(moment: datetime) -> dict[str, Any]:
    offset = f"{moment:%z}"
    weekday, month = _WEEKDAYS[moment.weekday()], _MONTHS[moment.month - 1]
    return {
        "sentence": f"It is {moment:%H:%M} on {weekday}, {moment.day} {month} {moment.year}.",
        "time": f"{moment:%H:%M}",
        "date": f"{moment:%Y-%m-%d}",
        "weekday": weekday,
        "time_zone": f"{moment.tzname()}, UTC{offset[:3]}:{offset[3:5]}",
    }


def time_zone(name: str) -> ZoneInfo:
    """Returns a time zone.

    Args:
        name: IANA name.

    Raises:
        AgentError: `INVALID_ARGUMENTS` for an unknown name.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        reason = f"Invalid time zone {name!r:.80}: expected a name such as Europe/Paris or Asia/Tokyo."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason) from error
