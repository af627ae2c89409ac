"""Validates and repairs chat completions: types, call indices and reasoning blocks.

The SDK accepts any JSON as an answer and fails later.
"""

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

_BEGIN, _END = "<think>", "</think>"


def require_chunk(chunk: ChatCompletionChunk) -> None:
    """Checks a streamed chunk. Rejects invalid types in fields that this package or the SDK reads.

    Raises:
        AgentError: `MODEL_MISBEHAVED`.
    """
    if not (isinstance(chunk, ChatCompletionChunk) and isinstance(chunk.choices, list)):
        raise no_completion()
    if not (all(map(_is_piece, chunk.choices)) and _is_usage(chunk.usage)):
        raise no_completion()


def require_completion(answer: ChatCompletion) -> None:
    """Checks a complete answer. Rejects missing choices and invalid types, as in `require_chunk`.

    Raises:
        AgentError: `MODEL_MISBEHAVED`.
    """
    if not (isinstance(answer, ChatCompletion) and isinstance(answer.choices, list) and answer.choices):
        raise no_completion()
    if not (all(map(_is_choice, answer.choices)) and _is_usage(answer.usage)):
        raise no_completion()


def no_completion() -> AgentError:
    """Returns the error for an invalid chat completion."""
    return AgentError(ErrorCode.MODEL_MISBEHAVED, "The language model's server did not send a valid completion.")


class CallIndices:
    """Corrects wrong tool call indices in a streamed answer. The SDK uses the indices to join the chunks of a call."""

    def __init__(self) -> None:
        self._begun: list[str] = []
        self._numbers: dict[int, int] = {}

    def correct(self, chunk: ChatCompletionChunk) -> None:
        """Sets the call index in a chunk. A new id, or a name without an id, starts a new call."""
        for choice in chunk.choices:
            for piece in choice.delta.tool_calls or ():
                told = piece.index if isinstance(piece.index, int) else 0
                named = piece.function is not None and bool(piece.function.name)
                if piece.id not in self._begun if piece.id else named:
                    self._numbers[told] = len(self._begun)
                    self._begun.append(piece.id or "")
                piece.index = self._numbers.get(told, told)


class ThoughtFilter:
    """Removes a reasoning block (`<think>`) at the start of an answer, which the robot must not speak."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._over = False

    def feed(self, text: str) -> str:
        """Reads the next part of the answer. Returns the text in it that does not belong to the reasoning block."""
        if self._over:
            return text
        self._held += text
        beginning = self._held.lstrip()
        if not self._thinking:
            self._thinking = beginning.startswith(_BEGIN)
        if self._thinking:
            _, end, rest = self._held.partition(_END)
            self._over = bool(end)
            self._held = self._held[1 - len(_END) :]  # the end tag may be split across chunks
            return rest.lstrip()
        if _BEGIN.startswith(beginning):
            return ""
        self._over = True
        return self._held


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
