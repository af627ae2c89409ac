"""How a scripted model speaks, in both tool protocols."""

import json
from typing import Any

from reachy_agent_ros.testing.scripted_endpoint import Answer, ScriptedEndpoint

HANDOFF = "transfer_to_robot"


class Protocol:
    """Natively, or in JSON."""

    def __init__(self, native: bool) -> None:
        self.native = native

    def call(self, name: str, arguments: dict[str, Any]) -> Answer:
        if self.native:
            return Answer(calls=((name, arguments),))
        return Answer(json.dumps({"tool": name, "args": arguments}))

    def reply(self, text: str) -> Answer:
        return Answer(text if self.native else json.dumps({"reply": text}))

    def server(self, *answers: Answer) -> ScriptedEndpoint:
        return ScriptedEndpoint(list(answers), passes_self_test=self.native)
