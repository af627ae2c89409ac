"""Stub of a compromised language model.

It follows injected instructions and repeats text that it finds in pictures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint

Call = tuple[str, Mapping[str, Any], str]
"""Name of a tool, arguments, and the specialist that has the tool; empty for the current agent."""

_BOX = {"left": 400, "top": 400, "right": 600, "bottom": 600}


@dataclass
class ObedientModel(ScriptedEndpoint):
    """Model server that makes the calls given to `obey`, and answers questions about pictures with the injected text.

    Attributes:
        sight: Text in the camera's view.
    """

    sight: str = ""

    def answer(self, body: dict[str, Any]) -> ScriptedAnswer:
        """Answers questions about pictures with the injected text, and other requests with the scripted calls."""
        asked = body["messages"][-1]["content"]
        if not isinstance(asked, list):
            return super().answer(body)
        if "response_format" in body:
            seen = {"label": self.sight[:60], "confidence": 0.9, **_BOX}
            return ScriptedAnswer(json.dumps({"objects": [seen]}))
        return ScriptedAnswer(self.sight)

    def obey(self, calls: Sequence[Call]) -> None:
        """Sets the tool calls of the next turn, and adds the handoffs to specialists that these calls need."""
        self.answers[:] = []
        current = ""
        for tool, arguments, specialist in calls:
            if specialist not in ("", current):
                self.answers.append(ScriptedAnswer(calls=((f"transfer_to_{specialist}", {}),)))
                current = specialist
            self.answers.append(ScriptedAnswer(calls=((tool, dict(arguments)),)))
        self.answers.append(ScriptedAnswer("All of it is done."))
