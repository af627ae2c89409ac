from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.jobs.job import JobKind
from reachy_agent_ros.agent.jobs.job_queue import JobQueue
from reachy_agent_ros.agent.jobs.job_store import FILE_NAME, JobStore
from support.agent.counting_jobs import Counting, OpenQueue, kinds


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenQueue]:
    """Opens the queue of the test's folder, as a new process does."""
    with ExitStack() as stack:

        def open_queue(*some: JobKind, wall: Callable[[], float] = lambda: 1000.0) -> JobQueue:
            known = kinds(*some) or kinds(Counting(), Counting("fragile", resumes=False))
            return stack.enter_context(closing(JobQueue(JobStore(tmp_path / FILE_NAME), known, wall=wall)))

        yield open_queue


@pytest.fixture
def queue(opened: OpenQueue) -> JobQueue:
    return opened()
