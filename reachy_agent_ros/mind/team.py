"""The agents and who hands over to whom."""

from __future__ import annotations

from typing import Any

from agents import Agent, Model, ModelSettings, Tool

COORDINATOR = "coordinator"
ROBOT = "robot"

# The instructions are constants: a prompt that begins with the same bytes is read from the server's cache.
_COMMON = (
    "You are part of the mind of Reachy Mini, a small desk robot with a head that turns and tilts, two antennas, a "
    "body that rotates, a camera and a voice. What you answer is spoken aloud: use one to three short plain "
    "sentences, no lists, no markup. Never say that something was done unless the result of a tool shows it. If a "
    "tool returns an error, say so plainly. You cannot see pictures, not even those the robot takes. What stands in "
    "square brackets after a person's words was done by the robot's reflexes: never do it again."
)
_COORDINATOR = (
    f"{_COMMON} You talk with the person. Whenever something is to be moved, measured, photographed, shown or said "
    "aloud on request, hand over to the robot specialist at once and without comment."
)
_ROBOT = (
    f"{_COMMON} You are the robot specialist: you use the tools. Use one at a time, see its result, go on until what "
    "was asked for is done, then tell the person what really happened."
)


def build_team(model: Model, tools: list[Tool], max_tokens: int) -> Agent[Any]:
    """The coordinator, who hands over to the robot specialist.

    Args:
        model: For both.
        tools: The specialist's.
        max_tokens: Longest answer of either.

    Returns:
        The agent every turn starts with.
    """
    settings = ModelSettings(temperature=0.0, parallel_tool_calls=False, max_tokens=max_tokens, include_usage=True)
    robot: Agent[Any] = Agent(
        name=ROBOT,
        handoff_description="Moves the robot, takes photos, measures its state and shows emotions.",
        instructions=_ROBOT,
        model=model,
        model_settings=settings,
        tools=tools,
    )
    return Agent(name=COORDINATOR, instructions=_COORDINATOR, model=model, model_settings=settings, handoffs=[robot])
