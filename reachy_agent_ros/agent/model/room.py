"""Whether a request fits what a model reads: servers cut silently what does not, at the front, where the tools are."""

from __future__ import annotations

import json
import logging

from agents import FunctionTool

from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.core.errors import AgentError, ErrorCode

CHARACTERS_PER_TOKEN = 4.0
"""Of English and JSON, on the high side: a request is refused only when it certainly does not fit."""

CONVERSATION = 2048
"""Tokens that should be left for the conversation and the answer."""

ENOUGH = 8192
"""Tokens in which all of that has room, with the robot's own tools."""

REMEDY = "Give it 16384: OLLAMA_CONTEXT_LENGTH=16384 for Ollama, --ctx-size 16384 for llama.cpp."
"""What to do about too few."""

_log = logging.getLogger(__name__)


def fixed_tokens(request: ModelRequest) -> int:
    """Tokens of the instructions and tools, which every request begins with, estimated."""
    tools = [
        [tool.name, tool.description, tool.params_json_schema]
        for tool in request.tools
        if isinstance(tool, FunctionTool)
    ]
    handoffs = [[entry.tool_name, entry.tool_description, entry.input_json_schema] for entry in request.handoffs]
    text = (request.system_instructions or "") + json.dumps([*tools, *handoffs])
    return int(len(text) / CHARACTERS_PER_TOKEN)


def require_room(request: ModelRequest, context: int | None) -> None:
    """Refuses a request whose instructions and tools alone do not fit, and warns where they leave little.

    Args:
        request: What is to be asked.
        context: Tokens the model reads at most; None if not known.

    Raises:
        AgentError: `MODEL_FAILED`, with the remedy.
    """
    if context is None:
        return
    fixed = fixed_tokens(request)
    if fixed + CONVERSATION <= context:
        return
    message = (
        f"The language model reads {context} tokens, and the instructions and tools alone are about {fixed}. {REMEDY}"
    )
    if fixed > context:
        raise AgentError(ErrorCode.MODEL_FAILED, message)
    _log.warning("%s", message)
