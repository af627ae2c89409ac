from __future__ import annotations

import pytest

from reachy_agent_ros.agent.conversation.tool_wish import wishes_tool


@pytest.mark.parametrize(
    "text",
    [
        "Write yourself a tool that turns a temperature in degrees Celsius into degrees Fahrenheit.",
        "I want you to have a tool that counts the vowels in a word.",
        "I want a tool that works out the median of a list of numbers; without any numbers it should refuse.",
        "Make yourself a tool for the area of a circle from its radius.",
        "could you please build me a small new tool which waves the left antenna?",
        "I would like another tool to greet people.",
        "Please CREATE A TOOL called blink",
        "I'd like you to have a tool that hums",
        "I do not know the answer. Write a tool that finds it.",
    ],
)
def test_who_asks_for_a_tool_is_understood(text: str) -> None:
    assert wishes_tool(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what tools do you have?",
        "I need a tool, the screwdriver",
        "do not write a tool that takes photos",
        "Please don't make a tool for that.",
        "never ever build another tool that moves",
        "who made a tool like this?",
        "take a photo every second for five seconds",
        "use the tool that counts vowels",
        "what is on the table looks like a tool for the garden",
    ],
)
def test_who_does_not_is_left_to_a_model(text: str) -> None:
    assert not wishes_tool(text)
