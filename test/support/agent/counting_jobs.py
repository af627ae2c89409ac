"""Kinds of jobs that count to a number, for tests and fault injection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.agent.jobs.job import Job, JobKind, JobState, Progress, Report
from reachy_agent_ros.agent.jobs.job_queue import JobQueue
from reachy_agent_ros.agent.provenance.label import Label
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@dataclass
class Counting:
    """Kind of job that counts to `to`, and reports every number.

    Attributes:
        name: Name of the kind.
        resumes: Whether it continues after the last reported number.
        time_limit: Maximum run time, s.
        failure: Error at the end of the count.
        counted: Called with the job and each number, after it was reported.
    """

    name: str = "counting"
    resumes: bool = True
    time_limit: float = 60.0
    labels: Sequence[Label] = ()
    failure: Exception | None = None
    counted: Callable[[Job, int], None] = lambda _job, _number: None

    async def run(self, job: Job, report: Report) -> Mapping[str, Any]:
        to = int(job.arguments["to"])
        for number in range(int(job.checkpoint.get("number", 0)) + 1, to + 1):
            await report(Progress(number / to, f"I am at {number}.", {"number": number}))
            self.counted(job, number)
            await asyncio.sleep(float(job.arguments.get("pause", 0.0)))
        if self.failure is not None:
            raise self.failure
        return {"number": to}

    def description(self, job: Job, language: str) -> str:
        return f"I count to {job.arguments['to']}."

    def announcement(self, job: Job) -> str:
        reason = job.result.get("reason", "")
        return f"I failed: {reason}" if job.state is JobState.FAILED else f"I counted to {job.result['number']}."


def kinds(*some: JobKind) -> dict[str, JobKind]:
    return {kind.name: kind for kind in some}


def job(to: int = 3, kind: str = "counting", **options: Any) -> Job:
    return Job(kind, {"to": to, **options}, "en")


OpenQueue = Callable[..., JobQueue]
"""Opens a queue for some kinds, as a new process does."""

LOST = AgentError(ErrorCode.INVALID_ARGUMENTS, "I lost count.")
FOREVER = 3600.0
"""Pause of a job that ends only if it is canceled, s."""
