"""How often a version ran, and how it went."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

RECENT_RUNS = 8
"""Runs that are looked at to tell whether a tool keeps failing."""

TOO_MANY_FAILURES = 5
"""Of these: more than half, so that one bad moment of the robot disables nothing."""

MOST_MESSAGES = 5
"""Kinds of failure that are kept."""


@dataclass(frozen=True)
class Failure:
    """A way in which it failed.

    Attributes:
        message: What was said.
        count: How often.
        last: When it was last, s since the epoch.
    """

    message: str
    count: int
    last: float


@dataclass(frozen=True)
class Usage:
    """Runs of one version.

    Attributes:
        runs: All of them.
        successes: Those that gave a result.
        total_time: s of all of them.
        recent: Whether the last few succeeded, newest last.
        failures: By message, the newest last.
    """

    runs: int = 0
    successes: int = 0
    total_time: float = 0.0
    recent: tuple[bool, ...] = ()
    failures: tuple[Failure, ...] = ()

    @property
    def success_rate(self) -> float:
        """0..1; 1 before the first run."""
        return self.successes / self.runs if self.runs else 1.0

    @property
    def mean_time(self) -> float:
        """Of a run, s; 0 before the first."""
        return self.total_time / self.runs if self.runs else 0.0

    def keeps_failing(self, forgiven: int = 0) -> bool:
        """Whether it failed too often of late.

        Args:
            forgiven: Runs, from the first on, that no longer count.
        """
        counted = self.runs - forgiven if forgiven <= self.runs else self.runs  # fewer: it was counted anew
        return counted > 0 and self.recent[-counted:].count(False) >= TOO_MANY_FAILURES

    @property
    def commonest_failure(self) -> str:
        """The message that came most often, empty without a failure."""
        return max(self.failures, key=lambda failure: failure.count).message if self.failures else ""

    def with_run(self, message: str | None, elapsed: float, moment: float) -> Usage:
        """After one more run.

        Args:
            message: Why it failed, None if it did not.
            elapsed: s it took.
            moment: When it ended, s since the epoch.
        """
        return Usage(
            self.runs + 1,
            self.successes + (message is None),
            self.total_time + elapsed,
            (*self.recent, message is None)[-RECENT_RUNS:],
            self.failures if message is None else self._with_failure(Failure(message, 1, moment)),
        )

    def __add__(self, other: Usage) -> Usage:
        """Runs of both; which were the last of them is not known."""
        counts: Counter[str] = Counter()
        last: dict[str, float] = {}
        for failure in (*self.failures, *other.failures):
            counts[failure.message] += failure.count
            last[failure.message] = max(failure.last, last.get(failure.message, 0.0))
        failures = sorted((Failure(text, counts[text], last[text]) for text in counts), key=lambda one: one.last)
        return Usage(
            self.runs + other.runs,
            self.successes + other.successes,
            self.total_time + other.total_time,
            failures=tuple(failures[-MOST_MESSAGES:]),
        )

    def _with_failure(self, failure: Failure) -> tuple[Failure, ...]:
        before = sum(one.count for one in self.failures if one.message == failure.message)
        others = [one for one in self.failures if one.message != failure.message]
        return (*others, replace(failure, count=before + 1))[-MOST_MESSAGES:]
