"""Extraction of text from unparsed feedback messages, so that stop requests work even in invalid messages."""

from __future__ import annotations

import json
import re

_FIELD = re.compile(r'"feedback_text"\s*:\s*"((?:[^"\\]|\\.)*)')


def unparsed_feedback_text(message: str) -> str:
    """Returns the feedback text of a message, which is plain text or JSON that may be invalid or truncated.

    Args:
        message: Body of a request, or frame of a socket.
    """
    return ". ".join(map(_unescaped, _FIELD.findall(message))) or message


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text
