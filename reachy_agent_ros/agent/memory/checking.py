"""What may be remembered at all."""

from __future__ import annotations

from dataclasses import replace

from reachy_agent_ros.agent.memory.entry import Entry, Kind
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LONGEST_TEXT = 20_000
"""Characters of one entry: twenty minutes of speech."""

LONGEST_KEY = 1_000

_YEAR_10000 = 253_402_300_800.0


def checked(entry: Entry) -> Entry:
    """The entry as it is stored: without blanks around, a fact's key in small letters.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is empty, too long, no text, a fact without a key, or of no time.
    """
    key = " ".join(entry.key.casefold().split()) if entry.kind is Kind.FACT else entry.key
    clean = replace(entry, key=key, text=entry.text.strip())
    if not clean.text:
        raise _refusal("There is nothing in it.")
    if entry.kind is not Kind.EPISODE and not key:
        raise _refusal(f"A {entry.kind} needs a key: what it is about, or its file.")
    if len(clean.text) > LONGEST_TEXT or max(len(key), len(clean.source)) > LONGEST_KEY:
        raise _refusal(f"It has more than {LONGEST_TEXT} characters, or its key or source more than {LONGEST_KEY}.")
    if not 0.0 <= clean.created < _YEAR_10000:
        raise _refusal("Its time is none that a calendar knows.")
    try:
        "".join((key, clean.text, clean.source, *clean.participants)).encode()
    except UnicodeEncodeError:
        raise _refusal("It holds half characters, which no file can keep.") from None
    return clean


def _refusal(why: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"This cannot be remembered: {why}")
