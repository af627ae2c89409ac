"""Frames between a sandbox process and its host: a length of four bytes, followed by a JSON object in UTF-8.

The host must be able to read anything that the sandbox sends, so sizes and depths are limited, and numbers are finite.
Both sides use this file.
"""

from __future__ import annotations

import json
import math
from typing import Any, BinaryIO, NoReturn

LARGEST_FROM_SANDBOX = 1 << 20
"""Maximum size of a frame from the sandbox, bytes, which also limits the result."""

LARGEST_FROM_HOST = 8 << 20
"""Maximum size of a frame from the host, bytes: a picture."""

DEEPEST = 32
"""Maximum nesting depth of lists and objects."""

HURRY = {"hurry": True}
"""Frame from the host before the job, which means that a call is waiting for the sandbox."""

_HEADER = 4


class WireError(Exception):
    """Error for an invalid frame, which is too long, truncated, not JSON, or beyond other limits."""


def write_frame(stream: BinaryIO, message: dict[str, Any], largest: int) -> None:
    """Writes one message.

    Raises:
        WireError: The message contains a value that is not JSON, or is too long. Nothing was written.
        OSError: The other side has closed the connection.
    """
    try:
        data = json.dumps(message, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"not serializable as JSON: {error}") from None
    if len(data) > largest:
        raise WireError(f"{len(data)} bytes, more than {largest}")
    stream.write(len(data).to_bytes(_HEADER, "big") + data)
    stream.flush()


def read_frame(stream: BinaryIO, largest: int) -> dict[str, Any] | None:
    """Reads one message. Returns None if the other side has closed the connection.

    Raises:
        WireError: The frame is malformed.
    """
    header = stream.read(_HEADER)
    if not header:
        return None
    length = int.from_bytes(header, "big")
    if len(header) < _HEADER or length > largest:
        raise WireError("the header of a frame is cut off, or its length is too large")
    data = stream.read(length)
    if len(data) < length:
        raise WireError("a frame was cut off")
    return decode(data)


def decode(data: bytes) -> dict[str, Any]:
    """Decodes the JSON object of a frame.

    Raises:
        WireError: The data is not a JSON object, or is beyond the limits.
    """
    try:
        message = json.loads(data.decode(), parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise WireError(f"invalid JSON: {error}") from None
    if not isinstance(message, dict):
        raise WireError("not a JSON object")
    _require_shallow(message, DEEPEST)
    return message


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)  # 1e999 is a valid JSON number, but not a float
    if not math.isfinite(number):
        raise ValueError(f"{digits:.20} is too large")
    return number


def _require_shallow(value: Any, left: int) -> None:
    if left < 0:
        raise WireError("nested too deeply")
    if isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            _require_shallow(part, left - 1)
