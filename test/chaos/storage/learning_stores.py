"""Implementations of `StoreUnderTest` for the stores of `learning/`."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from chaos.storage.words import number_in, words_of
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.demonstrations.channels import ABOUT
from reachy_agent_ros.learning.demonstrations.demonstration import Method, from_json
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.feedback.rows import Row, row_of_judgment
from reachy_agent_ros.learning.feedback.spool import Spool
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource

_SKILL = "kept"


def _row(number: int) -> Row:
    return row_of_judgment(
        FeedbackEvent(uuid.uuid4(), FeedbackSource.SPEECH, words_of(number), float(number), None, None, "Ada")
    )


class Judgments:
    """Feedback database as a store under test."""

    def __init__(self, folder: Path) -> None:
        self._store = FeedbackStore(folder / "feedback.db")

    def put(self, number: int) -> None:
        """Stores a numbered feedback row."""
        self._store.add([_row(number)])

    def records(self) -> list[tuple[int, str]]:
        """Returns the feedback in the database."""
        said = [str(row.values["text"]) for row in self._store.rows() if row.table == "judgements"]
        return [(number_in(words), words) for words in said]

    def close(self) -> None:
        """Closes the feedback store."""
        self._store.close()


class WaitingJudgments:
    """Feedback spool as a store under test. The spool holds feedback while the database is unavailable."""

    def __init__(self, folder: Path) -> None:
        self._spool = Spool(folder / "feedback.spool")

    def put(self, number: int) -> None:
        """Appends a numbered feedback row to the spool."""
        self._spool.append([_row(number)])

    def records(self) -> list[tuple[int, str]]:
        """Returns the feedback in the spool without removing the entries."""
        found: list[str] = []

        def look(batches: Sequence[Sequence[Row]]) -> None:
            found.extend(str(row.values["text"]) for batch in batches for row in batch)
            raise _OnlyLookingError

        with suppress(_OnlyLookingError):
            self._spool.drain(look)
        return [(number_in(words), words) for words in found]

    def close(self) -> None:
        """Does nothing, because the spool keeps no file open."""


class _OnlyLookingError(Exception):
    """Exception that interrupts the reading of the spool, so that the spool keeps its entries."""


class Policies:
    """Policy store as a store under test."""

    def __init__(self, folder: Path) -> None:
        self._store = PolicyStore(folder / "policies")

    def put(self, number: int) -> None:
        """Saves a numbered policy version."""
        record = PolicyRecord(_SKILL, 0, "coach", 0.0, because=words_of(number))
        self._store.save(record, {"number": np.array([number])})

    def records(self) -> list[tuple[int, str]]:
        """Returns the policy versions up to the highest assigned number. All weights must be readable."""
        last = self._store.standing(_SKILL).last
        records = [one for one in self._store.list(_SKILL) if one.version <= last]
        return [(int(self._store.weights(one)["number"][0]), one.because) for one in records]

    def close(self) -> None:
        """Does nothing, because the policy store keeps no file open."""


class Shown:
    """Demonstrations as a store under test, including their descriptions and bags."""

    def __init__(self, folder: Path) -> None:
        self._demonstrations = Demonstrations(folder / "demonstrations")

    def put(self, number: int) -> None:
        """Records a numbered demonstration."""
        self._demonstrations.record(_SKILL, words_of(number), Method.HAND).finish()

    def records(self) -> list[tuple[int, str]]:
        """Returns the complete demonstrations. The text is empty if the bag of a demonstration has another prompt."""
        found = []
        for one in self._demonstrations.listed():
            if one.quality is None or one.quality.cut:
                continue
            (about,) = self._demonstrations.bag(one).messages(ABOUT)
            prompt = from_json(about.content.data).prompt
            found.append((number_in(one.prompt), prompt if prompt == one.prompt else ""))
        return found

    def close(self) -> None:
        """Does nothing, because the demonstrations keep no file open."""
