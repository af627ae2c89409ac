"""Background jobs and their states."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from reachy_agent_ros.agent.provenance.label import Label


class JobState(StrEnum):
    """State of a job."""

    WAITING = "waiting"
    """Begins as soon as fewer jobs are running."""
    RUNNING = "running"
    PAUSED = "paused"
    """Waits until a person resumes it."""
    DONE = "done"
    FAILED = "failed"
    CANCELED = "canceled"
    INTERRUPTED = "interrupted"
    """Ended by a restart, because a job of its kind cannot continue."""

    @property
    def is_active(self) -> bool:
        """Whether the job has not ended."""
        return self in (JobState.WAITING, JobState.RUNNING, JobState.PAUSED)


@dataclass(frozen=True)
class Job:
    """Background job.

    Attributes:
        kind: Name of the kind.
        arguments: Arguments of the work, as JSON values.
        language: ISO 639-1 code of the language in which the robot speaks about it.
        session_id: Conversation that asked for it.
        asked_by: Token of the request; empty if none.
        origin: Provenance labels of the text in its arguments and its result, in one line; empty if a person said it.
        state: State of the job.
        progress: Progress, 0 to 1.
        status: Sentence about the progress; empty before the first one.
        ran: Time for which it has run, s.
        checkpoint: Values with which the work continues after a pause or a restart.
        result: Result as JSON values; for a failed job, `reason` is a sentence.
        created: Wall clock time of the request, s since the epoch.
        ended: Wall clock time of its end, s since the epoch; 0 before.
        announced: Whether a person knows that it has ended.
        identity: Number of the job in the store, 0 before it is stored.
    """

    kind: str
    arguments: Mapping[str, Any]
    language: str
    session_id: str = ""
    asked_by: str = ""
    origin: str = ""
    state: JobState = JobState.WAITING
    progress: float = 0.0
    status: str = ""
    ran: float = 0.0
    checkpoint: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)
    created: float = 0.0
    ended: float = 0.0
    announced: bool = False
    identity: int = 0


@dataclass(frozen=True)
class Progress:
    """Progress of a running job.

    Attributes:
        fraction: From 0 to 1.
        status: Sentence about the progress, in the language of the job.
        checkpoint: Values with which the work continues after a pause or a restart.
    """

    fraction: float
    status: str = ""
    checkpoint: Mapping[str, Any] = field(default_factory=dict)


Report = Callable[[Progress], Awaitable[None]]
"""Records the progress of a job."""


class JobKind(Protocol):
    """Kind of work that jobs do.

    Attributes:
        name: Name of the kind, which jobs on disk refer to.
        resumes: Whether a job continues from its checkpoint after a pause or a restart.
        time_limit: Maximum run time of a job, s.
        labels: Provenance labels of the results; empty if they are trusted.
    """

    name: str
    resumes: bool
    time_limit: float
    labels: Sequence[Label]

    async def run(self, job: Job, report: Report) -> Mapping[str, Any]:
        """Does the work of a job without blocking the event loop. Canceling this coroutine ends the work.

        Args:
            job: Job, whose checkpoint is empty at its first start.
            report: Records the progress.

        Returns:
            Result as JSON values.

        Raises:
            AgentError: The job has failed.
        """
        ...

    def description(self, job: Job, language: str) -> str:
        """Returns a sentence about what the job does, in a language."""
        ...

    def announcement(self, job: Job) -> str:
        """Returns a sentence about a job that has ended, in its language."""
        ...
