"""Memory of the agent: stores entries, searches them by words and by meaning, and erases them."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path

from reachy_agent_ros.agent.memory.embedder import Embedder, Vectors
from reachy_agent_ros.agent.memory.entry import (
    ALL_KINDS,
    EntryKind,
    MemoryEntry,
    RecalledEntry,
    checked,
)
from reachy_agent_ros.agent.memory.entry_store import Choice, EntryStore, Forgotten
from reachy_agent_ros.agent.memory.entry_table import EntryTable, Fingerprint
from reachy_agent_ros.agent.memory.knowledge import Knowledge
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory

LONGEST_QUERY = 2_000
"""Maximum length of a query, characters; the rest is ignored."""

MOST_RESULTS = 100

FILE_NAME = "memory.db"
"""Name of the file in the state directory."""


def memory_path() -> Path:
    """Returns the path of the memory file in the state directory."""
    return state_directory() / FILE_NAME


class Memory:
    """Memory in one file that is searched by words and by meaning.

    Several threads may use one memory, and several processes one file. Entries that were changed on disk are left out
    of all results and reported by `damage`.

    Args:
        path: Path of the file, whose folder is created if necessary.
        embedder: Computes the vectors of texts.

    Attributes:
        knowledge: Answers from the facts about people and things.

    Raises:
        AgentError: `STORAGE_FAILED`: the file cannot be opened.
    """

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._entries = EntryStore(path)
        self._embedder = embedder
        self.knowledge = Knowledge(self._entries)

    @property
    def set_aside(self) -> Path | None:
        """Path to which a damaged file was moved, for a message to the user; None if the file was not damaged."""
        return self._entries.set_aside

    @property
    def damage(self) -> str:
        """Readable description of damage in the file, as sentences; empty if the file is not damaged."""
        return self._entries.damage

    def remember(self, *entries: MemoryEntry) -> list[MemoryEntry]:
        """Stores all entries or none, and waits until they are on disk.

        A new fact replaces the fact with the same key, and facts that contradict it. `Knowledge.earlier` returns
        replaced facts.

        Returns:
            The entries with their numbers; of several facts with the same key, only the last.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: an entry is invalid, see `checked`; `STORAGE_FAILED`.
        """
        clean = [checked(entry) for entry in entries]
        facts = {entry.key: entry for entry in clean if entry.kind is EntryKind.FACT}
        kept = [entry for entry in clean if entry.kind is not EntryKind.FACT or facts[entry.key] is entry]
        now = time.time()

        def replaced(table: EntryTable) -> list[int]:
            return [identity for fact in facts.values() for identity in _replaced_by(fact, table, now)]

        return self._store(kept, replaced)

    def replace_file(self, kind: EntryKind, key: str, entries: Sequence[MemoryEntry], fingerprint: Fingerprint) -> None:
        """Replaces the stored passages of a file.

        Raises:
            AgentError: See `remember`.
        """

        def outdated(table: EntryTable) -> list[int]:
            table.add_file(kind, key, fingerprint)
            return table.with_keys(kind, [key])

        self._store([checked(entry) for entry in entries], outdated)

    def recall(self, query: str, kinds: Sequence[EntryKind] = ALL_KINDS, limit: int = 5) -> list[RecalledEntry]:
        """Returns a diverse selection of the entries that best answer a query, the best one first.

        Args:
            query: Words or a complete question.
            kinds: Kinds of entries to search.
            limit: Maximum number of entries, 1 to 100.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the query is empty, there is no kind, or the limit is out of range;
                `STORAGE_FAILED`.
        """
        query = query[:LONGEST_QUERY].encode("utf-8", "replace").decode().strip()
        if not query or not kinds or not 1 <= limit <= MOST_RESULTS:
            reason = f"Invalid search: expected a query, at least one kind, and a limit of 1 to {MOST_RESULTS}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
        vector: Vectors = self._embedder.embed([query])[0]
        return self._entries.search(query, vector, kinds, limit)

    def recall_words(
        self, query: str, kinds: Sequence[EntryKind] = ALL_KINDS, limit: int = 5
    ) -> list[tuple[MemoryEntry, float]]:
        """Returns the entries that contain words of a query, with scores (0 to 1), best first. Needs no embedder.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._entries.search_words(query[:LONGEST_QUERY], kinds, limit)

    def take_back(self, key: str, before: MemoryEntry | None) -> None:
        """Removes the fact with a key, and restores the one that it has replaced.

        Args:
            key: Key of the fact.
            before: Fact that had this key before; None if there was none, so that a fact with another key is restored.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        replaced = [one.fact for one in self.knowledge.earlier(key)][:1]
        restored = replaced if before is None else [before]

        def current(table: EntryTable) -> list[int]:
            for fact in restored:
                table.knowledge.forget_earlier([key], fact.text)
            return table.with_keys(EntryKind.FACT, [key])

        self._store(restored, current)

    def forget(self, identities: Collection[int]) -> Forgotten:
        """Erases entries by number from the disk. Unknown numbers are ignored.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: an entry is a passage of a file, which still contains the text;
                `STORAGE_FAILED`.
        """

        def chosen(table: EntryTable) -> list[int]:
            found = table.by_number(identities)
            for entry in found.values():
                if entry.kind in (EntryKind.NOTE, EntryKind.DOCUMENT):
                    reason = f"Entry {entry.identity} is a passage of {entry.key}: forget the file, or change it."
                    raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
            table.knowledge.forget_earlier({entry.key for entry in found.values()})
            return list(found)

        return self._entries.remove(chosen)

    def forget_file(self, kind: EntryKind, key: str) -> Forgotten:
        """Erases every passage of a file. The file itself remains.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """

        def passages(table: EntryTable) -> list[int]:
            table.remove_file(kind, key)
            return table.with_keys(kind, [key])

        return self._entries.remove(passages)

    def forget_outdated(self, kind: EntryKind, before: float, keep: int) -> Forgotten:
        """Erases outdated entries of a kind.

        An entry is outdated if it is older than `before` (s since 1970) or not among the newest `keep` entries. A
        negative `keep` stands for no limit.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """

        def outdated(table: EntryTable) -> list[int]:
            found = table.outdated(kind, before, keep)
            table.knowledge.forget_earlier({entry.key for entry in table.by_number(found).values()})
            return found

        return self._entries.remove(outdated)

    def forget_everything(self) -> Forgotten:
        """Erases all entries of all kinds. The files of notes and documents remain.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """

        def everything(table: EntryTable) -> list[int]:
            identities: list[int] = table.identities().tolist()
            table.clear()
            return identities

        return self._entries.remove(everything)

    def entries(self, kinds: Sequence[EntryKind] = ALL_KINDS, limit: int = -1) -> list[MemoryEntry]:
        """Returns at most `limit` entries of the given kinds, newest first. By default, returns all entries.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.listed(kinds, limit)

    def entry(self, identity: int) -> MemoryEntry | None:
        """Returns the entry with the given number; None if the entry does not exist.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.by_number([identity]).get(identity)

    def files(self, kind: EntryKind) -> dict[str, Fingerprint]:
        """Returns the fingerprints of files in the memory, by key.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.files(kind)

    def __len__(self) -> int:
        with self._entries.reading() as table:
            return table.count()

    def close(self) -> None:
        """Closes the memory file."""
        self._entries.close()

    def _store(self, entries: Sequence[MemoryEntry], outdated: Choice) -> list[MemoryEntry]:
        # Embedding is slow, so it must precede the lock of the file.
        vectors = self._embedder.embed([entry.sentence for entry in entries])
        return self._entries.add(entries, vectors, outdated)


def _replaced_by(fact: MemoryEntry, table: EntryTable, now: float) -> list[int]:
    """Returns the numbers of the facts that a new fact replaces, and keeps those that say something else."""
    numbers = {*table.with_keys(EntryKind.FACT, [fact.key]), *table.knowledge.contradicted_by(fact)}
    table.knowledge.forget_earlier([fact.key], fact.text)
    for old in table.by_number(numbers).values():
        if old.text != fact.text:
            table.knowledge.keep_earlier(old, fact.key, now)
    return list(numbers)
