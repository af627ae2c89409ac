"""Memory entries: their kinds, their fields and their validation."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class EntryKind(StrEnum):
    """Kind of a memory entry, which determines its retention."""

    FACT = "fact"
    """Part of the person's profile: a key with one value. A new value replaces the old one, which is kept apart."""

    EPISODE = "episode"
    """Request, actions and result of one task."""

    NOTE = "note"
    """Passage of a Markdown file that both people and the agent edit."""

    DOCUMENT = "document"
    """Passage of a file that a person added for searching."""


ALL_KINDS = tuple(EntryKind)

LONGEST_TEXT = 20_000
"""Maximum length of one entry, characters: twenty minutes of speech."""

LONGEST_KEY = 1_000

_YEAR_10000 = 253_402_300_800.0


@dataclass(frozen=True)
class MemoryEntry:
    """Entry in the long-term memory.

    Attributes:
        kind: Kind of the entry.
        text: Value of a fact, summary of an episode, or passage of a file.
        key: Name of a fact ("favorite color") or file of a note or document; empty for an episode.
        source: Citation: the conversation, or the file, heading and lines.
        created: Time at which the entry was made or the task ended, s since 1970.
        participants: Names of people in an episode.
        origin: Provenance labels of the text in one line; empty for words of the household and for the robot's actions.
        identity: Number within the memory, never reused; None before the entry is stored.
    """

    kind: EntryKind
    text: str
    key: str = ""
    source: str = ""
    created: float = field(default_factory=time.time)
    participants: tuple[str, ...] = ()
    origin: str = ""
    identity: int | None = None

    @property
    def sentence(self) -> str:
        """Text to embed for semantic search. For a fact, the text includes the key, which explains the value."""
        return f"{self.key}: {self.text}" if self.kind is EntryKind.FACT else self.text


@dataclass(frozen=True)
class RecalledEntry:
    """Memory entry that a search has found.

    Attributes:
        entry: The entry that was found.
        score: Relevance, 0 to 1; see `hybrid_score` in `agent/memory/search.py`.
        similarity: Cosine similarity of the query and entry vectors, -1 to 1.
    """

    entry: MemoryEntry
    score: float
    similarity: float


def normalized(text: str) -> str:
    """Returns a text in lower case with single spaces, as the keys of facts are stored."""
    return " ".join(text.casefold().split())


def contains(text: str, words: str) -> bool:
    """Returns whether a text contains consecutive words, regardless of case."""
    return re.search(rf"(?<!\w){re.escape(normalized(words))}(?!\w)", normalized(text)) is not None


def checked(entry: MemoryEntry) -> MemoryEntry:
    """Validates an entry and returns it with surrounding whitespace removed and a fact's key in lower case.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the text is empty, a text is too long or not valid Unicode, an entry other
            than an episode has no key, or the time is out of range.
    """
    key = normalized(entry.key) if entry.kind is EntryKind.FACT else entry.key
    clean = replace(entry, key=key, text=entry.text.strip())
    if not clean.text:
        raise _refusal("expected some text")
    if entry.kind is not EntryKind.EPISODE and not key:
        raise _refusal(f"a {entry.kind} needs a key: its name or its file")
    if len(clean.text) > LONGEST_TEXT or max(len(key), len(clean.source)) > LONGEST_KEY:
        raise _refusal(f"expected at most {LONGEST_TEXT} characters, and {LONGEST_KEY} in the key and the source")
    if not 0.0 <= clean.created < _YEAR_10000:
        raise _refusal("expected a time between the years 1970 and 10000")
    try:
        "".join((key, clean.text, clean.source, *clean.participants)).encode()
    except UnicodeEncodeError:
        raise _refusal("the text contains invalid characters (lone surrogates)") from None
    return clean


def _refusal(why: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid memory entry: {why}.")
