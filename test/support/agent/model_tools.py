"""Tools of the test environment in the format sent to a model. The tools have no effects."""

from typing import Any

from agents import FunctionTool, Tool

from support.agent.world import catalogue


def model_tools() -> list[Tool]:
    return [FunctionTool(tool.name, tool.description, dict(tool.schema), _nothing, False) for tool in catalogue()]


async def _nothing(*_: Any) -> str:
    return "{}"
