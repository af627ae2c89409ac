"""The JSON protocol: one step of an agent as one JSON object, which any server can be made to keep to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agents import FunctionTool
from jsonschema import Draft202012Validator
from openai.types.shared_params import ResponseFormatJSONSchema

from reachy_agent_ros.mind.model.request import ModelRequest

_RULES = """\
Answer with exactly one JSON object and nothing else. Either {"tool": NAME, "args": {...}} to use one of the tools
below and see its result, or {"reply": TEXT} to say TEXT to the person. Tools:
"""


@dataclass(frozen=True)
class Step:
    """What the model wants to do next: a reply, or a call.

    Attributes:
        reply: What to tell the person, empty with a call.
        tool: Tool to call, empty with a reply.
        arguments: Of the call.
    """

    reply: str
    tool: str
    arguments: dict[str, Any]


class StepError(ValueError):
    """An answer that is no step; its text tells the model what is wrong."""


@dataclass(frozen=True)
class _Callable:
    name: str
    description: str
    schema: dict[str, Any]


class StepProtocol:
    """The protocol for the tools and handoffs of one request.

    Args:
        request: Whose tools.
    """

    def __init__(self, request: ModelRequest) -> None:
        tools = [
            _Callable(tool.name, tool.description, tool.params_json_schema)
            for tool in request.tools
            if isinstance(tool, FunctionTool)
        ]
        handoffs = [
            _Callable(handoff.tool_name, handoff.tool_description, handoff.input_json_schema)
            for handoff in request.handoffs
        ]
        self._callables = {entry.name: entry for entry in [*tools, *handoffs]}

    @property
    def instructions(self) -> str:
        """What to add to the system prompt. It is the same for the same tools, for the server's prompt cache."""
        lines = (
            json.dumps({"tool": entry.name, "description": entry.description, "args": entry.schema})
            for entry in self._callables.values()
        )
        return _RULES + "\n".join(lines)

    @property
    def response_format(self) -> ResponseFormatJSONSchema:
        """Value of the request's `response_format`."""
        calls = [
            _object(tool={"const": entry.name}, args=entry.schema or {"type": "object"})
            for entry in self._callables.values()
        ]
        schema: dict[str, object] = {"anyOf": [*calls, _object(reply={"type": "string", "minLength": 1})]}
        return {"type": "json_schema", "json_schema": {"name": "step", "strict": True, "schema": schema}}

    def parse(self, text: str) -> Step:
        """Reads the model's answer; the server's promise to keep to the schema is not relied upon.

        Raises:
            StepError: It is no step of this protocol.
        """
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            raise StepError(f"That was not one JSON object: {error}.") from error
        if not isinstance(value, dict):
            raise StepError("That was JSON, but not an object.")
        if "tool" in value:
            return self._call(value["tool"], value.get("args", {}))
        reply = value.get("reply")
        if not isinstance(reply, str) or not reply.strip():
            raise StepError('The object has neither "tool" nor a "reply" with text.')
        return Step(reply, "", {})

    def _call(self, name: Any, arguments: Any) -> Step:
        entry = self._callables.get(name) if isinstance(name, str) else None
        if entry is None:
            raise StepError(f"There is no tool {name!r}. There are: {', '.join(self._callables) or 'none'}.")
        problem = next(Draft202012Validator(entry.schema or {"type": "object"}).iter_errors(arguments), None)
        if problem is not None:
            raise StepError(f"The args of {name} are wrong: {problem.message}.")
        return Step("", entry.name, arguments)


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
