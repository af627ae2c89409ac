"""Feedback as the node `feedback` keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path

from reachy_agent_ros.gateway.ports.feedback import GivenFeedback, GivenReward
from reachy_agent_ros.learning.feedback.history import past_judgements, past_rewards
from reachy_agent_ros.learning.feedback.store import FeedbackStore

FILE = "feedback.db"


class FeedbackRecords:
    """Reads them; each call opens the database anew.

    Args:
        directory: State directory of the node `feedback`.
        database: URL of its database, where it is elsewhere.
    """

    def __init__(self, directory: Path, database: str = "") -> None:
        self._spool = directory / "feedback.spool"
        self._database: Path | str = database or directory / FILE

    def judgements(self, since: float, limit: int) -> Sequence[GivenFeedback]:
        """Latest judgements, newest first.

        Raises:
            AgentError: `STORAGE_FAILED`: the database cannot be read.
        """
        with self._store() as store:
            found = [] if store is None else past_judgements(store, since, limit)
        return [
            GivenFeedback(
                feedback_id=one.feedback_id,
                source=one.source.name.lower(),
                text=one.text,
                given=one.given,
                turn_id=one.turn_id,
                rating=one.rating,
                person=one.person,
                rewards=[GivenReward(**asdict(reward)) for reward in one.rewards],
            )
            for one in found
        ]

    def rewards(self, since: float, limit: int, skill: str) -> Sequence[GivenReward]:
        """Latest rewards, newest first; raises as `judgements`."""
        with self._store() as store:
            found = [] if store is None else past_rewards(store, since, limit, skill)
        return [GivenReward(**asdict(one)) for one in found]

    @contextmanager
    def _store(self) -> Iterator[FeedbackStore | None]:
        """None where nobody has made the file yet: who only looks makes none."""
        if isinstance(self._database, Path) and not self._database.exists():
            yield None
            return
        with closing(FeedbackStore(self._database, self._spool)) as store:
            yield store
