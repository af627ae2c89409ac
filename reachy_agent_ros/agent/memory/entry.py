"""Memory entries: the kinds of things that are remembered, and what may be remembered at all."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode


class EntryKind(StrEnum):
    """What sort of thing an entry is; decides how long it is kept."""

    FACT = "fact"
    """Something of the person's profile: a key, and one value that the next one replaces."""

    EPISODE = "episode"
    """What was asked, done and achieved in one task."""

    NOTE = "note"
    """A passage of a Markdown file that people may edit and the agent keeps."""

    DOCUMENT = "document"
    """A passage of a file that somebody gave to be searched."""


ALL_KINDS = tuple(EntryKind)

LONGEST_TEXT = 20_000
"""Characters of one entry: twenty minutes of speech."""

LONGEST_KEY = 1_000

_YEAR_10000 = 253_402_300_800.0


@dataclass(frozen=True)
class MemoryEntry:
    """One thing that is remembered.

    Attributes:
        kind: Its sort.
        text: What is remembered: a fact's value, an episode's summary, a passage.
        key: A fact's name ("favourite colour"), the file of a note or document; empty for an episode.
        source: Where it comes from, to be cited: who said it, or file, heading and lines.
        created: When it came, or when a task ended; seconds since 1970.
        participants: Who took part in an episode.
        origin: Provenance labels of its text in one line; empty for what a person of the house said or the robot did.
        identity: Number within the memory, never given twice; None before it is stored.
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
        """What is searched by meaning: a value means nothing without its name."""
        return f"{self.key}: {self.text}" if self.kind is EntryKind.FACT else self.text


@dataclass(frozen=True)
class RecalledEntry:
    """An entry that answers a query.

    Attributes:
        entry: What was found.
        score: How well, 0 to 1; see `hybrid_score` in `agent/memory/search.py`.
        similarity: Cosine between the meanings of query and entry, -1 to 1.
    """

    entry: MemoryEntry
    score: float
    similarity: float


def checked(entry: MemoryEntry) -> MemoryEntry:
    """The entry as it is stored: without blanks around, a fact's key in small letters.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: it is empty, too long, no text, a fact without a key, or of no time.
    """
    key = " ".join(entry.key.casefold().split()) if entry.kind is EntryKind.FACT else entry.key
    clean = replace(entry, key=key, text=entry.text.strip())
    if not clean.text:
        raise _refusal("There is nothing in it.")
    if entry.kind is not EntryKind.EPISODE and not key:
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
