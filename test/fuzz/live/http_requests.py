"""Surface that sends malformed HTTP requests to the gateway of a running graph."""

from __future__ import annotations

import random
import re
import time
from contextlib import ExitStack
from functools import cached_property
from urllib.parse import urlsplit

import requests

from fuzz.live.gateway_connection import GatewayConnection
from fuzz.live.live_surface import LiveSurface, Trial
from fuzz.mutation.byte_mutation import mutated_bytes
from fuzz.mutation.json_mutation import mutated_json

_HONEST = (501, 503, 504)
"""Server errors that are correct responses: the service is not available, or did not respond in time."""

_METHODS = (
    *(b"GET", b"GET", b"POST", b"POST", b"PUT", b"DELETE", b"HEAD", b"OPTIONS", b"PATCH", b"TRACE", b"BREW", b"get"),
)

_ODD_PATHS = (
    *(b"/..", b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"/assets/..%2f..%2f..%2fetc/passwd", b"//", b"*"),
    *(b"", b"/api/v1/../../..", b"/\xff\xfe", b"/%00", b"/" + 9_000 * b"a", b"http://evil.example/"),
    b"/?" + 5_000 * b"a=b&",
)

_ODD_HEADERS = (
    *(b"Content-Length: -1", b"Content-Length: 99999999999", b"Content-Length: x", b"Transfer-Encoding: chunked"),
    *(b"Host:", b"Transfer-Encoding: gzip, chunked", b"Host: evil.example", b"Origin: http://evil.example"),
    *(b"Expect: 100-continue", b"Authorization: Bearer \xff", b"Cookie: " + 8_000 * b"x", b"X: " + 200_000 * b"x"),
    *(b"Range: bytes=0-0,9-1", b"\0: \0", b"Content-Type: application/json; charset=utf-7"),
    *(b"Content-Type: multipart/form-data", b"Content-Encoding: gzip", b"Upgrade: websocket", b"Connection: Upgrade"),
    *(b"Idempotency-Key: " + 300 * b"k", b"Last-Event-ID: -1", b" folded"),
)

_NAMES = (b"move_head", b"default", b"%00", b"..%2f..", b"x" * 500, b"%F0%9F%A4%96", b"-1", b"%ff")
_PLACE = re.compile(rb"\{[^}]*\}")
"""Path parameter in a path template."""

_VERSIONS: tuple[list[bytes], ...] = (*([b"HTTP/1.1"],) * 9, [b"HTTP/1.0"], [b"HTTP/9"], [])

_BODY = {"text": "hello", "arguments": {"yaw_deg": 20}, "session_id": "a", "rating": 1.0, "cases": [{"args": {}}]}
_DEPTH = 10_000
_ENDLESS = b"GET /api/v1/health HTTP/1.1\r\nHost: "
_SLOW = 200
"""Number of simultaneous incomplete requests."""

_BRISK = 0.3
"""Time to wait for a response before the client closes its side of the connection, s."""


class HttpRequests(LiveSurface):
    """Surface that sends one malformed request per connection. Some requests are incomplete."""

    name = "http-requests"
    share = 2_000

    def tried(self, chance: random.Random) -> Trial:
        """Implements `LiveSurface`."""
        request = self._request(chance)
        try:
            status = self._asked(request, chance)
        except TimeoutError:
            return Trial(request, silent="No response in time.")
        failed = status >= 500 and status not in _HONEST
        return Trial(request, 200 <= status < 300, f"Answered {status}." if failed else "")

    def broken(self) -> list[str]:
        """Implements `LiveSurface`."""
        deaf = self._deaf_to_others()
        return [*([deaf] if deaf else []), *super().broken()]

    def _deaf_to_others(self) -> str:
        """Checks that the gateway responds while it receives many incomplete requests.

        Returns a description of the problem, or "".
        """
        with ExitStack() as stack:
            for _ in range(_SLOW):
                stack.enter_context(GatewayConnection(self.graph.address)).send(_ENDLESS)
            return self.graph.deaf()

    @cached_property
    def _paths(self) -> list[bytes]:
        described = requests.get(f"{self.graph.address}/api/v1/openapi.json", timeout=30.0).json()["paths"]
        return [path.encode() for path in sorted(described)]

    def _asked(self, request: bytes, chance: random.Random) -> int:
        with GatewayConnection(self.graph.address) as connection:
            half = chance.randrange(len(request)) if chance.random() < 0.2 else len(request)
            if connection.send(request[:half]) and half < len(request):
                time.sleep(0.01)
                connection.send(request[half:])
            try:
                return connection.status(_BRISK)
            except TimeoutError:  # the request is incomplete, or the response is slow
                connection.end()
                return connection.status()

    def _request(self, chance: random.Random) -> bytes:
        path = _PLACE.sub(lambda _: chance.choice(_NAMES), chance.choice(self._paths))
        if chance.random() < 0.15:
            path = chance.choice(_ODD_PATHS)
        line = b" ".join([chance.choice(_METHODS), path, *chance.choice(_VERSIONS)])
        request = b"\r\n".join([line, *self._headed(chance)])
        return mutated_bytes(request, chance) if chance.random() < 0.2 else request

    def _headed(self, chance: random.Random) -> list[bytes]:
        """Returns the lines of the headers, followed by the body."""
        headers, body = [b"Host: " + urlsplit(self.graph.address).netloc.encode(), b"Connection: close"], b""
        if chance.random() < 0.1:  # rare, because a request with an invalid token is rejected at once
            headers.append(b"Authorization: Bearer " + self.graph.canary.encode())
        if chance.random() < 0.6:
            body = b"[" * _DEPTH if chance.random() < 0.05 else mutated_json(_BODY, chance)
            headers += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
        for _ in range(chance.choice((0, 0, 1, 2))):
            headers.insert(chance.randrange(len(headers) + 1), chance.choice(_ODD_HEADERS))
        return [*headers * (40 if chance.random() < 0.1 else 1), b"", body]
