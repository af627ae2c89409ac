"""Phrasings that this robot's people taught it, on disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.durable_file import make_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.text import joined, strip_courtesies, words_of
from reachy_agent_ros.storage.database_file import Format, alone, bring_up_to_date
from reachy_agent_ros.storage.row_checksums import RowChecksums, is_sound, seal_of, sealing

FILE_NAME = "phrases.db"
"""Its name in the state directory."""

_SEALED = ("phrase", "calls")
_FORMAT = Format(
    "learned phrases",
    "CREATE TABLE IF NOT EXISTS phrases (phrase TEXT PRIMARY KEY, calls TEXT NOT NULL);",
    (sealing("phrases", *_SEALED),),
)
_LEARN = f"INSERT OR REPLACE INTO phrases VALUES (?1, ?2, {seal_of('?1', '?2')})"  # noqa: S608
_SOUND = is_sound("'phrase ' || rowid", *_SEALED)
_ALL = f"SELECT phrase, calls FROM phrases WHERE {_SOUND} ORDER BY phrase"  # noqa: S608

LONGEST = 200
"""Characters; what is longer is no phrase that anybody says twice."""


@dataclass(frozen=True)
class LearnedPhrase:
    """What somebody says, and what is done then.

    Attributes:
        phrase: Plain words without courtesies.
        actions: What to call, in order.
    """

    phrase: str
    actions: tuple[Action, ...]


class LearnedPhrases:
    """A small SQLite file of them. Any thread may use it, and several processes.

    Args:
        path: The file; it and its folder are made when the first phrase is learned.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seals = RowChecksums(_FORMAT.content)

    def learn(self, text: str, actions: Sequence[Action]) -> None:
        """Keeps what a sentence means, instead of what it meant before; on disk when it returns.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: no words, too many, or no actions; `STORAGE_FAILED`.
        """
        phrase = phrase_of(text)
        if not phrase or len(phrase) > LONGEST or not actions:
            message = f"A phrase to learn needs 1 to {LONGEST} characters, and at least one action."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        calls = json.dumps([[action.tool, dict(action.arguments)] for action in actions])
        with self._open("stored") as database:
            database.execute(_LEARN, (phrase, calls))

    def forget(self, text: str) -> bool:
        """Drops what was learned of a sentence; False if nothing was.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._open("forgotten") as database:
            return database.execute("DELETE FROM phrases WHERE phrase = ?", (phrase_of(text),)).rowcount > 0

    def all(self) -> list[LearnedPhrase]:
        """All that are as they were learned, in alphabetical order.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        if not self._path.exists():
            return []
        with self._open("read") as database:
            rows = database.execute(_ALL).fetchall()
        return [
            LearnedPhrase(phrase, tuple(Action(tool, arguments) for tool, arguments in json.loads(calls)))
            for phrase, calls in rows
        ]

    @contextmanager
    def _open(self, what: str) -> Iterator[sqlite3.Connection]:
        try:
            make_folder(self._path.parent)
            with closing(sqlite3.connect(self._path, timeout=2.0)) as database:
                # With less, a power cut brings the journal's name back, and what was committed is taken back by it.
                database.execute("PRAGMA synchronous = EXTRA")
                # What a person has it forget must not stay readable in the file.
                database.execute("PRAGMA secure_delete = ON")
                with alone(self._path):
                    bring_up_to_date(database, self._path, _FORMAT, self._seals)
                with database:
                    yield database
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Learned phrases could not be {what}: {error}.") from error


def phrase_of(text: str) -> str:
    """A sentence as it is compared: plain words without courtesies."""
    return strip_courtesies(joined(word for word in words_of(text) if not word.is_mark))
