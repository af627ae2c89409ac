"""A model that answers whatever is said to it, so that a turn that dies takes no answer from the next one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import SELF_TEST_TOOL, ScriptedAnswer, ScriptedEndpoint

WISH = re.compile(r"please remember that the (\w+) is (\w+)")
"""Message that asks the robot to remember a fact."""


@dataclass
class AnsweringModel(ScriptedEndpoint):
    """Repeats a message, or calls the tool that stores a fact. Scripted answers come first."""

    def answer(self, body: dict[str, Any]) -> ScriptedAnswer:
        """Answers from the conversation alone, and keeps nothing of it."""
        names = [tool["function"]["name"] for tool in body.get("tools", [])]
        if self.answers or names == [SELF_TEST_TOOL]:
            return super().answer(body)
        return _next(body["messages"])


def _next(messages: Sequence[dict[str, Any]]) -> ScriptedAnswer:
    spoken = [number for number, message in enumerate(messages) if message["role"] == "user"]
    latest = messages[spoken[-1] :] if spoken else messages
    wish = WISH.search(str(latest[0]["content"]))
    if wish is None:
        return ScriptedAnswer("I will think about that.")
    key, text = wish.groups()
    steps = (
        ScriptedAnswer(calls=(("transfer_to_memory", {}),)),
        ScriptedAnswer(calls=(("remember", {"key": key, "text": text}),)),
        ScriptedAnswer("I will remember it."),
    )
    done = sum("tool_calls" in message for message in latest)
    return steps[min(done, len(steps) - 1)]
