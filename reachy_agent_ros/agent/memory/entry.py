"""One thing that is remembered."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """What sort of thing an entry is; decides how long it is kept."""

    FACT = "fact"
    """Something of the person's profile: a key, and one value that the next one replaces."""

    EPISODE = "episode"
    """What was asked, done and achieved in one task."""

    NOTE = "note"
    """A passage of a Markdown file that people may edit and the agent keeps."""

    DOCUMENT = "document"
    """A passage of a file that somebody gave to be searched."""


ALL_KINDS = tuple(Kind)


@dataclass(frozen=True)
class Entry:
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

    kind: Kind
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
        return f"{self.key}: {self.text}" if self.kind is Kind.FACT else self.text


@dataclass(frozen=True)
class Recollection:
    """An entry that answers a query.

    Attributes:
        entry: What was found.
        score: How well, 0 to 1; see `agent/memory/ranking.py`.
        similarity: Cosine between the meanings of query and entry, -1 to 1.
    """

    entry: Entry
    score: float
    similarity: float
