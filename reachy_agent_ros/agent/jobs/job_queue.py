"""Durable queue of background jobs, which decides what may change and what continues after a restart."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reachy_agent_ros.agent.jobs.job import Job, JobKind, JobState, Progress
from reachy_agent_ros.agent.jobs.job_phrases import JobError
from reachy_agent_ros.agent.jobs.job_store import JobStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MOST_ACTIVE = 20
"""Maximum number of jobs that have not ended. More are a faulty program rather than a person."""

MOST_KEPT = 200
"""Maximum number of jobs, with those that have ended."""

KEPT = 30 * 86400.0
"""Time for which a job that has ended is kept, s."""

LARGEST = 20_000
"""Maximum size of arguments, of a checkpoint or of a result, characters of JSON. A model must be able to read it."""

_BEFORE: Mapping[JobState, Collection[JobState]] = {
    JobState.WAITING: (JobState.PAUSED,),
    JobState.RUNNING: (JobState.WAITING,),
    JobState.PAUSED: (JobState.WAITING, JobState.RUNNING),
    JobState.DONE: (JobState.RUNNING,),
    JobState.FAILED: (JobState.RUNNING,),
    JobState.CANCELED: (JobState.WAITING, JobState.RUNNING, JobState.PAUSED),
}
"""States from which a job may enter a state."""


class JobQueue:
    """Jobs of the agent. A change is on disk before its method returns. Thread-safe.

    A job that was running when the previous process ended waits again if its kind resumes, and is interrupted
    otherwise.

    Args:
        store: Store of the jobs.
        kinds: Kinds of jobs by name.
        changed: Called after a change, in the thread that made it.
        wall: Wall clock, s since the epoch; replaceable for simulated time.

    Raises:
        AgentError: `STORAGE_FAILED`, as every method that changes a job.
    """

    def __init__(
        self,
        store: JobStore,
        kinds: Mapping[str, JobKind],
        changed: Callable[[], None] = lambda: None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._changed = changed
        self._wall = wall
        self._lock = threading.RLock()
        self._jobs = {job.identity: job for job in store.load()}
        self._continue(kinds)
        self._forget()

    @property
    def damage(self) -> str:
        """Readable description of damage in the file; empty if the file is not damaged."""
        return self._store.damage

    def jobs(self) -> list[Job]:
        """Returns all jobs, the oldest first."""
        with self._lock:
            return list(self._jobs.values())

    def active(self) -> list[Job]:
        """Returns the jobs that have not ended, the oldest first."""
        return [job for job in self.jobs() if job.state.is_active]

    def job(self, identity: int) -> Job:
        """Returns a job.

        Raises:
            AgentError: `NOT_FOUND`.
        """
        with self._lock:
            if identity not in self._jobs:
                known = ", ".join(map(str, self._jobs)) or "none"
                raise AgentError(ErrorCode.NOT_FOUND, f"Unknown job {identity}: expected one of {known}.")
            return self._jobs[identity]

    def add(self, job: Job) -> Job:
        """Adds a waiting job. Returns it with its number.

        Raises:
            JobError: `BUDGET_EXCEEDED`: there are too many jobs.
            AgentError: `INVALID_ARGUMENTS`: the arguments are too large.
        """
        with self._lock:
            if len(self.active()) >= MOST_ACTIVE:
                raise JobError("too_many", {"most": MOST_ACTIVE}, ErrorCode.BUDGET_EXCEEDED)
            if (problem := _size_problem("arguments", job.arguments)) is not None:
                raise AgentError(ErrorCode.INVALID_ARGUMENTS, problem)
            self._forget()
            stored = self._store.add(replace(job, state=JobState.WAITING, created=self._wall()))
            self._jobs[stored.identity] = stored
        self._changed()
        return stored

    def begin_next(self, excluded: Collection[int] = ()) -> Job | None:
        """Records that the oldest waiting job begins to run. Returns the job, or None if no job is waiting.

        Args:
            excluded: Numbers of jobs that cannot begin yet.
        """
        with self._lock:
            for job in self.active():
                if job.state is JobState.WAITING and job.identity not in excluded:
                    return self.move(job.identity, JobState.RUNNING)
        return None

    def move(self, identity: int, state: JobState) -> Job:
        """Changes the state of a job. Returns the job.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_GOAL`: a job in its present state cannot enter the state.
        """
        with self._lock:
            job = self.job(identity)
            if job.state not in _BEFORE[state]:
                expected = " or ".join(_BEFORE[state])
                raise AgentError(ErrorCode.INVALID_GOAL, f"Job {identity} is {job.state}: expected {expected}.")
            ended = 0.0 if state.is_active else self._wall()
            # A person who cancels a job knows that it has ended.
            moved = self._keep(replace(job, state=state, ended=ended, announced=state is JobState.CANCELED))
        self._changed()
        return moved

    def note(self, identity: int, progress: Progress, ran: float) -> Job:
        """Records the progress of a running job, which has run for a time (s). Returns the job.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_GOAL`: the job is not running; `BUDGET_EXCEEDED`: the checkpoint is too
                large.
        """
        if (problem := _size_problem("checkpoint", progress.checkpoint)) is not None:
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, problem)
        fraction = min(1.0, max(0.0, progress.fraction))
        with self._lock:
            job = self._running(identity)
            noted = self._keep(
                replace(job, progress=fraction, status=progress.status, checkpoint=progress.checkpoint, ran=ran)
            )
        self._changed()
        return noted

    def finish(self, identity: int, result: Mapping[str, Any], origin: str, failed: bool = False) -> Job:
        """Ends a running job. Returns the job. A result that is too large is replaced by a failure.

        Args:
            identity: Number of the job.
            result: Result, or the `reason` of the failure.
            origin: Provenance labels of the result, in one line.
            failed: Whether the job has failed.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_GOAL`: the job is not running.
        """
        if (problem := _size_problem("result", result)) is not None:
            result, failed = {"reason": problem}, True
        state = JobState.FAILED if failed else JobState.DONE
        with self._lock:
            job = self._running(identity)
            progress = job.progress if failed else 1.0
            ended = self._keep(
                replace(job, state=state, result=result, origin=origin, progress=progress, ended=self._wall())
            )
        self._changed()
        return ended

    def unannounced(self) -> list[Job]:
        """Returns the jobs that have ended without the knowledge of a person, the oldest first."""
        return [job for job in self.jobs() if not (job.state.is_active or job.announced)]

    def announced(self, jobs: Sequence[Job]) -> None:
        """Records that the end of jobs was announced."""
        with self._lock:
            known = [replace(self._jobs[job.identity], announced=True) for job in jobs if job.identity in self._jobs]
            self._store.replace(known)
            self._jobs.update({job.identity: job for job in known})

    def close(self) -> None:
        """Closes the store."""
        self._store.close()

    def _running(self, identity: int) -> Job:
        job = self.job(identity)
        if job.state is not JobState.RUNNING:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Job {identity} is {job.state}: expected running.")
        return job

    def _keep(self, job: Job) -> Job:
        self._store.replace([job])
        self._jobs[job.identity] = job
        return job

    def _continue(self, kinds: Mapping[str, JobKind]) -> None:
        """Interrupts the active jobs that cannot continue in this process. Lets the others that were running wait."""
        changed = []
        for job in self.active():
            kind, has_begun = kinds.get(job.kind), job.state is JobState.RUNNING
            if kind is None or (has_begun and not kind.resumes):
                changed.append(replace(job, state=JobState.INTERRUPTED, ended=self._wall()))
            elif has_begun:
                changed.append(replace(job, state=JobState.WAITING))
        if changed:
            self._store.replace(changed)
            self._jobs.update({job.identity: job for job in changed})

    def _forget(self) -> None:
        """Deletes jobs that ended long ago, and the oldest of too many."""
        ended = [job for job in self.jobs() if job.announced]
        old = {job.identity for job in ended if job.ended < self._wall() - KEPT}
        surplus = max(0, len(self._jobs) - len(old) - MOST_KEPT + 1)
        old |= {job.identity for job in [job for job in ended if job.identity not in old][:surplus]}
        if old:
            self._store.remove(old)
            self._jobs = {identity: job for identity, job in self._jobs.items() if identity not in old}


def _size_problem(what: str, values: Mapping[str, Any]) -> str | None:
    size = len(json.dumps(values))
    return f"The {what} of the job are {size} characters of JSON: expected up to {LARGEST}." if size > LARGEST else None
