"""Telling what is to be seen, in words."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.tool import Tool, ToolSpecification

_DESCRIBE = "What do you see?"


class DescribeImageArguments(ToolArguments):
    """What about it."""

    question: str = Field(_DESCRIBE, min_length=1, max_length=500, description="What to know about the picture.")


class AnalyzeSceneArguments(ToolArguments):
    """What to find out."""

    prompt: str = Field(min_length=1, max_length=2000, description="What to find out about what is in front, in words.")


def _describe_image(arguments: DescribeImageArguments, context: ToolContext) -> dict[str, Any]:
    return {"description": context.body.ask_about_scene(arguments.question, context).text}


def _analyze_scene(arguments: AnalyzeSceneArguments, context: ToolContext) -> dict[str, Any]:
    answer = context.body.ask_about_scene(arguments.prompt, context)
    return {"answer": answer.text, "detected": list(answer.labels)}


describe_image = Tool(
    ToolSpecification(
        name="describe_image",
        specialist="vision",
        untrusted_output=True,
        description="Takes a picture of what the head looks at and describes it, or answers a question about it.",
        arguments=DescribeImageArguments,
        time_limit=90.0,
    ),
    _describe_image,
)

analyze_scene = Tool(
    ToolSpecification(
        name="analyze_scene",
        specialist="vision",
        untrusted_output=True,
        description="Works out something about the scene in front, such as how many or which one, and says what it "
        "detected there.",
        arguments=AnalyzeSceneArguments,
        time_limit=90.0,
    ),
    _analyze_scene,
)
