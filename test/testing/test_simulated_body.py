from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.simulated_body import SimulatedBody
from reachy_agent_ros.tools.context import ToolContext


@pytest.fixture(scope="module")
def body() -> Iterator[SimulatedBody]:
    with closing(SimulatedBody()) as body:
        yield body


def test_canceled_call_does_not_speak(body: SimulatedBody) -> None:
    canceled = CancelToken()
    canceled.cancel()
    with pytest.raises(AgentError) as refused:
        body.say("Hello.", ToolContext(body, Deadline(1.0), lambda _: None, canceled))
    assert refused.value.code is ErrorCode.CANCELED
    assert body.spoken == []


def test_gaze_error_reports_object_that_scene_lacks(body: SimulatedBody) -> None:
    with pytest.raises(AgentError, match="Unknown object 'apple'") as refused:
        body.gaze_error("apple")
    assert refused.value.code is ErrorCode.INVALID_GOAL
