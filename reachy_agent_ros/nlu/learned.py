"""Database of phrases that people have taught the robot."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action
from reachy_agent_ros.nlu.text import joined, strip_courtesies, words_of
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.row_checksums import is_sound, seal_of, sealing

FILE_NAME = "phrases.db"
"""Name of the database in the state directory."""

_SEALED = ("phrase", "calls")
_FORMAT = Format(
    "learned phrases",
    "CREATE TABLE IF NOT EXISTS phrases (phrase TEXT PRIMARY KEY, calls TEXT NOT NULL);",
    (sealing("phrases", *_SEALED),),
)
_LEARN = f"INSERT OR REPLACE INTO phrases VALUES (?1, ?2, {seal_of('?1', '?2')})"  # noqa: S608
_SOUND = is_sound("'phrase ' || rowid", *_SEALED)
_ALL = f"SELECT phrase, calls FROM phrases WHERE {_SOUND} ORDER BY phrase"  # noqa: S608

PATIENCE = 2.0
"""Time to wait while another process writes, s."""

LONGEST = 200
"""Maximum length of a phrase, characters. People do not repeat longer ones word for word."""


@dataclass(frozen=True)
class LearnedPhrase:
    """Taught phrase and its actions.

    Attributes:
        phrase: Plain words without courtesies.
        actions: Tool calls, in order.
    """

    phrase: str
    actions: tuple[Action, ...]


class LearnedPhrases:
    """SQLite database of taught phrases. Safe for use from several threads and processes.

    A damaged file is set aside and replaced by a new one.

    Args:
        path: File. Created with its folder when the first phrase is learned.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = threading.Lock()
        self._database: Database | None = None

    def learn(self, text: str, actions: Sequence[Action]) -> None:
        """Stores the meaning of a sentence on disk, and replaces an earlier meaning.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the phrase is empty or too long, or there are no actions; `STORAGE_FAILED`.
        """
        phrase = phrase_of(text)
        if not phrase or len(phrase) > LONGEST or not actions:
            message = f"Invalid phrase: expected 1 to {LONGEST} characters and at least one action."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        calls = json.dumps([[action.tool, dict(action.arguments)] for action in actions])
        with self._opened().writing() as connection:
            connection.execute(_LEARN, (phrase, calls))

    def forget(self, text: str) -> bool:
        """Deletes a taught sentence, and erases it from the file. Returns False if the sentence is unknown.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._opened().writing() as connection:
            count = connection.execute("DELETE FROM phrases WHERE phrase = ?", (phrase_of(text),)).rowcount
        self._opened().erase()
        return count > 0

    def forget_all(self) -> int:
        """Deletes all taught sentences, and erases them from the file. Returns their number.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        if not self._path.exists():
            return 0
        with self._opened().writing() as connection:
            count = connection.execute("DELETE FROM phrases").rowcount
        self._opened().erase()
        return count

    def all(self) -> list[LearnedPhrase]:
        """Returns all phrases with a valid checksum, in alphabetical order.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        if not self._path.exists():
            return []
        with self._opened().reading() as connection:
            rows = connection.execute(_ALL).fetchall()
        return [
            LearnedPhrase(phrase, tuple(Action(tool, arguments) for tool, arguments in json.loads(calls)))
            for phrase, calls in rows
        ]

    def close(self) -> None:
        """Closes the database."""
        if self._database is not None:
            self._database.close()

    def _opened(self) -> Database:
        with self._opening:
            if self._database is None:
                self._database = Database(self._path, _FORMAT, PATIENCE)
            return self._database


def phrase_of(text: str) -> str:
    """Returns the normalized form of a sentence for comparison: plain words without courtesies."""
    return strip_courtesies(joined(word for word in words_of(text) if not word.is_mark))
