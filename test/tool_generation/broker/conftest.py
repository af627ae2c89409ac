"""Fixtures with brokers for a robot body that records requests."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.context import Body, ToolContext


def broker_over(
    body: Body, equipment: Equipment, cancel: CancelToken | None = None, needs: Collection[Need] = tuple(Need)
) -> Broker:
    context = ToolContext(body, Deadline(30.0), lambda _progress: None, cancel or CancelToken())
    return Broker(body, context, equipment, needs)


@pytest.fixture
def body() -> RecordingBody:
    return RecordingBody()


@pytest.fixture
def broker(body: RecordingBody, tmp_path: Path) -> Broker:
    """Broker of a live run."""
    return broker_over(body, Equipment(tmp_path / "photos"))


@pytest.fixture
def broker_with(body: RecordingBody, tmp_path: Path) -> Callable[[Collection[Need]], Broker]:
    """Function that creates a broker of a live run with the given capabilities."""
    return lambda needs: broker_over(body, Equipment(tmp_path / "photos"), needs=needs)


@pytest.fixture
def rehearsing() -> RecordingBody:
    return RecordingBody()


@pytest.fixture
def rehearsal(rehearsing: RecordingBody, tmp_path: Path) -> Broker:
    """Broker of a dry run of at most ten seconds."""
    return broker_over(rehearsing, Equipment(tmp_path / "photos", time=rehearsing, time_limit=10.0))
