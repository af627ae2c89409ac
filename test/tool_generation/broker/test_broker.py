from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import CALLS, REFUSALS, Equipment
from reachy_agent_ros.tool_generation.broker.verbs import VERBS
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tools.body import Motion, MotionResult, PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from support.waiting import wait_until

HEAD = head_transform(yaw=0.3).tolist()


def refusal(broker: Broker, verb: str, **arguments: Any) -> AgentError:
    with pytest.raises(AgentError) as caught:
        broker.answer(verb, arguments)
    return caught.value


def test_broker_rejects_unknown_verb(broker: Broker) -> None:
    assert refusal(broker, "set_motor_mode", mode="disabled").code is ErrorCode.INVALID_ARGUMENTS
    assert [violation.verb for violation in broker.record.violations] == ["unknown"]


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("goto", {"head": HEAD, "duration": "1"}),
        ("goto", {"head": HEAD, "duration": -1.0}),
        ("goto", {"head": HEAD, "duration": 1.0, "force": True}),
        ("goto", {"head": HEAD[:3]}),
        ("goto", {"head": [[0.0] * 4] * 4}),
        ("goto", {"body_yaw": True}),
        ("goto", {"body_yaw": float("inf")}),
        ("goto", {"antennas": [0.0]}),
        ("goto", {}),
        ("stream", {"head": HEAD, "duration": 1.0}),
        ("play", {"library": "sounds", "name": "x"}),
        ("play", {"library": "emotion", "name": "joy", "amplitude": 2.0}),
        ("say", {"text": ""}),
        ("say", {"text": "x" * 501}),
        ("say", {"text": 5}),
        ("detect", {"labels": "duck"}),
        ("get", {"url": "https://user@example.org/"}),
        ("state", {"secret": 1}),
        ("sleep", {"seconds": -1.0}),
    ],
)
def test_broker_rejects_invalid_arguments_without_moving_robot(
    broker: Broker, body: RecordingBody, verb: str, arguments: dict[str, Any]
) -> None:
    assert refusal(broker, verb, **arguments).code in (ErrorCode.INVALID_ARGUMENTS, ErrorCode.INVALID_GOAL)
    assert (body.motions, body.streamed, body.said) == ([], [], [])
    assert [violation.verb for violation in broker.record.violations] == [verb]


numbers = st.floats() | st.integers()
json_values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=20,
)
likely_values = st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=4, max_size=4) | numbers | st.text()


@pytest.mark.slow
@given(st.data(), st.sampled_from(sorted(set(VERBS) - {"photo"})))
def test_broker_executes_or_rejects_any_request(data: st.DataObject, verb: str) -> None:
    keys = st.sampled_from([*VERBS[verb].arguments.model_fields, "more"])
    arguments = data.draw(st.dictionaries(keys, json_values | likely_values))
    body = RecordingBody()
    context = ToolContext(body, Deadline(30.0), lambda _progress: None)
    broker = Broker(
        body, context, Equipment(Path("nowhere"), time_limit=0.01), Need
    )  # the time limit bounds the duration of a sleep
    try:
        json.dumps(broker.answer(verb, arguments), allow_nan=False)
    except AgentError:
        assert (body.motions, body.streamed, body.said) == ([], [], [])
    broker.close()


ARGUMENTS: dict[str, dict[str, Any]] = {
    "goto": {"head": HEAD, "duration": 1.0},
    "stream": {"head": HEAD},
    "look_at": {"x": 1.0, "y": 0.0, "z": 0.2},
    "play": {"library": "emotion", "name": "joy"},
    "say": {"text": "Hello."},
    "ask_scene": {"question": "Who is there?"},
    "get": {"url": "https://example.org/"},
}


@pytest.mark.parametrize("verb", sorted(verb for verb in VERBS if VERBS[verb].need is not None))
def test_request_beyond_capabilities_ends_tool_run_without_effect(
    broker_with: Callable[[Collection[Need]], Broker], body: RecordingBody, tmp_path: Path, verb: str
) -> None:
    broker = broker_with([need for need in Need if need is not VERBS[verb].need])
    assert refusal(broker, verb, **ARGUMENTS.get(verb, {})).code is ErrorCode.NOT_REVIEWED
    assert broker.ended is not None
    assert broker.ended.code is ErrorCode.NOT_REVIEWED
    assert broker.cancel.cancelled
    assert refusal(broker, "sleep", seconds=0.0).code is ErrorCode.NOT_REVIEWED
    assert [violation.verb for violation in broker.record.violations] == [verb]
    assert (body.motions, body.streamed, body.said, body.held) == ([], [], [], 0)
    assert not (tmp_path / "photos").exists()


@pytest.mark.parametrize("needs", [(), (Need.WEB,)])
def test_tool_run_without_robot_capabilities_holds_no_reference_to_robot(
    tmp_path: Path, needs: tuple[Need, ...]
) -> None:
    body = RecordingBody()
    robot = weakref.ref(body)
    context = ToolContext(body, Deadline(30.0), lambda _progress: None)
    broker = Broker(body, context, Equipment(tmp_path), needs)
    del body, context
    gc.collect()
    assert robot() is None
    broker.close()


@pytest.mark.parametrize("needs", [(), (Need.WEB,)])
def test_tool_run_without_robot_capabilities_has_no_access_to_robot(
    broker_with: Callable[[Collection[Need]], Broker], body: RecordingBody, needs: tuple[Need, ...]
) -> None:
    broker = broker_with(needs)
    assert broker._run.held is None
    broker.close()
    assert body.held == 0


def test_broker_rejects_commands_outside_limits_of_safety_gate(broker: Broker, body: RecordingBody) -> None:
    upside_down = np.diag([1.0, -1.0, -1.0, 1.0]).tolist()
    assert refusal(broker, "goto", head=upside_down, duration=1.0).code is ErrorCode.OUT_OF_ENVELOPE
    assert (
        refusal(broker, "stream", head=(2.0 * np.eye(4) - np.diag([0, 0, 0, 1.0])).tolist()).code is ErrorCode.NOT_RIGID
    )
    assert refusal(broker, "look_at", x=-1.0, y=0.0, z=0.2).code is ErrorCode.OUT_OF_ENVELOPE
    assert body.motions == body.streamed == broker.record.commands == []
    assert len(broker.record.violations) == 3


def test_clamped_command_is_violation_only_in_dry_run(broker: Broker, rehearsal: Broker) -> None:
    steep = head_transform(pitch=1.0).tolist()
    for one in (broker, rehearsal):
        one.answer("goto", {"head": steep, "duration": 1.0})
        assert len(one.record.commands) == 1
    assert broker.record.violations == []
    assert [violation.message for violation in rehearsal.record.violations] == [
        "head.pitch of 57.3 deg was clamped to 34.7 deg. Stay within its limits."
    ]


def test_broker_merges_consecutive_streamed_targets_in_record(broker: Broker, body: RecordingBody) -> None:
    broker.answer("stream", {"head": HEAD})
    broker.answer("stream", {"antennas": [0.1, 0.2]})
    broker.answer("stream", {"body_yaw": 0.1})
    last = body.streamed[-1]
    assert last.head is not None
    assert (last.head.tolist(), last.antennas, last.body_yaw) == (HEAD, (0.1, 0.2), 0.1)
    broker.answer("goto", {"antennas": [0.0, 0.0]})
    broker.answer("stream", {"antennas": [0.1, 0.1]})
    assert body.streamed[-1].head is None


def test_excessive_rate_of_streamed_targets_ends_tool_run(rehearsal: Broker, rehearsing: RecordingBody) -> None:
    for _ in range(300):
        rehearsal.answer("stream", {"antennas": [0.1, 0.1]})
        rehearsal.answer("sleep", {"seconds": 0.01})
    assert rehearsal.record.violations == []
    while rehearsal.ended is None:
        with suppress(AgentError):
            rehearsal.answer("stream", {"antennas": [0.1, 0.1]})
    assert len(rehearsal.record.violations) == REFUSALS
    assert rehearsal.cancel.cancelled
    assert len(rehearsing.streamed) <= 310
    assert refusal(rehearsal, "state").code is ErrorCode.RATE_EXCEEDED


@pytest.mark.slow
def test_broker_limits_number_of_requests_per_tool_run(broker: Broker) -> None:
    for _ in range(CALLS):
        broker.answer("head_pose", {})
    assert refusal(broker, "head_pose").code is ErrorCode.BUDGET_EXCEEDED


def test_broker_ends_dry_run_at_time_limit_of_tool(rehearsal: Broker, rehearsing: RecordingBody) -> None:
    assert rehearsal.answer("sleep", {"seconds": 9.0}) == (pytest.approx(9.0), False)
    error = refusal(rehearsal, "sleep", seconds=1e9)
    assert error.code is ErrorCode.TIMEOUT
    assert "TIME_LIMIT_S" in error.message
    assert rehearsing.now == pytest.approx(10.0)
    assert rehearsal.ended is error
    assert rehearsal.cancel.cancelled


def test_motion_longer_than_time_limit_ends_dry_run(rehearsal: Broker) -> None:
    assert refusal(rehearsal, "goto", head=HEAD, duration=11.0).code is ErrorCode.TIMEOUT
    assert rehearsal.ended is not None


def test_closing_broker_holds_pose_after_streamed_targets(broker: Broker, body: RecordingBody) -> None:
    broker.answer("stream", {"head": HEAD})
    broker.close()
    broker.close()
    assert body.held == 1


@pytest.mark.parametrize("verb", ["state", "goto"])
def test_closing_broker_does_not_hold_robot_at_rest(broker: Broker, body: RecordingBody, verb: str) -> None:
    broker.answer(verb, {"head": HEAD} if verb == "goto" else {})
    broker.close()
    assert body.held == 0


def test_closing_broker_holds_pose_after_failed_motion(broker: Broker, body: RecordingBody) -> None:
    body.refusal = AgentError(ErrorCode.NOT_REACHED, "it stopped short")
    assert refusal(broker, "goto", head=HEAD).code is ErrorCode.NOT_REACHED
    broker.close()
    assert body.held == 1


def test_broker_rejects_requests_after_close(broker: Broker, body: RecordingBody) -> None:
    broker.close()
    assert refusal(broker, "stream", head=HEAD).code is ErrorCode.CANCELED
    assert body.streamed == []


def test_canceling_tool_call_cancels_run_of_broker(body: RecordingBody, tmp_path: Path) -> None:
    cancel = CancelToken()
    context = ToolContext(body, Deadline(30.0), lambda _progress: None, cancel)
    broker = Broker(body, context, Equipment(tmp_path), Need)
    cancel.cancel()
    assert broker.cancel.cancelled
    assert refusal(broker, "goto", head=HEAD).code is ErrorCode.CANCELED


class SlowBody(RecordingBody):
    """Robot body whose motions last until they are canceled, to simulate a long motion."""

    def move(self, motion: Motion, context: ToolContext) -> MotionResult:
        self.motions.append(motion)
        assert context.cancel.wait(30.0)
        return MotionResult(self.pose, error=AgentError(ErrorCode.CANCELED, "cancelled"))


def test_closing_broker_during_motion_holds_pose(tmp_path: Path) -> None:
    body = SlowBody()
    broker = Broker(body, ToolContext(body, Deadline(30.0), lambda _progress: None), Equipment(tmp_path), Need)
    codes: list[ErrorCode] = []
    mover = threading.Thread(target=lambda: codes.append(refusal(broker, "goto", head=HEAD, duration=60.0).code))
    mover.start()
    wait_until(lambda: bool(body.motions))
    broker.close()
    assert body.held == 1
    mover.join(5.0)
    assert codes == [ErrorCode.CANCELED]


def test_robot_state_does_not_reveal_simulation(broker: Broker) -> None:
    assert sorted(broker.answer("state", {})) == ["activity", "antennas", "body_yaw", "head", "motors"]


def test_broker_records_executed_commands(broker: Broker, body: RecordingBody, tmp_path: Path) -> None:
    broker.answer("goto", {"head": HEAD, "duration": 1.0})
    broker.answer("play", {"library": "emotion", "name": "joy"})
    broker.answer("say", {"text": "Hello."})
    kept = broker.answer("photo", {})
    assert broker.record.commands == body.motions
    assert isinstance(broker.record.commands[0], PoseMotion)
    assert body.said == ["Hello."]
    photos = list((tmp_path / "photos").iterdir())
    assert [str(photo) for photo in photos] == [kept["path"]]
    assert photos[0].read_bytes() == b"\xff\xd8jpeg"


@pytest.mark.parametrize(("verb", "arguments", "most"), [("say", {"text": "a"}, 20), ("photo", {}, 60)])
def test_broker_limits_number_of_speech_and_photo_requests_per_run(
    broker: Broker, verb: str, arguments: dict[str, Any], most: int
) -> None:
    for _ in range(most):
        broker.answer(verb, arguments)
    assert refusal(broker, verb, **arguments).code is ErrorCode.BUDGET_EXCEEDED


def test_unavailable_robot_does_not_count_as_violation(
    broker: Broker, body: RecordingBody, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> Any:
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "hardware_bridge is not running.")

    monkeypatch.setattr(body, "state", gone)
    assert refusal(broker, "goto", head=HEAD).code is ErrorCode.SERVER_UNAVAILABLE
    assert broker.record.violations == []
