from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_store import ScheduleStore
from support.agent.simulated_clocks import SimulatedClocks


@pytest.fixture
def clocks() -> SimulatedClocks:
    return SimulatedClocks.at("2026-11-30 12:00")  # a Monday


@pytest.fixture
def opened(tmp_path: Path, clocks: SimulatedClocks) -> Iterator[Callable[[], Schedule]]:
    """Opens the schedule of the test's folder, as a new process does."""
    with ExitStack() as stack:

        def open_schedule() -> Schedule:
            store = ScheduleStore(tmp_path / "schedule.sqlite3")
            return stack.enter_context(closing(Schedule(store, clocks.clocks())))

        yield open_schedule


@pytest.fixture
def schedule(opened: Callable[[], Schedule]) -> Schedule:
    return opened()
