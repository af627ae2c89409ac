import pytest

from reachy_agent_ros.agent.memory.entry import Entry, Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.retention import Retention, apply_retention
from reachy_agent_ros.core.errors import AgentError


def episodes(memory: Memory, *times: float) -> None:
    memory.remember(*(Entry(Kind.EPISODE, f"Task at {time}.", created=time) for time in times))


def test_the_old_goes_and_the_new_stays(memory: Memory) -> None:
    episodes(memory, 100.0, 200.0, 300.0)
    memory.remember(Entry(Kind.FACT, "tea", "drink", created=1.0))
    assert apply_retention(memory, {Kind.EPISODE: Retention(longest=150.0)}, now=350.0) == 1
    assert [entry.created for entry in memory.entries()] == [300.0, 200.0, 1.0]


def test_only_so_many_of_the_newest_are_kept(memory: Memory) -> None:
    episodes(memory, 3.0, 1.0, 2.0)
    assert apply_retention(memory, {Kind.EPISODE: Retention(most=2)}, now=4.0) == 1
    assert [entry.created for entry in memory.entries()] == [3.0, 2.0]


def test_without_a_limit_everything_is_kept(memory: Memory) -> None:
    episodes(memory, 1.0)
    assert apply_retention(memory, {Kind.EPISODE: Retention()}, now=1e12) == 0


def test_files_decide_how_long_notes_are_kept(memory: Memory) -> None:
    with pytest.raises(AgentError):
        apply_retention(memory, {Kind.NOTE: Retention(most=1)}, now=0.0)
