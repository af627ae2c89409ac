"""Stateless stub of a language model, in which an aborted turn does not consume the response to the next turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import SELF_TEST_TOOL, ScriptedAnswer, ScriptedEndpoint

WISH = re.compile(r"please remember that the (\w+) is (\w+)")
"""Pattern of a message that asks the robot to remember a fact."""


@dataclass
class AnsweringModel(ScriptedEndpoint):
    """Model server that replies with a fixed sentence or a call of the tool `remember`.

    Scripted answers come first.
    """

    def answer(self, body: dict[str, Any]) -> ScriptedAnswer:
        """Returns the next answer, which depends only on the messages of the request."""
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
