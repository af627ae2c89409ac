"""Responses of a scripted model in both tool protocols."""

import json
from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint

HANDOFF = "transfer_to_robot"


class Protocol:
    """Tool protocol of a scripted model: native tool calls, or JSON in the text."""

    def __init__(self, native: bool) -> None:
        self.native = native

    def call(self, name: str, arguments: dict[str, Any]) -> ScriptedAnswer:
        if self.native:
            return ScriptedAnswer(calls=((name, arguments),))
        return ScriptedAnswer(json.dumps({"tool": name, "args": arguments}))

    def reply(self, text: str) -> ScriptedAnswer:
        return ScriptedAnswer(text if self.native else json.dumps({"reply": text}))

    def server(self, *answers: ScriptedAnswer) -> ScriptedEndpoint:
        return ScriptedEndpoint(list(answers), passes_self_test=self.native)
