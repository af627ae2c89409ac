"""Runs background jobs beside the conversation, and announces when they have ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from reachy_agent_ros.agent import phrases
from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.jobs.job import Job, JobKind, JobState, Progress
from reachy_agent_ros.agent.jobs.job_phrases import JobError, job_phrases
from reachy_agent_ros.agent.jobs.job_queue import JobQueue
from reachy_agent_ros.agent.provenance.label import read, written
from reachy_agent_ros.core.deadline import Pace
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MOST_RUNNING = 3
"""Maximum number of jobs that run at once. More would slow the conversation down."""

NOTE_PERIOD = 10.0
"""Time between two records of a progress whose checkpoint has not changed, s."""

RETRY_PAUSE = 1.0
"""Pause before the end of a job that could not be stored is stored again, s."""

_log = logging.getLogger(__name__)


class JobRunner:
    """Runs the jobs of a queue. Not thread-safe: use from one event loop.

    A job is on disk before it begins, and its end is on disk before it is announced. A process that is killed in
    between announces it after its restart: an announcement may be repeated, but is never lost.

    Args:
        queue: Queue of the jobs.
        kinds: Kinds of jobs by name, the same as of the queue.
        announcements: Speaks the announcements.
    """

    def __init__(self, queue: JobQueue, kinds: Mapping[str, JobKind], announcements: Announcements) -> None:
        self.queue = queue
        self._kinds = kinds
        self._announcements = announcements
        self._running: dict[int, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Whether as many jobs are running as can run at once, so that another one waits."""
        return len(self._running) >= MOST_RUNNING

    async def run(self) -> None:
        """Runs waiting jobs until the task is canceled. Begins with what an earlier process did not announce."""
        for job in self.queue.unannounced():
            self._announce(job)
        while True:
            self._changed.clear()
            try:
                await self._begin_waiting()
            except AgentError as error:  # the jobs keep waiting
                _log.error("Jobs cannot begin: %s", error.message)
                asyncio.get_running_loop().call_later(RETRY_PAUSE, self._changed.set)
            await self._changed.wait()

    async def add(self, job: Job) -> Job:
        """Stores a job, which begins as soon as possible. Returns it with its number. See `JobQueue.add`."""
        stored = await asyncio.to_thread(self.queue.add, job)
        self._changed.set()
        return stored

    async def cancel(self, identity: int) -> Job:
        """Cancels a job. Returns it. See `JobQueue.move`."""
        return await self._end(identity, JobState.CANCELED)

    async def pause(self, identity: int) -> Job:
        """Pauses a job, which keeps its checkpoint. Returns it. See `JobQueue.move`.

        Raises:
            JobError: `INVALID_GOAL`: jobs of its kind cannot continue after a pause.
        """
        kind = self._kinds.get(self.queue.job(identity).kind)
        if kind is not None and not kind.resumes:
            raise JobError("cannot_pause", code=ErrorCode.INVALID_GOAL)
        return await self._end(identity, JobState.PAUSED)

    async def resume(self, identity: int) -> Job:
        """Lets a paused job continue. Returns it. See `JobQueue.move`."""
        job = await asyncio.to_thread(self.queue.move, identity, JobState.WAITING)
        self._changed.set()
        return job

    def description(self, job: Job, language: str) -> str:
        """Returns a sentence about what a job does, in a language; empty if its kind is unknown."""
        words, kind = job_phrases(language), self._kinds.get(job.kind)
        if kind is None:  # of another version of this program
            return ""
        added = {JobState.WAITING: words.waiting, JobState.PAUSED: words.paused}.get(job.state, "")
        return f"{kind.description(job, language)} {added}".strip()

    def announcement(self, job: Job) -> str:
        """Returns a sentence about a job that has ended, in its language."""
        kind = self._kinds.get(job.kind)
        if kind is None or job.state is JobState.INTERRUPTED:
            words = job_phrases(job.language)
            return f"{words.interrupted} {self.description(job, job.language)}".strip()
        return kind.announcement(job)

    async def close(self) -> None:
        """Ends the work. The next process continues the jobs or interrupts them."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._announcements.close()

    async def _begin_waiting(self) -> None:
        while not self.is_full:
            job = await asyncio.to_thread(self.queue.begin_next, tuple(self._running))
            if job is None:
                return
            if self.queue.job(job.identity).state is JobState.RUNNING:  # otherwise already canceled or paused
                task = asyncio.create_task(self._work(job))
                self._running[job.identity] = task
                task.add_done_callback(partial(self._forget, job.identity))

    def _forget(self, identity: int, _task: asyncio.Task[None]) -> None:
        del self._running[identity]
        self._changed.set()

    async def _end(self, identity: int, state: JobState) -> Job:
        """Stores the state of a job, and ends its work."""
        job = await asyncio.to_thread(self.queue.move, identity, state)
        task = self._running.get(identity)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
        return job

    async def _work(self, job: Job) -> None:
        kind, record = self._kinds[job.kind], _Record(self.queue, job)
        result: Mapping[str, Any]
        try:
            async with asyncio.timeout(kind.time_limit - job.ran):
                result, failed = await kind.run(job, record.note), False
        except TimeoutError:
            result, failed = _failure(AgentError(ErrorCode.TIMEOUT, "It took too long.")), True
        except AgentError as error:
            result, failed = _failure(error), True
        except Exception:  # noqa: BLE001 - a mistake in one kind must not leave its job running for ever
            _log.exception("Job %d has failed.", job.identity)
            result, failed = _failure(AgentError(ErrorCode.INTERNAL, "Something went wrong.")), True
        ended = await self._finish(job, result, failed)
        if ended is not None:
            self._announce(ended)

    async def _finish(self, job: Job, result: Mapping[str, Any], failed: bool) -> Job | None:
        """Stores the end of a job. Tries again until that succeeds. Returns None if somebody has ended it before."""
        origin = written({*read(job.origin), *self._kinds[job.kind].labels})
        while True:
            try:
                return await asyncio.to_thread(self.queue.finish, job.identity, result, origin, failed)
            except AgentError as error:
                if error.code is not ErrorCode.STORAGE_FAILED:
                    return None
                _log.error("The end of job %d cannot be stored: %s", job.identity, error.message)
            await asyncio.sleep(RETRY_PAUSE)

    def _announce(self, job: Job) -> None:
        announced = partial(self.queue.announced, [job])
        self._announcements.start(self._announcements.announce(self.announcement(job), announced))


class _Record:
    """Record of the progress of a job, which a job that reports too often does not slow down.

    Args:
        queue: Queue of the job.
        job: Job, which begins to run now.
    """

    def __init__(self, queue: JobQueue, job: Job) -> None:
        self._queue = queue
        self._job = job
        self._checkpoint = job.checkpoint
        self._begun = time.monotonic()
        self._pace = Pace(NOTE_PERIOD)

    async def note(self, progress: Progress) -> None:
        """Stores the progress if its checkpoint has changed, or if it was not stored for a while."""
        if not self._pace.is_due() and progress.checkpoint == self._checkpoint:
            return
        self._checkpoint = progress.checkpoint
        ran = self._job.ran + time.monotonic() - self._begun
        await asyncio.to_thread(self._queue.note, self._job.identity, progress, ran)


def _failure(error: AgentError) -> Mapping[str, Any]:
    return {"reason": phrases.reason(error)}
