"""Functions that create and read the SDK's response objects."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

from agents import ModelResponse, Usage
from agents.models.fake_id import FAKE_RESPONSES_ID
from openai.types import responses


def function_call(name: str, arguments: dict[str, Any]) -> responses.ResponseFunctionToolCall:
    """Returns a tool call with a new random id."""
    return responses.ResponseFunctionToolCall(
        type="function_call", name=name, arguments=json.dumps(arguments), call_id=f"call_{uuid.uuid4().hex}"
    )


def message(text: str) -> responses.ResponseOutputMessage:
    """Returns an assistant message with the given text."""
    part = responses.ResponseOutputText(type="output_text", text=text, annotations=[])
    return responses.ResponseOutputMessage(
        id=FAKE_RESPONSES_ID, type="message", role="assistant", status="completed", content=[part]
    )


def message_text(item: object) -> str | None:
    """Returns the text of a message; None for an output item of any other kind."""
    if not isinstance(item, responses.ResponseOutputMessage):
        return None
    return "".join(part.text for part in item.content if isinstance(part, responses.ResponseOutputText))


def text_delta(text: str) -> responses.ResponseTextDeltaEvent:
    """Returns the stream event for a new part of the text."""
    return responses.ResponseTextDeltaEvent(
        type="response.output_text.delta",
        delta=text,
        content_index=0,
        output_index=0,
        item_id=FAKE_RESPONSES_ID,
        logprobs=[],
        sequence_number=0,
    )


def completed(model: str, answer: ModelResponse) -> responses.ResponseCompletedEvent:
    """Returns the event that ends a stream and contains the complete answer."""
    used = answer.usage
    response = responses.Response(
        id=FAKE_RESPONSES_ID,
        created_at=time.time(),
        model=model,
        object="response",
        output=answer.output,
        tool_choice="auto",
        tools=[],
        parallel_tool_calls=False,
        usage=responses.ResponseUsage(
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            total_tokens=used.total_tokens,
            input_tokens_details=used.input_tokens_details,
            output_tokens_details=used.output_tokens_details,
        ),
    )
    return responses.ResponseCompletedEvent(type="response.completed", response=response, sequence_number=1)


def usage_of(event: responses.ResponseCompletedEvent) -> Usage:
    """Returns the token usage of a completed answer; zero tokens if the server did not report the usage."""
    used = event.response.usage
    if used is None:
        return Usage(requests=1)
    return Usage(1, used.input_tokens, output_tokens=used.output_tokens, total_tokens=used.total_tokens)
