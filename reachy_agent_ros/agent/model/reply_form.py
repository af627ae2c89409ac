"""Whether what a server sent has the form of an answer: the SDK takes any JSON for one, and fails where it is used."""

from __future__ import annotations

from collections.abc import Callable

from openai.types import CompletionUsage
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionMessage,
    ChatCompletionMessageFunctionToolCall,
)
from openai.types.chat.chat_completion import Choice
from openai.types.chat.chat_completion_chunk import Choice as Piece
from openai.types.chat.chat_completion_chunk import ChoiceDelta, ChoiceDeltaToolCall, ChoiceDeltaToolCallFunction
from openai.types.chat.chat_completion_message_function_tool_call import Function

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def require_chunk(chunk: ChatCompletionChunk) -> None:
    """Refuses a piece of a stream whose parts that are read here or in the SDK are not of their types.

    Raises:
        AgentError: `MODEL_MISBEHAVED`.
    """
    if not (isinstance(chunk, ChatCompletionChunk) and isinstance(chunk.choices, list)):
        raise no_completion()
    if not (all(map(_is_piece, chunk.choices)) and _is_usage(chunk.usage)):
        raise no_completion()


def require_completion(answer: ChatCompletion) -> None:
    """Refuses an answer in one piece, as `require_chunk` does; it has at least one choice.

    Raises:
        AgentError: `MODEL_MISBEHAVED`.
    """
    if not (isinstance(answer, ChatCompletion) and isinstance(answer.choices, list) and answer.choices):
        raise no_completion()
    if not (all(map(_is_choice, answer.choices)) and _is_usage(answer.usage)):
        raise no_completion()


def no_completion() -> AgentError:
    """The answer to what is none."""
    return AgentError(ErrorCode.MODEL_MISBEHAVED, "The language model's server answered with no completion.")


def _is_piece(choice: object) -> bool:
    if not (isinstance(choice, Piece) and isinstance(choice.delta, ChoiceDelta) and _is_text(choice.finish_reason)):
        return False
    delta = choice.delta
    return _is_text(delta.content) and _is_text(delta.refusal) and _all(delta.tool_calls, _is_begun_call)


def _is_begun_call(call: object) -> bool:
    if not (isinstance(call, ChoiceDeltaToolCall) and _is_text(call.id)):
        return False
    if call.function is None:
        return True
    given = call.function
    return isinstance(given, ChoiceDeltaToolCallFunction) and _is_text(given.name) and _is_text(given.arguments)


def _is_choice(choice: object) -> bool:
    if not (isinstance(choice, Choice) and isinstance(choice.message, ChatCompletionMessage)):
        return False
    message = choice.message
    return _is_text(choice.finish_reason) and _is_text(message.content) and _all(message.tool_calls, _is_call)


def _is_call(call: object) -> bool:
    if not (isinstance(call, ChatCompletionMessageFunctionToolCall) and isinstance(call.function, Function)):
        return False
    return isinstance(call.id, str) and isinstance(call.function.name, str) and isinstance(call.function.arguments, str)


def _is_usage(usage: object) -> bool:
    if not isinstance(usage, CompletionUsage):
        return usage is None
    return all(isinstance(one, int) for one in (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens))


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _all(values: object, holds: Callable[[object], bool]) -> bool:
    return values is None or (isinstance(values, list) and all(map(holds, values)))
