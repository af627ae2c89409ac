"""Version of a tool in the registry: its origin, proof, state and usage."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from reachy_agent_ros.core.sanitised_text import sanitised
from reachy_agent_ros.tool_generation.job import Limits, Need
from reachy_agent_ros.tool_generation.verdict import Verdict
from reachy_agent_ros.tool_generation.verification.case import CaseResult
from reachy_agent_ros.tools.protocol.tools import ToolAuthor

LONGEST_TEXT = 8_000
"""Maximum number of characters in a request, an explanation or a reason. Longer text is cut."""

MODEL, IMPORT = "model", "import"
"""Authors of a version other than people: a language model, and a file that was exported elsewhere."""

RECENT_RUNS = 8
"""Number of recent runs that decide whether a tool keeps failing."""

TOO_MANY_FAILURES = 5
"""Number of failures among recent runs that disable a tool: more than half, to tolerate a brief problem."""

MOST_MESSAGES = 5
"""Maximum number of different error messages that are stored."""


@dataclass(frozen=True)
class CaseRecord:
    """Test case and its result. The fields mirror `ToolTestCase` and `ToolTestResult`.

    Attributes:
        arguments: Arguments, a JSON object.
        expected: Expected JSON value; empty if any result is accepted.
        raises: Name of the expected exception; empty if the tool must return.
        ok: Whether the test passed.
        result: JSON value that the tool returned, cut if it is long.
        error: Error message, empty without an error.
        duration: Duration, s.
        invented: Whether the arguments were generated, so that the test reveals little about the purpose of the tool.
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
        """Creates a record from the result of a test case."""
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
        """Returns a copy whose texts are safe to store and show. The test itself does not change."""
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
    """Origin and proof of a version.

    Attributes:
        author: `MODEL`, which a name may follow, `IMPORT`, "person", "folder", or a token of the gateway.
        request: Request in plain words.
        explanation: Purpose of the tool according to its author.
        verdicts: One verdict per stage, in order.
        cases: Tests that the version passed, with their results.
        needs_review: Whether a person must approve the version before it runs.
        asked_by: Token with which the request was made; empty if none.
    """

    author: str
    request: str = ""
    explanation: str = ""
    verdicts: tuple[Verdict, ...] = ()
    cases: tuple[CaseRecord, ...] = ()
    needs_review: bool = True
    asked_by: str = ""

    @property
    def author_kind(self) -> ToolAuthor:
        """Kind of author: language model, import or person.

        A drop folder and a token of the gateway count as a person.
        """
        if self.author == MODEL or self.author.startswith(f"{MODEL} "):
            return ToolAuthor.LANGUAGE_MODEL
        return ToolAuthor.IMPORT if self.author == IMPORT else ToolAuthor.PERSON

    def sanitised(self) -> VersionRecord:
        """Returns a copy whose texts are safe to store and show. Models or third parties may have written them."""
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
    """State of a version's review. The values mirror `ToolVersion.state`."""

    WAITING = "waiting"
    """Waits for review by a person."""
    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Version:
    """Source that has passed all verification stages, with its metadata.

    Attributes:
        number: Number from 1, never reused under one name, so that an approval applies to the text that was shown.
        digest: SHA-256 of the source, hexadecimal.
        created: Time of registration, seconds since the epoch.
        state: Review state, which determines whether the version may run.
        record: Origin and proof of the version.
        summary: One-line summary of the tool.
        needs: Capabilities that its source uses.
        limits: Limits of a run.
        comment: Comment of the reviewer.
        decided_by: Person who reviewed the version, and the channel; empty without a review.
        forgiven: Number of runs before a person enabled the tool again. Failures among them are no longer counted.
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
    """Error message and its number of occurrences.

    Attributes:
        message: The error message.
        count: Number of occurrences.
        last: Time of the last occurrence, seconds since the epoch.
    """

    message: str
    count: int
    last: float


@dataclass(frozen=True)
class Usage:
    """Usage of a version.

    Attributes:
        runs: Number of runs.
        successes: Number of runs that returned a result.
        total_time: Total duration, s.
        recent: Whether each of the latest runs succeeded, newest last.
        failures: Failures by message, newest last.
    """

    runs: int = 0
    successes: int = 0
    total_time: float = 0.0
    recent: tuple[bool, ...] = ()
    failures: tuple[Failure, ...] = ()

    def keeps_failing(self, forgiven: int = 0) -> bool:
        """Returns whether too many of the latest runs failed.

        Args:
            forgiven: Number of runs, from the first run on, that are no longer counted.
        """
        counted = self.runs - forgiven if forgiven <= self.runs else self.runs  # a smaller count was reset
        return counted > 0 and self.recent[-counted:].count(False) >= TOO_MANY_FAILURES

    @property
    def commonest_failure(self) -> str:
        """Most frequent error message. It is empty if no run failed."""
        return max(self.failures, key=lambda failure: failure.count).message if self.failures else ""

    def with_run(self, message: str | None, elapsed: float, moment: float) -> Usage:
        """Returns a copy with the usage of one more run.

        Args:
            message: Error message; None if the run succeeded.
            elapsed: Duration, s.
            moment: End of the run, seconds since the epoch.
        """
        return Usage(
            self.runs + 1,
            self.successes + (message is None),
            self.total_time + elapsed,
            (*self.recent, message is None)[-RECENT_RUNS:],
            self.failures if message is None else self._with_failure(Failure(message, 1, moment)),
        )

    def __add__(self, other: Usage) -> Usage:
        """Returns the sum of two usages. The order of the latest runs is unknown."""
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
    """Replaces lone surrogates, because a JSON file with lone surrogates cannot be read again."""
    return text.encode(errors="replace").decode()
