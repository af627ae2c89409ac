"""One answer of a scripted model."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One answer to a chat request.

    Attributes:
        text: What the model says.
        calls: Tool calls, as name and arguments; a string for arguments is sent as it is.
        finish: The finish reason; by default the one that fits.
        status: HTTP status; anything but 200 is an error with `text` as its message.
        breaks_off: Whether the connection is closed in the middle.
        delay: s before the answer begins.
        waits_for: Set by the test to let the answer begin.
        raw: Sent as the body, instead of a completion.
    """

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    finish: str = ""
    status: int = 200
    breaks_off: bool = False
    delay: float = 0.0
    waits_for: threading.Event | None = None
    raw: str | None = None

    def message(self) -> dict[str, Any]:
        """The whole of it, as a completion has it."""
        message: dict[str, Any] = {"role": "assistant", "content": self.text or None}
        if self.calls:
            message["tool_calls"] = [_call(number, name, given) for number, (name, given) in enumerate(self.calls)]
        return message

    def deltas(self, index_always_zero: bool = False) -> Iterator[dict[str, Any]]:
        """Piece by piece, as a stream has it: word by word, each call's arguments in two halves."""
        yield {"role": "assistant", "content": ""}
        for word in self.text.split(" ") if self.text else ():
            yield {"content": word + " "}
        for call in self.message().get("tool_calls", []):
            call["index"] *= not index_always_zero
            arguments = call["function"]["arguments"]
            half = len(arguments) // 2
            yield {"tool_calls": [{**call, "function": {**call["function"], "arguments": arguments[:half]}}]}
            yield {"tool_calls": [{"index": call["index"], "function": {"arguments": arguments[half:]}}]}

    @property
    def reason(self) -> str:
        """The finish reason."""
        return self.finish or ("tool_calls" if self.calls else "stop")

    def as_json(self) -> Answer:
        """The same as a model writes it that cannot call tools; what is no plain answer stays as it is."""
        if self.status != 200 or self.raw is not None or not (self.calls or self.text) or self.text.startswith("{"):
            return self
        if not self.calls:
            return replace(self, text=json.dumps({"reply": self.text}))
        calls = [f'{{"tool": {json.dumps(name)}, "args": {_written(arguments)}}}' for name, arguments in self.calls]
        return replace(self, text=calls[0] if len(calls) == 1 else f'{{"calls": [{", ".join(calls)}]}}', calls=())


def _written(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _call(index: int, name: str, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": _written(arguments)}
    return {"index": index, "id": f"call_{uuid.uuid4().hex[:12]}", "type": "function", "function": function}
