"""The verb that speaks."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tool_generation.broker.allowance import LONGEST_SPEECH, SAYS
from reachy_agent_ros.tool_generation.broker.lease import Lease
from reachy_agent_ros.tool_generation.broker.run import Run
from reachy_agent_ros.tool_generation.broker.verb import Verb
from reachy_agent_ros.tool_generation.need import Need


class Say(ToolArguments):
    """What to say aloud."""

    text: str = Field(min_length=1, max_length=LONGEST_SPEECH)


def _say(arguments: Say, run: Run, _lease: Lease) -> str:
    run.spend("calls of say", SAYS)
    spoken = run.body.say(arguments.text, run.context)
    run.record.spoken.append(spoken)
    return spoken


VERBS: dict[str, Verb[Any]] = {"say": Verb(Say, _say, Need.VOICE)}
