"""Valid and mutated responses of a model server."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from fuzz.mutation.byte_mutation import mutated_bytes
from fuzz.mutation.json_mutation import mutated_json
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer

_HEADS = (
    *(b"HTTP/1.1 500 X", b"HTTP/1.1 429 X\r\nRetry-After: 9999", b"HTTP/1.1 204 X", b"HTTP/1.1 301 X\r\nLocation: /x"),
    *(b"HTTP/1.1 200 X\r\nContent-Type: text/html", b"HTTP/1.1 200 X\r\nContent-Encoding: gzip", b"HTTP/9.9 200", b""),
    *(b"HTTP/1.1 200 X\r\nContent-Length: 99999999", b"HTTP/1.1 200 X\r\nContent-Length: -1", b"HTTP/1.1 999 X"),
    *(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked", b"HTTP/1.1 200 X\r\nX: " + 70_000 * b"x", b"HTTP/1.1 100 X"),
)
"""Unusual HTTP heads of responses, without the announced chunks or gzip data."""

_STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close"

_TEXTS = (
    *("I am here.", '{"reply": "I am here."}', '{"tool": "move_head", "args": {"yaw_deg": 20}}'),
    *("<think>so</think> Yes.", '{"calls": [{"tool": "find_object", "args": {"name": "door"}}]}'),
    *('{"reply": "\\ud83d\\ude00 \\"', "```json\n{}\n```"),
    *('<tool_call>{"name": "move_head", "arguments": {}}</tool_call>', '{"tool": "erase", "args": {}}', "x" * 20_000),
)


def pieces_of_reply(chance: random.Random, calls: Sequence[tuple[str, object]]) -> list[object]:
    """Returns the chunks of a streamed response.

    They contain text or tool calls, the finish reason, and the token usage.
    """
    text = chance.choice(_TEXTS)
    answer = ScriptedAnswer(text if chance.random() < 0.6 else "", tuple(chance.sample(calls, chance.randrange(3))))
    deltas = [{"index": 0, "delta": delta, "finish_reason": None} for delta in answer.deltas(chance.random() < 0.2)]
    last = {"index": 0, "delta": {}, "finish_reason": answer.reason}
    pieces = [_piece(choices=[choice]) for choice in (*deltas, last)]
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return [*pieces, _piece(choices=[], usage=usage)]


def broken_reply(pieces: Sequence[object], chance: random.Random) -> bytes:
    """Returns a response stream whose JSON, events, bytes, head or end may be mutated."""
    lines = [json.dumps(piece).encode() for piece in pieces]
    for _ in range(chance.choice((0, 1, 1, 2))):
        place = chance.randrange(len(lines))
        lines[place] = mutated_json(pieces[place], chance) if chance.random() < 0.8 else chance.choice(_NO_PIECES)
    if chance.random() < 0.2:
        chance.shuffle(lines)
    lines = lines[: chance.randrange(1, len(lines) + 1)] if chance.random() < 0.2 else lines
    body = b"".join(b"data: " + line + b"\n\n" for line in lines) + chance.choice((b"data: [DONE]\n\n", b"", b"data: "))
    if chance.random() < 0.15:
        body = mutated_bytes(body, chance)
    head = chance.choice(_HEADS) if chance.random() < 0.1 else _STREAM
    return head + b"\r\n\r\n" + body if head else mutated_bytes(body, chance)


_NO_PIECES = (
    *(b"", b"null", b"[]", b"5", b'"x"', b"{}", b'{"choices": null}', b'{"choices": [null]}', b'{"choices": [{}]}'),
    *(b"[DONE]", b'{"error": {"message": "out of memory"}}', b'{"error": "x"}', b'{"choices": [{"delta": null}]}'),
    *(b"\xff\xfe", b"{", b'{"choices": [{"index": 0, "delta": {"tool_calls": [{}]}}]}', b'{"choices": {"0": 1}}'),
    b"[" * 5_000,
)
"""Invalid chunks."""


def _piece(**fields: object) -> dict[str, object]:
    return {"id": "a", "object": "chat.completion.chunk", "created": 0, "model": "a", **fields}
