"""The stores of `learning/` as `StoreUnderTest`."""

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
    """Store of feedback in the database."""

    def __init__(self, folder: Path) -> None:
        self._store = FeedbackStore(folder / "feedback.db")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._store.add([_row(number)])

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`."""
        said = [str(row.values["text"]) for row in self._store.rows() if row.table == "judgements"]
        return [(number_in(words), words) for words in said]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
        self._store.close()


class WaitingJudgments:
    """Store of feedback in the spool, which is used while the database is unavailable."""

    def __init__(self, folder: Path) -> None:
        self._spool = Spool(folder / "feedback.spool")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._spool.append([_row(number)])

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`. Reading does not remove entries."""
        found: list[str] = []

        def look(batches: Sequence[Sequence[Row]]) -> None:
            found.extend(str(row.values["text"]) for batch in batches for row in batch)
            raise _OnlyLookingError

        with suppress(_OnlyLookingError):
            self._spool.drain(look)
        return [(number_in(words), words) for words in found]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""


class _OnlyLookingError(Exception):
    """Exception that prevents the spool from removing the entries that were read."""


class Policies:
    """Store of policy versions."""

    def __init__(self, folder: Path) -> None:
        self._store = PolicyStore(folder / "policies")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        record = PolicyRecord(_SKILL, 0, "coach", 0.0, because=words_of(number))
        self._store.save(record, {"number": np.array([number])})

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`: the listed versions up to the newest whose weights can be read."""
        last = self._store.standing(_SKILL).last
        records = [one for one in self._store.list(_SKILL) if one.version <= last]
        return [(int(self._store.weights(one)["number"][0]), one.because) for one in records]

    def close(self) -> None:
        """Implements `StoreUnderTest`."""


class Shown:
    """Store of demonstrations, which reads their descriptions and bags."""

    def __init__(self, folder: Path) -> None:
        self._demonstrations = Demonstrations(folder / "demonstrations")

    def put(self, number: int) -> None:
        """Implements `StoreUnderTest`."""
        self._demonstrations.record(_SKILL, words_of(number), Method.HAND).finish()

    def records(self) -> list[tuple[int, str]]:
        """Implements `StoreUnderTest`: the complete demonstrations whose bag contains the same prompt."""
        found = []
        for one in self._demonstrations.listed():
            if one.quality is None or one.quality.cut:
                continue
            (about,) = self._demonstrations.bag(one).messages(ABOUT)
            prompt = from_json(about.content.data).prompt
            found.append((number_in(one.prompt), prompt if prompt == one.prompt else ""))
        return found

    def close(self) -> None:
        """Implements `StoreUnderTest`."""
