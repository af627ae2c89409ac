"""The verb that tells the time, and lets it pass."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tool_generation.broker.lease import Lease
from reachy_agent_ros.tool_generation.broker.run import Run
from reachy_agent_ros.tool_generation.broker.verb import Verb

SLICE = 1.0
"""s of a rehearsal's time after which a cancel is noticed; on the twin they take some 30 ms."""


class Sleep(ToolArguments):
    """For how long, s."""

    seconds: float = Field(ge=0.0)


def _sleep(arguments: Sleep, run: Run, _lease: Lease) -> tuple[float, bool]:
    """Returns the time it then is, s since the run began, and whether time passes by itself."""
    time = run.equipment.time
    if time is None:
        run.context.cancel.wait(min(arguments.seconds, run.equipment.time_limit))
        run.context.cancel.raise_if_cancelled()
        return run.elapsed, True
    allowed = run.equipment.time_limit - run.elapsed
    left = min(arguments.seconds, allowed)
    while left > 0.0:
        run.context.cancel.raise_if_cancelled()
        time.wait(min(left, SLICE))
        left -= SLICE
    if arguments.seconds > allowed:
        raise run.out_of_time()
    return run.elapsed, False


VERBS: dict[str, Verb[Any]] = {"sleep": Verb(Sleep, _sleep, None)}
