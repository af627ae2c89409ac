"""JSON with a check sum, so that damage is noticed before anything of it is believed."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def checked_json(name: str, content: Any, version: int) -> str:
    """What is written: one line with the content under its name, the version of its format, and a check sum.

    Args:
        name: What the content is.
        content: What JSON can hold, and sets.
        version: Of the format; counts up where this program could not read what a later one wrote.
    """
    text = _canonical(content)
    return f'{{"format": {version}, "check": "{_check(text)}", "{name}": {text}}}\n'


def read_checked_json(name: str, text: str, version: int, what: str = "") -> str:
    """The content that `checked_json` wrote, still as JSON.

    Args:
        name: What the content is.
        text: What was written.
        version: Newest format that is known.
        what: Beginning of the sentence about a later format, as in "The tool wave"; "The" and the name if empty.

    Raises:
        ValueError: It was damaged, or somebody else wrote it.
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
            raise ValueError("its check sum is another one")
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is no {name}: {error!r:.200}") from None
    return content


def _canonical(content: Any) -> str:
    return json.dumps(content, sort_keys=True, default=sorted)  # sets, which have no order of their own


def _check(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()
