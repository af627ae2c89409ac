from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.body import MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.context import Body, ToolContext

LEFT = PoseMotion(head_transform(yaw=0.3), duration=1.5)
NOD = NamedMotion(MoveLibrary.GESTURE, "nod")


def context_of(body: Body) -> ToolContext:
    return ToolContext(body, Deadline(10.0), lambda _progress: None)


def test_recording_body_records_motions_and_adopts_final_poses() -> None:
    body = RecordingBody()
    context_of(body).move(LEFT)
    context_of(body).move(NOD)
    assert body.motions == [LEFT, NOD]
    assert np.array_equal(body.state().pose.head, head_transform(yaw=0.3))


def test_motions_and_waits_advance_virtual_time_of_recording_body() -> None:
    body = RecordingBody()
    body.move(LEFT, context_of(body))
    body.wait(0.5)
    assert body.now == 2.0


def test_recording_body_ends_every_motion_with_configured_error() -> None:
    body = RecordingBody(refusal=AgentError(ErrorCode.PREEMPTED, "a newer motion took over"))
    with pytest.raises(AgentError, match="a newer motion"):
        context_of(body).move(NOD)
    assert body.motions == [NOD]


def test_recording_body_records_speech_and_photos_and_streams_and_holds() -> None:
    body = RecordingBody()
    assert body.say("Hello", context_of(body)) == "Hello"
    assert body.last_photo() is None
    assert body.photograph(context_of(body)) is body.last_photo()
    body.stream(LEFT)
    body.hold()
    body.halt()
    assert (body.said, body.streamed, body.held) == (["Hello"], [LEFT], 2)
