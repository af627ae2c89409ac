"""The verb that lets a rehearsal's time pass."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.toolsmith.broker.lease import Lease
from reachy_agent_ros.toolsmith.broker.run import Run
from reachy_agent_ros.toolsmith.broker.verb import Verb


class Sleep(ToolArguments):
    """For how long, s."""

    seconds: float = Field(ge=0.0)


def _sleep(arguments: Sleep, run: Run, _lease: Lease) -> float:
    """Returns the time it then is, s since the run began."""
    time = run.equipment.time
    if time is None:
        raise run.refused(ErrorCode.INVALID_GOAL, "time is real: it passes by itself")
    left = run.equipment.time_limit - run.elapsed
    if arguments.seconds > 0.0:
        time.wait(min(arguments.seconds, left))
    if arguments.seconds > left:
        raise run.out_of_time()
    return run.elapsed


VERBS: dict[str, Verb[Any]] = {"sleep": Verb(Sleep, _sleep)}
