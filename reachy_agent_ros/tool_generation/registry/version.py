"""Version of a tool as the registry stores it: its origin, its proof, whether it may run, and its usage."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.job import Limits, Need
from reachy_agent_ros.tool_generation.verdict import Verdict
from reachy_agent_ros.tool_generation.verification.case import CaseResult

LONGEST_TEXT = 8_000
"""Characters of a request, an explanation or a reason; the rest is cut."""

RECENT_RUNS = 8
"""Latest runs that decide whether a tool keeps failing."""

TOO_MANY_FAILURES = 5
"""Failures among them that disable it: more than half, so that one bad moment of the robot does not."""

MOST_MESSAGES = 5
"""Different failures that are kept."""


@dataclass(frozen=True)
class CaseRecord:
    """A test and its result; mirror of `ToolTestCase` and `ToolTestResult`.

    Attributes:
        arguments: JSON object.
        expected: JSON value; empty if any result will do.
        raises: Name of the exception that the tool must raise; empty if it must return.
        ok: Whether it passed.
        result: JSON value that the tool returned, cut where it is long.
        error: One sentence, empty without an error.
        duration: s it took.
        invented: Whether the arguments were generated, so that the test says little about the purpose of the tool.
    """

    arguments: str = "{}"
    expected: str = ""
    raises: str = ""
    ok: bool = True
    result: str = ""
    error: str = ""
    duration: float = 0.0
    invented: bool = False

    @classmethod
    def of(cls, result: CaseResult) -> CaseRecord:
        """The record of a case that was run."""
        case = result.case
        return cls(
            arguments=json.dumps(dict(case.arguments)),
            expected="" if case.expect is None else json.dumps(case.expect),
            raises=case.raises or "",
            ok=result.ok,
            result="" if result.result is None else json.dumps(result.result),
            error=result.reason,
            duration=result.elapsed,
            invented=case.invented,
        )

    def sanitised(self) -> CaseRecord:
        """The same with texts that can be stored and shown; the test itself does not change."""
        return replace(
            self,
            arguments=_encodable(self.arguments),
            expected=_encodable(self.expected),
            raises=_encodable(self.raises),
            result=sanitised(self.result),
            error=sanitised(self.error),
        )


@dataclass(frozen=True)
class VersionRecord:
    """Where a version comes from.

    Attributes:
        author: "model NAME", "person", "import" or "folder".
        request: What was asked for, in words.
        explanation: Purpose of the tool, in the author's words.
        verdicts: One per stage, in order.
        cases: The tests it passed, with their results.
        needs_review: Whether a person approves it before it runs.
        asked_by: Token of the request, empty if none.
    """

    author: str
    request: str = ""
    explanation: str = ""
    verdicts: tuple[Verdict, ...] = ()
    cases: tuple[CaseRecord, ...] = ()
    needs_review: bool = True
    asked_by: str = ""

    def sanitised(self) -> VersionRecord:
        """The same with texts that can be stored and shown: models and strangers wrote them."""
        return replace(
            self,
            author=sanitised(self.author, 200),
            asked_by=sanitised(self.asked_by, 200),
            request=sanitised(self.request, LONGEST_TEXT),
            explanation=sanitised(self.explanation, LONGEST_TEXT),
            verdicts=tuple(replace(one, reason=sanitised(one.reason, LONGEST_TEXT)) for one in self.verdicts),
            cases=tuple(one.sanitised() for one in self.cases),
        )


class VersionState(StrEnum):
    """Whether a version may run; mirror of `ToolVersion.state`."""

    WAITING = "waiting"
    """For a person's review."""
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Version:
    """A source that passed every stage, and what is known of it.

    Attributes:
        number: From 1; never reused under one name, so that an approval is for the text that was shown.
        digest: SHA-256 of the source, hexadecimal.
        created: When it was registered, s since the epoch.
        state: Whether it may run.
        record: Where it comes from.
        summary: What it does, on one line.
        needs: Capabilities that its source names.
        limits: Limits of a run.
        comment: Comment of the reviewer.
        decided_by: Who reviewed it, and in which way; empty if nobody did.
        forgiven: Runs up to when a person enabled the tool again: failures among them no longer count.
    """

    number: int
    digest: str
    created: float
    state: VersionState
    record: VersionRecord
    summary: str
    needs: frozenset[Need]
    limits: Limits
    comment: str = ""
    decided_by: str = ""
    forgiven: int = 0


@dataclass(frozen=True)
class Failure:
    """A failure and how often it came.

    Attributes:
        message: The error message.
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
        successes: Runs that returned a result.
        total_time: s of all of them.
        recent: Whether the last few succeeded, newest last.
        failures: By message, the newest last.
    """

    runs: int = 0
    successes: int = 0
    total_time: float = 0.0
    recent: tuple[bool, ...] = ()
    failures: tuple[Failure, ...] = ()

    def keeps_failing(self, forgiven: int = 0) -> bool:
        """Whether too many of the latest runs failed.

        Args:
            forgiven: Runs, from the first on, that no longer count.
        """
        counted = self.runs - forgiven if forgiven <= self.runs else self.runs  # fewer: the count was reset
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
        """Runs of both; the order of the latest ones is unknown."""
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


def _encodable(text: str) -> str:
    """A lone surrogate could be written, and not be read again."""
    return text.encode(errors="replace").decode()
