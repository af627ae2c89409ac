"""Words of a feedback message before it is parsed, so that a stop acts even if the message is invalid."""

from __future__ import annotations

import json
import re

_FIELD = re.compile(r'"feedback_text"\s*:\s*"((?:[^"\\]|\\.)*)')


def unparsed_feedback_text(message: str) -> str:
    """Returns what a person says in a message, which is plain text or JSON that may be invalid or cut off.

    Args:
        message: Body of a request, or frame of a socket.
    """
    return ". ".join(map(_unescaped, _FIELD.findall(message))) or message


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text
