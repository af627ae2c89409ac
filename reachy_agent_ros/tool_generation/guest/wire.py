"""Frames between a box and its host: four bytes of length, then one JSON object in UTF-8.

The host must be able to read whatever the box sends, so sizes and depths are bounded and numbers are finite. This file
runs on both sides.
"""

from __future__ import annotations

import json
import math
from typing import Any, BinaryIO, NoReturn

LARGEST_FROM_BOX = 1 << 20
"""bytes of one frame, as much as a result may have."""

LARGEST_FROM_HOST = 8 << 20
"""bytes of one frame: a picture."""

DEEPEST = 32
"""Lists and objects within one another."""

HURRY = {"hurry": True}
"""Frame from the host, before the job: somebody waits for the box."""

_HEADER = 4


class WireError(Exception):
    """A frame that is none: too long, cut off, not JSON, or beyond the bounds."""


def write_frame(stream: BinaryIO, message: dict[str, Any], largest: int) -> None:
    """Writes one message.

    Raises:
        WireError: It has a value that is no JSON, or is too long; nothing was written.
        OSError: Nobody reads any more.
    """
    try:
        data = json.dumps(message, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"it cannot be written as JSON: {error}") from None
    if len(data) > largest:
        raise WireError(f"it has {len(data)} bytes, more than {largest}")
    stream.write(len(data).to_bytes(_HEADER, "big") + data)
    stream.flush()


def read_frame(stream: BinaryIO, largest: int) -> dict[str, Any] | None:
    """Reads one message; None where the other side has closed.

    Raises:
        WireError: What came is no message.
    """
    header = stream.read(_HEADER)
    if not header:
        return None
    length = int.from_bytes(header, "big")
    if len(header) < _HEADER or length > largest:
        raise WireError("a frame begins that is cut off or too long")
    data = stream.read(length)
    if len(data) < length:
        raise WireError("a frame was cut off")
    return decode(data)


def decode(data: bytes) -> dict[str, Any]:
    """Reads the JSON object of a frame.

    Raises:
        WireError: It is none, or beyond the bounds.
    """
    try:
        message = json.loads(data.decode(), parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise WireError(f"a frame is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise WireError("a frame is no JSON object")
    _require_shallow(message, DEEPEST)
    return message


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)  # 1e999 is a JSON number, and no float
    if not math.isfinite(number):
        raise ValueError(f"{digits:.20} is too large")
    return number


def _require_shallow(value: Any, left: int) -> None:
    if left < 0:
        raise WireError("a frame is nested too deeply")
    if isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            _require_shallow(part, left - 1)
