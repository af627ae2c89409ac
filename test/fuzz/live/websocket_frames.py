"""Surface that sends malformed WebSocket frames to the gateway of a running graph."""

from __future__ import annotations

import base64
import random
import struct
from urllib.parse import urlsplit

from fuzz.live.gateway_connection import GatewayConnection
from fuzz.live.live_surface import LiveSurface, Trial
from fuzz.mutation.byte_mutation import mutated_bytes
from fuzz.mutation.json_mutation import mutated_json

_PATHS = (b"/api/v1/events", b"/api/v1/ws/voice", b"/api/v1/ws/live_feedback", b"/api/v1/nothing")
_TEXT, _BINARY, _CLOSE, _PING = 1, 2, 8, 9
_FRAMES = 20
"""Upper bound for the number of frames per connection."""

_FLOOD = 1_000
"""Number of pings in a flood."""

_LARGE = 64 << 20
"""Size that a frame may announce, B. One in a hundred cases really sends as much."""

_MESSAGES = ({"type": "end"}, {"type": "good", "data": "x"}, {"feedback_text": "well done", "rating": 1.0}, ["stop"])


class WebsocketFrames(LiveSurface):
    """Surface that opens a connection for each case, sends malformed frames, and closes it abruptly.

    The handshake may also be invalid.
    """

    name = "websocket-frames"
    share = 1_000

    def tried(self, chance: random.Random) -> Trial:
        """Implements `LiveSurface`."""
        handshake, frames = self._handshake(chance), b"".join(_frames(chance))
        kept = (handshake + frames)[: 1 << 20]
        try:
            status = self._status(handshake, frames)
        except TimeoutError:
            return Trial(kept, silent="No response to the handshake.")
        return Trial(kept, status == 101, "" if status < 500 else f"Answered {status}.", self.graph.deaf())

    def _status(self, handshake: bytes, frames: bytes) -> int:
        """Sends the handshake and the frames. Returns the HTTP status of the handshake."""
        with GatewayConnection(self.graph.address) as connection:
            connection.send(handshake)
            status = connection.status()
            connection.send(frames)
        return status

    def _handshake(self, chance: random.Random) -> bytes:
        key = base64.b64encode(chance.randbytes(chance.choice((16, 16, 16, 3))))
        headers = [
            b"GET " + chance.choice(_PATHS) + b" HTTP/1.1",
            b"Host: " + urlsplit(self.graph.address).netloc.encode(),
            *(b"Upgrade: websocket", b"Connection: Upgrade", b"Sec-WebSocket-Key: " + key),
            *(b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Protocol: reachy.v1"),
        ]
        if chance.random() < 0.15:
            headers.append(chance.choice((b"Origin: http://evil.example", b"Sec-WebSocket-Extensions: x" * 99, b"X")))
        if chance.random() < 0.1:
            del headers[chance.randrange(1, len(headers))]
        return b"\r\n".join([*headers, b"", b""])


def _frames(chance: random.Random) -> list[bytes]:
    if chance.random() < 0.03:
        return [_frame(_PING, b"x", chance)] * _FLOOD
    if chance.random() < 0.01:
        return [_frame(_BINARY, bytes(_LARGE), chance)]
    return [_any_frame(chance) for _ in range(chance.randrange(1, _FRAMES))]


def _any_frame(chance: random.Random) -> bytes:
    kind = chance.choice((_TEXT, _TEXT, _BINARY, _BINARY, 0, 3, _CLOSE, _PING, 10, 15))
    text = mutated_json(chance.choice(_MESSAGES), chance)[:5_000]
    frame = _frame(kind, text if kind == _TEXT else chance.randbytes(chance.randrange(700)), chance)
    if chance.random() < 0.1:
        return frame[:1] + b"\xff" + struct.pack(">Q", chance.choice((_LARGE, 2**63, 2**64 - 1)))
    if chance.random() < 0.1:
        return frame[: chance.randrange(len(frame))]
    return mutated_bytes(frame, chance) if chance.random() < 0.1 else frame


def _frame(kind: int, content: bytes, chance: random.Random) -> bytes:
    """Returns a WebSocket frame, which is usually valid.

    A valid frame is final and masked with zeros. Some frames have no mask, are not final, or have a reserved bit set.
    """
    first = kind | chance.choice((0x80, 0x80, 0x80, 0x80, 0x00, 0xC0))
    masked = 0x80 if chance.random() < 0.97 else 0x00
    size = len(content)
    if size < 126:
        head = struct.pack(">BB", first, masked | size)
    elif size < 1 << 16:
        head = struct.pack(">BBH", first, masked | 126, size)
    else:
        head = struct.pack(">BBQ", first, masked | 127, size)
    return head + bytes(4 if masked else 0) + content
