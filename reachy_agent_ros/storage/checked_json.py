"""JSON with a checksum, so that damage is detected before the content is used."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def checked_json(name: str, content: Any, version: int) -> str:
    """Serializes content as one line of JSON, together with its name, its format version and a checksum.

    Args:
        name: Name of the content.
        content: A JSON value, which may contain sets.
        version: Version of the format, which increases when earlier programs can no longer read the result.
    """
    text = _canonical(content)
    return f'{{"format": {version}, "check": "{_check(text)}", "{name}": {text}}}\n'


def read_checked_json(name: str, text: str, version: int, what: str = "") -> str:
    """Verifies a text from the function `checked_json`, and returns its content as JSON.

    Args:
        name: Name of the content.
        text: The serialized line.
        version: Newest format that the caller can read.
        what: Subject of the error about a later format, as in "The tool wave"; "The" and the name if empty.

    Raises:
        ValueError: The text is damaged or was not written by `checked_json`.
        AgentError: `STORAGE_FAILED`: a later version of this program wrote it.
    """
    try:
        document = json.loads(text)
        if document["format"] > version:
            message = (
                f"{what or f'The {name}'} was written by a later version of this program. Upgrade the program first."
            )
            raise AgentError(ErrorCode.STORAGE_FAILED, message)
        content = _canonical(document[name])
        if document["check"] != _check(content):
            raise ValueError("checksum mismatch")
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"not a {name}: {error!r:.200}") from None
    return content


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True, default=sorted)  # sorted: sets have no order


def _check(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
