"""The JSON protocol: one step of an agent as one JSON object, which any server can be made to keep to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agents import FunctionTool
from jsonschema import Draft202012Validator
from openai.types.shared_params import ResponseFormatJSONSchema

from reachy_agent_ros.agent.model.call_text import WrittenCall, written_calls
from reachy_agent_ros.agent.model.reply_reader import well_formed
from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.tool_sheet import tool_sheet

MOST_CALLS = 8
"""Calls in one answer; more is no plan but a model that runs away."""

_RULES = """\
Answer with exactly one JSON object and nothing else. Either {"tool": NAME, "args": {...}} to use one of the tools
below and see its result, or {"reply": TEXT} to say TEXT to the person. Use only the tools that the request needs, and
none twice for the same thing. Once its results show that the request is done, or cannot be done, reply. Tools:
"""
_SEVERAL = """\
To use several tools one after the other: {"calls": [{"tool": NAME, "args": {...}}, ...]}.
"""


@dataclass(frozen=True)
class Call:
    """A call of a tool or handoff of the request.

    Attributes:
        tool: Its name.
        arguments: Valid by its schema.
    """

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """What the model wants to do next: say something, call tools, or first the one and then the other.

    Attributes:
        reply: What to tell the person, empty for nothing.
        calls: What to call, in order.
        salvaged: Whether the call was written in another format than the one asked for.
    """

    reply: str = ""
    calls: tuple[Call, ...] = ()
    salvaged: bool = False


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
        choice = request.model_settings.tool_choice
        self._chosen = choice if isinstance(choice, str) and choice in self._callables else None
        self._several = bool(tools) and request.model_settings.parallel_tool_calls is not False

    @property
    def instructions(self) -> str:
        """What to add to the system prompt. It is the same for the same tools, for the server's prompt cache."""
        lines = (tool_sheet(entry.name, entry.description, entry.schema) for entry in self._callables.values())
        return _RULES + (_SEVERAL if self._several else "") + "\n".join(lines)

    @property
    def response_format(self) -> ResponseFormatJSONSchema:
        """Value of the request's `response_format`: one call where the request chooses the tool, else any step."""
        calls = [
            _object(tool={"const": entry.name}, args=entry.schema or {"type": "object"})
            for entry in self._callables.values()
            if self._chosen in (None, entry.name)
        ]
        forms = calls if self._chosen else [*calls, _object(reply={"type": "string", "minLength": 1})]
        if self._several:
            forms.append(
                _object(calls={"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": MOST_CALLS})
            )
        schema: dict[str, object] = {"anyOf": forms}
        return {"type": "json_schema", "json_schema": {"name": "step", "strict": True, "schema": schema}}

    def parse(self, text: str) -> Step:
        """Reads the model's answer; the server's promise to keep to the schema is not relied upon.

        Raises:
            StepError: It is no step of this protocol.
        """
        written = written_calls(text, self._callables)
        if written:
            return Step(calls=self._calls({"calls": [_entry(call) for call in written]}), salvaged=True)
        try:
            value = json.loads(text, strict=False)
        except json.JSONDecodeError as error:
            raise StepError(f"That was not one JSON object: {error}.") from error
        except RecursionError as error:
            raise StepError("That was JSON, but nested too deeply.") from error
        if not isinstance(value, dict):
            raise StepError("That was JSON, but not an object.")
        reply = value.get("reply", "")
        step = Step(well_formed(reply) if isinstance(reply, str) else "", self._calls(value))
        if not step.reply.strip() and not step.calls:
            raise StepError('The object has neither "tool" nor a "reply" with text.')
        return step

    def _calls(self, value: dict[str, Any]) -> tuple[Call, ...]:
        entries = value.get("calls", [value] if "tool" in value else [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise StepError('"calls" must be a list of objects with "tool" and "args".')
        if len(entries) > MOST_CALLS:
            raise StepError(f"Those were {len(entries)} calls. At most {MOST_CALLS} may be made at once.")
        return tuple(self._call(entry.get("tool"), entry.get("args", {})) for entry in entries)

    def _call(self, name: Any, arguments: Any) -> Call:
        entry = self._callables.get(name) if isinstance(name, str) else None
        if entry is None:
            raise StepError(f"There is no tool {name!r:.60}. There are: {', '.join(self._callables) or 'none'}.")
        problem = next(Draft202012Validator(entry.schema or {"type": "object"}).iter_errors(arguments), None)
        if problem is not None:
            raise StepError(f"The args of {name} are wrong: {problem.message:.200}.")
        return Call(entry.name, arguments)


def _entry(call: WrittenCall) -> dict[str, Any]:
    return {"tool": call.name, "args": call.arguments}


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
