"""A conversation as plain text, for servers that know no tool messages."""

from __future__ import annotations

import json
from typing import Any, TypeAlias, cast

from agents.models.chatcmpl_converter import Converter
from openai.types.chat import ChatCompletionMessageParam

from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.step_protocol import StepProtocol

_REPLY = 'Now tell me what came of it: {"reply": TEXT}, unless the request needs another tool.'
"""After a tool's result. Small models take a bare one for another request and call tools for ever; of the wordings
that were tried with one of 1.5 billion parameters, only those with the form of a reply in them ended that."""

_LED = 'If nothing is left to do but to tell me: {"reply": TEXT}.'
"""After a result that says itself what is next, as those of a plan do: told to reply all the same, a model leaves the
plan in the middle."""

_STEP_DONE = 'Do not do that again. Go on with what comes next, if anything does; else tell me: {"reply": TEXT}.'
"""After a result in between, which says nothing of the plan: told once more to do the step, a model does it twice."""

Message: TypeAlias = ChatCompletionMessageParam


def step_messages(request: ModelRequest, protocol: StepProtocol) -> list[Message]:
    """The conversation of a request: calls as steps, results as what the person's side says."""
    system = f"{request.system_instructions or ''}\n\n{protocol.instructions}".strip()
    own = {tool.name for tool in request.tools}
    names: dict[str, str] = {}
    led = False
    messages = [text_message("system", system)]
    for item in Converter.items_to_messages(request.input):
        message: dict[str, Any] = dict(item)
        if message["role"] == "tool":
            name, result = names.get(str(message["tool_call_id"]), "tool"), str(message["content"])
            leads = _leads(result)
            go_on = (_LED if leads else _STEP_DONE if led else _REPLY) if name in own else ""  # not after a handoff
            led |= leads
            messages.append(text_message("user", f"Result of {name}: {result}\n{go_on}".rstrip("\n")))
            continue
        if message["role"] == "user":
            led = False  # what a person says counts more
        if message.get("content"):
            messages.append(text_message(str(message["role"]), message["content"]))
        for call in message.get("tool_calls") or ():
            names[call["id"]] = call["function"]["name"]
            step = {"tool": call["function"]["name"], "args": _arguments(call["function"]["arguments"])}
            messages.append(text_message("assistant", json.dumps(step)))
    return messages


def text_message(role: str, content: Any) -> Message:
    """One message."""
    return cast("Message", {"role": role, "content": content})


def _leads(result: str) -> bool:
    """Whether a result says what is next; one that is marked as words of others leads nobody."""
    try:
        content = json.loads(result)
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and bool(content.get("next"))


def _arguments(text: str) -> Any:
    """Arguments of an earlier call; malformed ones stay as they are, or no later turn could be asked at all."""
    try:
        return json.loads(text or "{}")
    except json.JSONDecodeError:
        return text
