"""Speaking."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.tool import Tool, ToolSpecification


class SpeakArguments(ToolArguments):
    """What to say."""

    text: str = Field(min_length=1, max_length=1000, description="Plain text, spoken as it is written.")


def _speak(arguments: SpeakArguments, context: ToolContext) -> dict[str, Any]:
    return {"spoken": context.body.say(arguments.text, context)}


speak = Tool(
    ToolSpecification(
        name="speak",
        description="Says a text aloud and returns when it was said.",
        arguments=SpeakArguments,
        time_limit=120.0,
    ),
    _speak,
)
