"""A conversation as plain text, for servers that know no tool messages."""

from __future__ import annotations

import json
from typing import Any, TypeAlias, cast

from agents.models.chatcmpl_converter import Converter
from openai.types.chat import ChatCompletionMessageParam

from reachy_agent_ros.mind.model.request import ModelRequest
from reachy_agent_ros.mind.model.step_protocol import StepProtocol

_GO_ON = 'Now tell me what came of it: {"reply": TEXT}, unless the request needs another tool.'
"""After a tool's result. Small models take a bare one for another request and call tools for ever; of the wordings
that were tried with one of 1.5 billion parameters, only those with the form of a reply in them ended that."""

Message: TypeAlias = ChatCompletionMessageParam


def step_messages(request: ModelRequest, protocol: StepProtocol) -> list[Message]:
    """The conversation of a request: calls as steps, results as what the person's side says."""
    system = f"{request.system_instructions or ''}\n\n{protocol.instructions}".strip()
    own = {tool.name for tool in request.tools}
    names: dict[str, str] = {}
    messages = [text_message("system", system)]
    for item in Converter.items_to_messages(request.input):
        message: dict[str, Any] = dict(item)
        if message["role"] == "tool":
            name = names.get(str(message["tool_call_id"]), "tool")
            go_on = f"\n{_GO_ON}" if name in own else ""  # nothing came of a handoff yet
            messages.append(text_message("user", f"Result of {name}: {message['content']}{go_on}"))
            continue
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


def _arguments(text: str) -> Any:
    """Arguments of an earlier call; malformed ones stay as they are, or no later turn could be asked at all."""
    try:
        return json.loads(text or "{}")
    except json.JSONDecodeError:
        return text
