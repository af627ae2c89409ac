"""JSON step protocol, in which each step of an agent is one JSON object.

The server must support JSON schemas.

Tools are described to the model briefly, because JSON schemas need more tokens and small models read slowly. Calls
that a model writes as text in another format are also recognized.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents import FunctionTool
from jsonschema import Draft202012Validator
from openai.types.shared_params import ResponseFormatJSONSchema

from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.core.sanitised_text import well_formed

MOST_CALLS = 8
"""Maximum number of calls in one answer. More calls indicate a runaway model."""

_RULES = """\
Answer with exactly one JSON object and nothing else. Either {"tool": NAME, "args": {...}} to use one of the tools
below and see its result, or {"reply": TEXT} to say TEXT to the person. Use only the tools that the request needs, and
none twice for the same thing. Once its results show that the request is done, or cannot be done, reply. Tools:
"""
_SEVERAL = """\
To use several tools one after the other: {"calls": [{"tool": NAME, "args": {...}}, ...]}.
"""

_OBJECT = {"type", "properties", "required", "additionalProperties", "title", "description"}
_BOUNDS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"}
_VALUE = {"type", "description", "title", "default", "enum", *_BOUNDS}
_SIMPLE = ("string", "number", "integer", "boolean")

_FENCE = re.compile(r"\A```(?:json)?|```\Z")
_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL)


@dataclass(frozen=True)
class ModelCall:
    """Call to a tool, or handoff to an agent.

    Attributes:
        tool: Name of the tool.
        arguments: Arguments as the model wrote them. In a `ModelStep` they conform to the tool's schema.
    """

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class ModelStep:
    """Next step of the model: a reply, tool calls, or a reply and then tool calls.

    Attributes:
        reply: Reply to the person, empty for none.
        calls: Calls in order.
        salvaged: Whether the calls were written in a format other than the requested one.
    """

    reply: str = ""
    calls: tuple[ModelCall, ...] = ()
    salvaged: bool = False


class StepError(ValueError):
    """Error for an answer that is not a valid step. The message explains the error to the model."""


@dataclass(frozen=True)
class _Callable:
    name: str
    description: str
    schema: dict[str, Any]


class StepProtocol:
    """Step protocol for the tools and handoffs of one request.

    Args:
        request: Request with the tools and handoffs.
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
        """Addition to the system prompt. The same tools yield the same text, so the server can cache the prompt."""
        lines = (tool_sheet(entry.name, entry.description, entry.schema) for entry in self._callables.values())
        return _RULES + (_SEVERAL if self._several else "") + "\n".join(lines)

    @property
    def response_format(self) -> ResponseFormatJSONSchema:
        """Schema for `response_format`. Allows calls of the prescribed tool only; without one, allows any step."""
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

    def parse(self, text: str) -> ModelStep:
        """Parses and validates the model's answer, because servers may ignore the schema.

        Raises:
            StepError: The answer is not a step of this protocol.
        """
        written = written_calls(text, self._callables)
        if written:
            return ModelStep(calls=self._checked([(call.tool, call.arguments) for call in written]), salvaged=True)
        try:
            value = json.loads(text, strict=False)
        except ValueError as error:
            raise StepError(f"That was not one JSON object: {error}.") from error
        except RecursionError as error:
            raise StepError("That was JSON, but nested too deeply.") from error
        if not isinstance(value, dict):
            raise StepError("That was JSON, but not an object.")
        reply = value.get("reply", "")
        step = ModelStep(well_formed(reply) if isinstance(reply, str) else "", self._calls(value))
        if not step.reply.strip() and not step.calls:
            raise StepError('The object has neither "tool" nor a "reply" with text.')
        return step

    def _calls(self, value: dict[str, Any]) -> tuple[ModelCall, ...]:
        entries = value.get("calls", [value] if "tool" in value else [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise StepError('"calls" must be a list of objects with "tool" and "args".')
        return self._checked([(entry.get("tool"), entry.get("args", {})) for entry in entries])

    def _checked(self, calls: Sequence[tuple[Any, Any]]) -> tuple[ModelCall, ...]:
        if len(calls) > MOST_CALLS:
            raise StepError(f"Those were {len(calls)} calls. At most {MOST_CALLS} may be made at once.")
        return tuple(self._call(name, arguments) for name, arguments in calls)

    def _call(self, name: Any, arguments: Any) -> ModelCall:
        entry = self._callables.get(name) if isinstance(name, str) else None
        if entry is None:
            raise StepError(f"There is no tool {name!r:.60}. There are: {', '.join(self._callables) or 'none'}.")
        problem = next(Draft202012Validator(entry.schema or {"type": "object"}).iter_errors(arguments), None)
        if problem is not None:
            raise StepError(f"The args of {name} are wrong: {problem.message:.200}.")
        return ModelCall(entry.name, arguments)


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def may_become_call(text: str) -> bool:
    """Returns whether a text with this beginning may be a tool call and must not be spoken yet."""
    return text.lstrip()[:1] in ("", "{", "[", "`", "<")


def written_calls(text: str, tools: Collection[str]) -> tuple[ModelCall, ...]:
    """Parses a text that consists only of tool calls.

    Args:
        text: Complete answer of the model. Fences, tags and doubled braces around the calls are removed.
        tools: Names of the known tools.

    Returns:
        Calls in order; empty if any part of the text is not a call. Ignores text after and between tagged calls.
    """
    whole = text.strip()
    bodies = _TAGGED.findall(whole) if whole.startswith("<tool_call>") else [_FENCE.sub("", whole)]
    calls = [call for body in bodies for call in _calls_in(body.strip(), tools)]
    return tuple(call for call in calls if call is not None) if None not in calls else ()


def _calls_in(body: str, tools: Collection[str]) -> list[ModelCall | None]:
    for candidate in (body, body.removeprefix("{").removesuffix("}")):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        return [_call_in(entry, tools) for entry in (value if isinstance(value, list) else [value])]
    return [None]


def _call_in(value: Any, tools: Collection[str]) -> ModelCall | None:
    if isinstance(value, dict) and isinstance(value.get("function"), dict):
        value = value["function"]
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str) or name not in tools:  # a list as a name is not hashable
        return None
    arguments = value.get("arguments", value.get("parameters", {}))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments or "{}")
        except (ValueError, RecursionError):
            return None
    return ModelCall(name, arguments) if isinstance(arguments, dict) else None


def tool_sheet(name: str, description: str, schema: Mapping[str, Any]) -> str:
    """Formats the description of a tool for a model's prompt.

    Args:
        name: Name of the tool.
        description: Description of the tool.
        schema: JSON schema of its arguments. Parts without a short form are kept as JSON.

    Returns:
        One line for the tool and one for each argument.
    """
    head = f"{name}: {description}"
    if not schema:
        return head
    if schema.get("type") != "object" or not _OBJECT.issuperset(schema):
        return f"{head}\n  args by the JSON schema {json.dumps(schema)}"
    required = schema.get("required", ())
    arguments = schema.get("properties", {})
    return "\n".join([head, *(f"  {key}: {_argument(value, key in required)}" for key, value in arguments.items())])


def _argument(value: Any, required: bool) -> str:
    if not isinstance(value, dict) or not _has_words(value):
        return f"{json.dumps(value)}{'' if required else ', optional'}"
    words = f". {value['description']}" if value.get("description") else ""
    return _kind(value) + _need(value, required) + words


def _has_words(value: Mapping[str, Any]) -> bool:
    bounds = (value[key] for key in _BOUNDS.intersection(value))
    return (
        value.get("type") in _SIMPLE
        and _VALUE.issuperset(value)
        and isinstance(value.get("enum", []), list)
        and all(isinstance(bound, int | float) for bound in bounds)
    )


def _kind(value: Mapping[str, Any]) -> str:
    if "enum" in value:
        return "one of " + ", ".join(json.dumps(each) for each in value["enum"])
    least = _bound(value, "minimum", "from {:g}") or _bound(value, "exclusiveMinimum", "above {:g}")
    most = _bound(value, "maximum", "to {:g}") or _bound(value, "exclusiveMaximum", "below {:g}")
    length = _bound(value, "maxLength", "of at most {:g} characters")
    return " ".join(word for word in (value["type"], least, most, length) if word)


def _bound(value: Mapping[str, Any], key: str, words: str) -> str:
    return words.format(value[key]) if key in value else ""


def _need(value: Mapping[str, Any], required: bool) -> str:
    if "default" in value:
        return f", default {json.dumps(value['default'])}"
    return "" if required else ", optional"
