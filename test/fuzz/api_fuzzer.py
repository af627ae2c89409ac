"""Fuzzer of the HTTP API and its WebSockets, based on the OpenAPI description."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Err
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from reachy_agent_ros.core.deadline import Deadline

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
"""Checks of a response. Valid requests may be rejected, because for example a tool with a valid name need not exist."""

PATIENCE = 60.0
"""Timeout of a response, s. A turn of a conversation may take most of it."""

ENDLESS = "/api/v1/vision/stream"
"""Path of an endless stream."""

SOCKETS = ("events", "ws/voice", "ws/live_feedback")

_SERVER_FAULTS = (1006, 1011)
"""Close codes of a WebSocket that indicate a server fault: an aborted connection or an internal error."""


@dataclass
class Findings:
    """Results of fuzzing the API.

    Attributes:
        statuses: Number of responses by HTTP status.
        hangs: Requests that timed out.
        wrong: Responses that violate the description, including server errors, with the reason.
    """

    statuses: Counter[int] = field(default_factory=Counter)
    hangs: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """Number of requests."""
        return self.statuses.total() + len(self.hangs)

    @property
    def faults(self) -> int:
        """Number of responses with a server error."""
        return sum(count for status, count in self.statuses.items() if status >= 500)


def fuzz_paths(address: str, examples: int, number: int, before: Callable[[], None]) -> Findings:
    """Sends generated requests to every path.

    Args:
        address: URL of the API, including its version.
        examples: Number of requests for each path and method.
        number: Seed of the requests.
        before: Function that is called before each path, to reset the emergency stop.

    Returns:
        The results of all requests.
    """
    findings = Findings()
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    for found in schema.get_all_operations():
        if isinstance(found, Err):
            raise found.err()
        operation = found.ok()
        if operation.path == ENDLESS:
            continue
        before()

        @seed(number)
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(operation.as_strategy())
        def ask(case: Case[Any]) -> None:
            _ask(case, findings)

        ask()
    return findings


def _ask(case: Case[Any], findings: Findings) -> None:
    where = f"{case.method} {case.path}"
    try:
        answer = case.call(timeout=PATIENCE)
    except requests.exceptions.Timeout:
        findings.hangs.append(where)
        return
    except requests.exceptions.InvalidHeader:
        return  # the client rejected the request itself
    findings.statuses[answer.status_code] += 1
    try:
        case.validate_response(answer, checks=CHECKS)
    except (Failure, FailureGroup) as failure:
        causes = failure.exceptions if isinstance(failure, FailureGroup) else (failure,)
        body = answer.content[:200].decode(errors="replace")
        findings.wrong += [f"{where}: {answer.status_code} {cause} {body}" for cause in causes]


def fuzz_sockets(address: str, frames: int, number: int) -> Iterator[str]:
    """Sends random and nearly valid frames to every WebSocket.

    Args:
        address: URL of the API, including its version.
        frames: Number of frames for each WebSocket.
        number: Seed of the frames.

    Yields:
        A sentence for each server fault.
    """
    generator = random.Random(number)
    for path in SOCKETS:
        left = frames
        while left > 0:
            sent, code = _one_socket(f"{address.replace('http', 'ws', 1)}/{path}", generator, left)
            left -= max(1, sent)
            if code in _SERVER_FAULTS:
                yield f"{path}: closed with {code} after {sent} frames"


def _one_socket(address: str, generator: random.Random, frames: int) -> tuple[int, int]:
    """Sends frames until the server closes the WebSocket.

    Returns the number of sent frames and the close code.
    """
    # An unlimited queue: with a full one, the client would miss pongs and report a server fault.
    options: dict[str, Any] = {"max_size": None, "max_queue": None, "ping_interval": None, "open_timeout": PATIENCE}
    sent = 0
    try:
        with connect(address, subprotocols=[Subprotocol("reachy.v1")], **options) as socket:
            while sent < frames:
                socket.send(_frame(generator))
                sent += 1
                # The close code is lost if the server closes while more frames are in transit, so wait for a pong.
                pong, patience = socket.ping(), Deadline(PATIENCE)
                while not pong.wait(0.05):
                    if socket.close_code is not None or patience.passed:
                        return sent, socket.close_code or 1006
            return sent, 1000
    except ConnectionClosed as closed:
        return sent, closed.rcvd.code if closed.rcvd else 1006


def _frame(generator: random.Random) -> str | bytes:
    chance = generator.random()
    if chance < 0.3:
        return generator.randbytes(generator.choice([0, 1, 2, 639, 640, 6400, 60_000]))
    if chance < 0.6:
        return json.dumps(_value(generator, 0))
    if chance < 0.9:
        words = ("type", "end", "stop", "good", "data", "{", "}", "[", '"', "\0", "\ud7ff", "NaN", "1e999", "null", ":")
        return "".join(generator.choices(words, k=generator.randrange(12)))
    return 50_000 * "["


def _value(generator: random.Random, depth: int) -> Any:
    simple = (None, True, 0, -1, 1e308, 2**70, "", "end", "stop", "good", "\0", "x" * 5000)
    if depth > 2 or generator.random() < 0.4:
        return generator.choice(simple)
    if generator.random() < 0.5:
        return [_value(generator, depth + 1) for _ in range(generator.randrange(4))]
    keys = ("type", "data", "feedback_text", "rating", "episode_id", "person", "", "\0")
    return {generator.choice(keys): _value(generator, depth + 1) for _ in range(generator.randrange(4))}
