import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.jobs import job_runner as module
from reachy_agent_ros.agent.jobs.job import Job, JobKind, JobState, Progress
from reachy_agent_ros.agent.jobs.job_phrases import JobError
from reachy_agent_ros.agent.jobs.job_queue import JobQueue
from reachy_agent_ros.agent.jobs.job_runner import MOST_RUNNING, JobRunner
from reachy_agent_ros.agent.jobs.job_store import FILE_NAME
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.counting_jobs import FOREVER, LOST, Counting, OpenQueue, job, kinds
from support.agent.world import until


@dataclass
class Life:
    """Life of one process with a runner.

    Attributes:
        runner: Runs the jobs.
        said: Spoken announcements.
    """

    runner: JobRunner
    said: list[str] = field(default_factory=list)

    @property
    def queue(self) -> JobQueue:
        return self.runner.queue

    def states(self) -> list[JobState]:
        return [one.state for one in self.queue.jobs()]

    async def until_state(self, identity: int, state: JobState) -> Job:
        await until(lambda: self.queue.job(identity).state is state)
        return self.queue.job(identity)


@asynccontextmanager
async def life(opened: OpenQueue, *some: JobKind, blocks: bool = False) -> AsyncIterator[Life]:
    known = some or (Counting(), Counting("fragile", resumes=False))
    said: list[str] = []

    async def say(text: str) -> None:
        said.append(text)
        if blocks:
            await asyncio.Event().wait()

    runner = JobRunner(opened(*known), kinds(*known), Announcements(say))
    task = asyncio.create_task(runner.run())
    try:
        yield Life(runner, said)
    finally:
        task.cancel()
        await runner.close()


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(story())


def test_runs_job_and_announces_its_result_once(opened: OpenQueue) -> None:
    async def story() -> None:
        async with life(opened) as first:
            await first.runner.add(job(3))
            await until(lambda: first.said and not first.queue.unannounced())
            assert first.said == ["I counted to 3."]
            assert first.queue.job(1).result == {"number": 3}
        async with life(opened) as second:
            await second.runner.add(job(4))
            await until(lambda: second.said)
            assert second.said == ["I counted to 4."]

    run(story)


def test_announces_after_restart_what_a_kill_while_speaking_left(opened: OpenQueue) -> None:
    async def story() -> None:
        async with life(opened, blocks=True) as first:
            await first.runner.add(job(3))
            await until(lambda: first.said)
        async with life(opened) as second:
            await until(lambda: second.said)
            assert second.said == first.said == ["I counted to 3."]

    run(story)


def test_continues_after_restart_from_checkpoint(opened: OpenQueue) -> None:
    async def story() -> None:
        counted: list[int] = []
        kind = Counting(counted=lambda _job, number: counted.append(number))
        async with life(opened, kind) as first:
            await first.runner.add(job(3, pause=FOREVER))
            await until(lambda: counted == [1])
        assert first.states() == [JobState.RUNNING]
        async with life(opened, kind) as second:
            await until(lambda: counted == [1, 2])
            assert second.said == []

    run(story)


def test_reports_after_restart_that_job_was_interrupted(opened: OpenQueue) -> None:
    async def story() -> None:
        async with life(opened) as first:
            await first.runner.add(job(3, "fragile", pause=FOREVER))
            await first.until_state(1, JobState.RUNNING)
        async with life(opened) as second:
            await until(lambda: second.said)
            assert second.said == ["My software was restarted, which ended what I was doing: I count to 3."]
            assert second.states() == [JobState.INTERRUPTED]

    run(story)


def test_cancel_ends_work_before_it_returns(opened: OpenQueue) -> None:
    async def story() -> None:
        ended = asyncio.Event()

        @dataclass
        class Watched(Counting):
            async def run(self, job: Job, report: Any) -> Any:
                try:
                    return await super().run(job, report)
                finally:
                    ended.set()

        async with life(opened, Watched()) as now:
            await now.runner.add(job(3, pause=FOREVER))
            await until(lambda: now.queue.job(1).status == "I am at 1.")
            assert (await now.runner.cancel(1)).state is JobState.CANCELED
            assert ended.is_set()
            assert now.said == []
            with pytest.raises(AgentError, match="Job 1 is canceled"):
                await now.runner.cancel(1)

    run(story)


def test_paused_job_continues_from_its_checkpoint(opened: OpenQueue) -> None:
    async def story() -> None:
        counted: list[int] = []
        async with life(opened, Counting(counted=lambda _job, number: counted.append(number))) as now:
            await now.runner.add(job(3, pause=FOREVER))
            await until(lambda: counted == [1])
            assert (await now.runner.pause(1)).state is JobState.PAUSED
            await now.runner.resume(1)
            await until(lambda: counted == [1, 2])

    run(story)


def test_job_that_cannot_continue_cannot_be_paused(opened: OpenQueue) -> None:
    async def story() -> None:
        async with life(opened) as now:
            await now.runner.add(job(3, "fragile", pause=FOREVER))
            await now.until_state(1, JobState.RUNNING)
            with pytest.raises(JobError, match="I cannot pause that") as caught:
                await now.runner.pause(1)
            assert caught.value.code is ErrorCode.INVALID_GOAL
            assert now.states() == [JobState.RUNNING]

    run(story)


@pytest.mark.parametrize(
    ("failure", "reason"),
    [(LOST, "I lost count."), (RuntimeError("a mistake"), "Something went wrong.")],
)
def test_announces_failure_with_its_reason(opened: OpenQueue, failure: Exception, reason: str) -> None:
    async def story() -> None:
        async with life(opened, Counting(failure=failure)) as now:
            await now.runner.add(job(1))
            await until(lambda: now.said)
            assert now.said == [f"I failed: {reason}"]
            assert now.states() == [JobState.FAILED]

    run(story)


def test_job_that_never_ends_fails_at_its_time_limit(opened: OpenQueue) -> None:
    async def story() -> None:
        async with life(opened, Counting(time_limit=0.01)) as now:
            await now.runner.add(job(3, pause=FOREVER))
            await until(lambda: now.said)
            assert now.said == ["I failed: It took too long."]

    run(story)


def test_job_that_floods_is_stored_seldom(opened: OpenQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        @dataclass
        class Flooding(Counting):
            async def run(self, job: Job, report: Any) -> Any:
                for number in range(10_000):
                    await report(Progress(number / 10_000, f"I am at {number}."))
                return {"number": 10_000}

        noted: list[str] = []
        async with life(opened, Flooding()) as now:
            store = now.queue.note

            def note(identity: int, progress: Progress, ran: float) -> Job:
                noted.append(progress.status)
                return store(identity, progress, ran)

            monkeypatch.setattr(now.queue, "note", note)
            await now.runner.add(job())
            await until(lambda: now.said)
        assert noted[0] == "I am at 0."
        assert len(noted) < 100

    run(story)


def test_surplus_jobs_wait_until_others_have_ended(opened: OpenQueue) -> None:
    async def story() -> None:
        async with life(opened) as now:
            for _ in range(MOST_RUNNING + 1):
                await now.runner.add(job(3, pause=FOREVER))
            await until(lambda: now.states() == [JobState.RUNNING] * MOST_RUNNING + [JobState.WAITING])
            assert now.runner.is_full
            await now.runner.cancel(1)
            await now.until_state(MOST_RUNNING + 1, JobState.RUNNING)

    run(story)


def test_end_is_stored_when_the_disk_works_again(
    opened: OpenQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RETRY_PAUSE", 0.01)
    monkeypatch.setattr("reachy_agent_ros.storage.database.PATIENCE", 0.01)
    locks: list[sqlite3.Connection] = []

    def lock(_job: Job, _number: int) -> None:
        locks.append(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None, check_same_thread=False))
        locks[0].execute("BEGIN IMMEDIATE")

    async def story() -> None:
        async with life(opened, Counting(counted=lock)) as now:
            finish, tries = now.queue.finish, 0

            def count(*facts: Any) -> Job:
                nonlocal tries
                tries += 1
                return finish(*facts)

            monkeypatch.setattr(now.queue, "finish", count)
            await now.runner.add(job(1))
            await until(lambda: tries > 1)
            assert now.said == []
            with closing(locks[0]) as other:
                other.execute("ROLLBACK")
            await until(lambda: now.said)
            assert now.said == ["I counted to 1."]

    run(story)
