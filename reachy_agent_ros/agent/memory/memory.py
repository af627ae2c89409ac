"""What the agent remembers: stored, found by words and meaning, and forgotten so that it is gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from reachy_agent_ros.agent.memory.embedder import Embedder, Vectors
from reachy_agent_ros.agent.memory.entry import ALL_KINDS, EntryKind, MemoryEntry, RecalledEntry, checked
from reachy_agent_ros.agent.memory.entry_store import Choice, EntryStore, Forgotten
from reachy_agent_ros.agent.memory.entry_table import EntryTable, Fingerprint
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory

LONGEST_QUERY = 2_000
"""Characters of a question that count."""

MOST_RESULTS = 100

FILE_NAME = "memory.db"
"""In the state directory."""


def memory_path() -> Path:
    """The file of whoever runs the program."""
    return state_directory() / FILE_NAME


class Memory:
    """One file of things that are remembered, searched by words and meaning at once.

    It may be used by several threads, and the file by several processes. An entry that was changed on the disk is left
    out of all answers, and `damage` says so.

    Args:
        path: The file; its folder is made if need be.
        embedder: Makes vectors of texts.

    Raises:
        AgentError: `STORAGE_FAILED`: it cannot be opened.
    """

    def __init__(self, path: Path, embedder: Embedder) -> None:
        self._entries = EntryStore(path)
        self._embedder = embedder

    @property
    def set_aside(self) -> Path | None:
        """Where a damaged file was set aside, to be told to the person; None where there was none."""
        return self._entries.set_aside

    @property
    def damage(self) -> str:
        """What of the file was found damaged, one sentence or two, for people; empty where nothing was."""
        return self._entries.damage

    def remember(self, *entries: MemoryEntry) -> list[MemoryEntry]:
        """Stores entries, all or none; on disk when it returns. A fact replaces the one of its key.

        Returns:
            The entries with their numbers; of two facts of one key, the later.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: one of them is empty, too long or no text; `STORAGE_FAILED`.
        """
        clean = [checked(entry) for entry in entries]
        facts = {entry.key: entry for entry in clean if entry.kind is EntryKind.FACT}
        kept = [entry for entry in clean if entry.kind is not EntryKind.FACT or facts[entry.key] is entry]
        return self._store(kept, lambda table: table.with_keys(EntryKind.FACT, facts))

    def replace_file(self, kind: EntryKind, key: str, entries: Sequence[MemoryEntry], fingerprint: Fingerprint) -> None:
        """Stores the passages a file holds now, instead of those it held.

        Raises:
            AgentError: As `remember`.
        """

        def outdated(table: EntryTable) -> list[int]:
            table.add_file(kind, key, fingerprint)
            return table.with_keys(kind, [key])

        self._store([checked(entry) for entry in entries], outdated)

    def recall(self, query: str, kinds: Sequence[EntryKind] = ALL_KINDS, limit: int = 5) -> list[RecalledEntry]:
        """The entries that answer a query best, the best first.

        Args:
            query: Words or a whole question.
            kinds: Sorts of entries to look at.
            limit: Entries at most, 1 to 100.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: no query, no kind or no such limit; `STORAGE_FAILED`.
        """
        query = query[:LONGEST_QUERY].encode("utf-8", "replace").decode().strip()
        if not query or not kinds or not 1 <= limit <= MOST_RESULTS:
            reason = f"A memory is searched with some words, a kind, and a limit of 1 to {MOST_RESULTS}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
        vector: Vectors = self._embedder.embed([query])[0]
        return self._entries.search(query, vector, kinds, limit)

    def recall_words(
        self, query: str, kinds: Sequence[EntryKind] = ALL_KINDS, limit: int = 5
    ) -> list[tuple[MemoryEntry, float]]:
        """The entries with a query's words, the best first, with their scores, 0 to 1; no embedder is needed.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._entries.search_words(query[:LONGEST_QUERY], kinds, limit)

    def forget(self, identities: Collection[int]) -> Forgotten:
        """Forgets entries by number, so that they are gone from the disk; unknown numbers do not count.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: one is a passage of a file, which would still hold it; `STORAGE_FAILED`.
        """

        def chosen(table: EntryTable) -> list[int]:
            found = table.by_number(identities)
            for entry in found.values():
                if entry.kind in (EntryKind.NOTE, EntryKind.DOCUMENT):
                    reason = f"Entry {entry.identity} is a passage of {entry.key}: forget the file, or change it."
                    raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
            return list(found)

        return self._entries.remove(chosen)

    def forget_file(self, kind: EntryKind, key: str) -> Forgotten:
        """Forgets every passage of a file; the file itself is not touched.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """

        def passages(table: EntryTable) -> list[int]:
            table.remove_file(kind, key)
            return table.with_keys(kind, [key])

        return self._entries.remove(passages)

    def forget_outdated(self, kind: EntryKind, before: float, keep: int) -> Forgotten:
        """Forgets what is older than a time (s since 1970) or not among so many of the newest of its kind.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return self._entries.remove(lambda table: table.outdated(kind, before, keep))

    def forget_everything(self) -> Forgotten:
        """Forgets all entries of all kinds. Files that notes and documents were made of are not touched.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """

        def everything(table: EntryTable) -> list[int]:
            identities: list[int] = table.identities().tolist()
            table.clear()
            return identities

        return self._entries.remove(everything)

    def entries(self, kinds: Sequence[EntryKind] = ALL_KINDS, limit: int = -1) -> list[MemoryEntry]:
        """Entries of some kinds, the newest first; all of them where no limit is given.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.listed(kinds, limit)

    def entry(self, identity: int) -> MemoryEntry | None:
        """The entry of a number; None where there is none.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.by_number([identity]).get(identity)

    def files(self, kind: EntryKind) -> dict[str, Fingerprint]:
        """Files whose passages are remembered, by key.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._entries.reading() as table:
            return table.files(kind)

    def __len__(self) -> int:
        with self._entries.reading() as table:
            return table.count()

    def close(self) -> None:
        """Closes the file."""
        self._entries.close()

    def _store(self, entries: Sequence[MemoryEntry], outdated: Choice) -> list[MemoryEntry]:
        # Before the file is locked: this takes long.
        vectors = self._embedder.embed([entry.sentence for entry in entries])
        return self._entries.add(entries, vectors, outdated)
