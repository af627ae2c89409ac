import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.jobs.job import Job, JobState, Progress
from reachy_agent_ros.agent.jobs.job_phrases import JobError
from reachy_agent_ros.agent.jobs.job_queue import KEPT, LARGEST, MOST_ACTIVE, MOST_KEPT, JobQueue
from reachy_agent_ros.agent.jobs.job_store import FILE_NAME, JobStore
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.counting_jobs import Counting, OpenQueue, job, kinds


def running(queue: JobQueue, kind: str = "counting") -> Job:
    return queue.move(queue.add(job(kind=kind)).identity, JobState.RUNNING)


def states(queue: JobQueue) -> list[JobState]:
    return [one.state for one in queue.jobs()]


def test_new_job_is_on_disk_when_it_is_confirmed(queue: JobQueue, tmp_path: Path) -> None:
    added = queue.add(job(5))
    with closing(JobStore(tmp_path / FILE_NAME)) as store:
        assert store.load() == [added]
    assert (added.state, added.created) == (JobState.WAITING, 1000.0)


def test_begins_oldest_waiting_job(queue: JobQueue) -> None:
    for _ in range(3):
        queue.add(job())
    queue.move(1, JobState.PAUSED)
    begun = queue.begin_next(excluded=[2])
    assert begun is not None
    assert (begun.identity, begun.state) == (3, JobState.RUNNING)
    assert queue.begin_next(excluded=[2]) is None


def test_running_job_waits_again_after_restart_with_its_checkpoint(opened: OpenQueue) -> None:
    queue = opened()
    begun = running(queue)
    noted = queue.note(begun.identity, Progress(0.4, "I am at 2.", {"number": 2}), ran=7.0)
    (found,) = opened().jobs()
    assert (found.state, found.checkpoint, found.progress) == (JobState.WAITING, {"number": 2}, 0.4)
    assert (found.status, found.ran) == (noted.status, 7.0)


def test_running_job_that_cannot_resume_is_interrupted_by_restart(opened: OpenQueue) -> None:
    running(opened(), "fragile")
    queue = opened()
    assert states(queue) == [JobState.INTERRUPTED]
    assert [one.state for one in queue.unannounced()] == [JobState.INTERRUPTED]


def test_paused_job_stays_paused_after_restart(opened: OpenQueue) -> None:
    queue = opened()
    queue.move(running(queue).identity, JobState.PAUSED)
    assert states(opened()) == [JobState.PAUSED]


def test_waiting_job_of_unknown_kind_is_interrupted_by_restart(opened: OpenQueue) -> None:
    opened().add(job(kind="fragile"))
    assert states(opened(Counting())) == [JobState.INTERRUPTED]


def test_result_is_announced_once(opened: OpenQueue) -> None:
    queue = opened()
    queue.finish(running(queue).identity, {"number": 3}, "picture:watch_scene")
    (ended,) = opened().unannounced()
    assert (ended.state, ended.result, ended.progress) == (JobState.DONE, {"number": 3}, 1.0)
    assert (ended.origin, ended.ended) == ("picture:watch_scene", 1000.0)
    queue.announced([ended])
    assert queue.unannounced() == opened().unannounced() == []


def test_canceled_job_is_not_announced(queue: JobQueue) -> None:
    queue.move(running(queue).identity, JobState.CANCELED)
    assert queue.unannounced() == []


def test_result_that_is_too_large_is_a_failure(queue: JobQueue) -> None:
    ended = queue.finish(running(queue).identity, {"text": "x" * LARGEST}, "")
    assert ended.state is JobState.FAILED
    assert str(LARGEST) in ended.result["reason"]


def test_rejects_checkpoint_that_is_too_large(queue: JobQueue) -> None:
    begun = running(queue)
    with pytest.raises(AgentError, match=f"expected up to {LARGEST}") as caught:
        queue.note(begun.identity, Progress(0.5, "", {"text": "x" * LARGEST}), 1.0)
    assert caught.value.code is ErrorCode.BUDGET_EXCEEDED
    assert queue.job(begun.identity) == begun


def test_rejects_arguments_that_are_too_large(queue: JobQueue) -> None:
    with pytest.raises(AgentError, match="arguments of the job"):
        queue.add(job(text="x" * LARGEST))
    assert queue.jobs() == []


def test_rejects_more_jobs_than_limit(queue: JobQueue) -> None:
    for _ in range(MOST_ACTIVE):
        queue.add(job())
    with pytest.raises(JobError, match=f"already doing {MOST_ACTIVE} things") as caught:
        queue.add(job())
    assert caught.value.code is ErrorCode.BUDGET_EXCEEDED
    queue.move(1, JobState.CANCELED)
    queue.add(job())


def test_forgets_old_and_surplus_jobs_that_have_ended(opened: OpenQueue) -> None:
    queue = opened()
    for _ in range(MOST_KEPT + 5):
        queue.move(queue.add(job()).identity, JobState.CANCELED)
    assert [one.identity for one in queue.jobs()] == list(range(6, MOST_KEPT + 6))
    assert opened(wall=lambda: 1001.0 + KEPT).jobs() == []


def test_keeps_old_job_whose_end_was_not_announced(opened: OpenQueue) -> None:
    queue = opened()
    queue.finish(running(queue).identity, {}, "")
    assert len(opened(wall=lambda: 1001.0 + KEPT).jobs()) == 1


def test_reports_unknown_job_with_known_ones(queue: JobQueue) -> None:
    queue.add(job())
    with pytest.raises(AgentError, match="Unknown job 7: expected one of 1") as caught:
        queue.move(7, JobState.CANCELED)
    assert caught.value.code is ErrorCode.NOT_FOUND


def test_ended_job_cannot_change(queue: JobQueue) -> None:
    ended = queue.finish(running(queue).identity, {}, "")
    for state in (JobState.CANCELED, JobState.PAUSED, JobState.WAITING, JobState.RUNNING):
        with pytest.raises(AgentError, match=f"Job {ended.identity} is done: expected ") as caught:
            queue.move(ended.identity, state)
        assert caught.value.code is ErrorCode.INVALID_GOAL
    with pytest.raises(AgentError, match="is done: expected running"):
        queue.note(ended.identity, Progress(0.5), 1.0)
    with pytest.raises(AgentError, match="is done: expected running"):
        queue.finish(ended.identity, {}, "")
    assert queue.jobs() == [ended]


def test_damaged_job_is_left_out_and_reported(opened: OpenQueue, tmp_path: Path) -> None:
    queue = opened()
    queue.add(job(3))
    queue.add(job(4))
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("UPDATE jobs SET job = replace(job, '4', '5') WHERE id = 2")
    later = opened()
    assert [one.arguments["to"] for one in later.jobs()] == [3]
    assert "job 2" in later.damage


@given(st.lists(st.tuples(st.integers(1, 4), st.sampled_from([*JobState, "note", "restart"])), max_size=25))
def test_disk_always_agrees_with_memory(steps: Sequence[tuple[int, JobState | str]]) -> None:
    known = kinds(Counting(), Counting("fragile", resumes=False))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, FILE_NAME)
        queue = JobQueue(JobStore(path), known)
        for kind in ("counting", "fragile", "counting"):
            queue.add(job(kind=kind))
        for identity, step in steps:
            with suppress(AgentError):
                if step == "restart":
                    queue.close()
                    queue = JobQueue(JobStore(path), known)
                elif step == "note":
                    queue.note(identity, Progress(0.5, "half", {"number": 1}), 1.0)
                elif step in (JobState.DONE, JobState.FAILED):
                    queue.finish(identity, {}, "", failed=step is JobState.FAILED)
                elif step is not JobState.INTERRUPTED:
                    queue.move(identity, JobState(step))
        with closing(JobStore(path)) as store:
            assert store.load() == queue.jobs()
        assert len(queue.jobs()) == 3
        queue.close()
