"""Telling the calls of a streamed answer apart where the server numbers them all 0, as some versions of Ollama do."""

from __future__ import annotations

from openai.types.chat import ChatCompletionChunk


class CallIndices:
    """Numbers the calls of one answer anew: whoever joins pieces by number would lose all of them otherwise."""

    def __init__(self) -> None:
        self._begun: list[str] = []
        self._numbers: dict[int, int] = {}

    def correct(self, chunk: ChatCompletionChunk) -> None:
        """Sets the number of every piece of a call: a new id, or a name without one, begins a call."""
        for choice in chunk.choices:
            for piece in choice.delta.tool_calls or ():
                told = piece.index if isinstance(piece.index, int) else 0
                named = piece.function is not None and bool(piece.function.name)
                if piece.id not in self._begun if piece.id else named:
                    self._numbers[told] = len(self._begun)
                    self._begun.append(piece.id or "")
                piece.index = self._numbers.get(told, told)
