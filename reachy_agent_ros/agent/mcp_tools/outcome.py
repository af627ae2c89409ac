"""What a call of another server's tool came to, as text of bounded length."""

from __future__ import annotations

import json
from collections.abc import Iterator

from mcp_types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from reachy_agent_ros.agent.guardrails.bounded_text import bounded
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

LONGEST_ERROR = 500
"""Characters."""


def outcome_of(result: CallToolResult) -> ToolOutcome:
    """A result, or the error it tells: {"text": ...}. Pictures and sounds are named, not passed on."""
    text = "\n".join(_texts(result)).strip()
    if result.is_error:
        message = bounded(text, LONGEST_ERROR) or "The tool failed without saying why."
        return ToolOutcome("{}", AgentError(ErrorCode.TOOL_FAILED, message))
    return ToolOutcome(json.dumps({"text": bounded(text)}, ensure_ascii=False))


def _texts(result: CallToolResult) -> Iterator[str]:
    if not result.content and result.structured_content is not None:
        yield json.dumps(result.structured_content, ensure_ascii=False)
    for block in result.content:
        yield _text(block)


def _text(block: ContentBlock) -> str:
    if isinstance(block, TextContent):
        return block.text
    if isinstance(block, ImageContent | AudioContent):
        return f"[{block.mime_type[:40]}, {len(block.data) * 3 // 4} bytes, left out]"
    if isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
        return block.resource.text
    if isinstance(block, ResourceLink):
        return f"[{block.name[:100]}: {block.uri[:200]}]"
    return "[something that is no text, left out]"
