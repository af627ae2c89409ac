from __future__ import annotations

import json
import math
import re
from contextlib import nullcontext
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.body import GazeMotion, MoveLibrary, NamedMotion, PoseMotion
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.execution_style import ExecutionStyle, Style
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.runner import ToolRunner

TOOLS = {tool.specification.name: tool for tool in predefined_tools(Path("unused"), emotions(), dances())}

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-200, 200),
    st.floats(-200.0, 200.0),
    st.integers(),
    st.text(max_size=5),
    st.sampled_from([0, 0.0, 1, 1.0, 5, 40, 40.0, -40.0000001, 160, 180, *dances()[:2], *emotions()[:2]]),
    st.lists(st.integers(), max_size=1),
)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    name = draw(st.sampled_from(sorted(TOOLS)))
    known = sorted(TOOLS[name].specification.schema["properties"])
    names = st.sampled_from([*known, "unheard_of"]) if known else st.just("unheard_of")
    return name, draw(st.dictionaries(names, SCALARS, max_size=len(known) + 1))


def accepts(name: str, arguments: dict[str, Any]) -> bool:
    try:
        TOOLS[name].specification.parse(json.dumps(arguments))
    except AgentError:
        return False
    return True


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(calls())
def test_argument_validation_agrees_with_json_schema(call: tuple[str, dict[str, Any]]) -> None:
    name, arguments = call
    schema = TOOLS[name].specification.schema
    assert accepts(name, arguments) == Draft202012Validator(schema).is_valid(arguments)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_tool_schema_has_no_references_and_describes_its_arguments(name: str) -> None:
    schema = TOOLS[name].specification.schema
    Draft202012Validator.check_schema(schema)
    assert "$ref" not in json.dumps(schema)
    assert not {"ge", "gt", "le", "lt"} & set(re.findall(r'"(\w+)":', json.dumps(schema)))  # unknown to JSON Schema
    assert all(argument["description"] for argument in schema["properties"].values())


@pytest.fixture
def body() -> RecordingBody:
    return RecordingBody()


@pytest.fixture
def run(body: RecordingBody, tmp_path: Path) -> Any:
    catalogue = ToolCatalogue(predefined_tools(tmp_path / "photos", emotions(), dances()))
    runner = ToolRunner(catalogue, body)

    def call(name: str, /, **arguments: Any) -> dict[str, Any]:
        outcomes: Queue[CallOutcome] = Queue()
        runner.start(ToolRequest(name, json.dumps(arguments)), outcomes.put)
        outcome = outcomes.get(timeout=5.0)
        if outcome.error is not None:
            raise outcome.error
        result: dict[str, Any] = json.loads(outcome.result_json)
        return result

    return call


def test_move_head_tool_converts_degrees_and_millimeters_to_pose(run: Any, body: RecordingBody) -> None:
    result = run("move_head", roll_deg=5, pitch_deg=10, yaw_deg=-30, x_mm=4, y_mm=-3, z_mm=10, duration_s=0.5)
    (motion,) = body.motions
    assert isinstance(motion, PoseMotion)
    assert motion.head is not None
    assert np.allclose(np.degrees(rpy_from_matrix(motion.head)), (5, 10, -30))
    assert np.allclose(motion.head[:3, 3], (0.004, -0.003, 0.010))
    assert (motion.antennas, motion.body_yaw, motion.duration) == (None, None, 0.5)
    assert result["measured"]["head"]["yaw_deg"] == -30.0
    assert result["limited"] == ["head.pitch"]


def test_antenna_and_body_tools_move_only_their_parts(run: Any, body: RecordingBody) -> None:
    run("set_antennas", right_deg=45, left_deg=-90)
    run("rotate_body", yaw_deg=90)
    assert body.motions == [
        PoseMotion(antennas=(math.radians(45), math.radians(-90))),
        PoseMotion(body_yaw=math.radians(90)),
    ]


def test_antenna_without_angle_stays_where_it_is(run: Any, body: RecordingBody) -> None:
    body.pose = BodyPose(antenna_right=0.5, antenna_left=-0.5)
    run("set_antennas", left_deg=30)
    run("set_antennas", right_deg=-30)
    run("set_antennas")
    antennas = [motion.antennas for motion in body.motions if isinstance(motion, PoseMotion)]
    assert antennas == [(0.5, math.radians(30)), (math.radians(-30), -0.5), (0.0, 0.0)]


def test_look_at_tool_accepts_point_in_meters(run: Any, body: RecordingBody) -> None:
    run("look_at", x_m=0.6, y_m=0.3, z_m=0.0)
    assert body.motions == [GazeMotion((0.6, 0.3, 0.0))]


def test_dance_tool_repeats_dance(run: Any, body: RecordingBody) -> None:
    run("dance", dance="yeah_nod", repetitions=2, intensity=0.5)
    assert body.motions == [NamedMotion(MoveLibrary.DANCE, "yeah_nod", 0.5)] * 2


def test_emotion_tool_uses_full_intensity_by_default(run: Any, body: RecordingBody) -> None:
    run("express_emotion", emotion="joy")
    assert body.motions == [NamedMotion(MoveLibrary.EMOTION, "joy", 1.0)]


@pytest.mark.parametrize("tool", ["take_photo", "stop"])
def test_tools_report_head_from_front_like_robot_state(run: Any, body: RecordingBody, tool: str) -> None:
    body.pose = BodyPose(head_transform(yaw=math.radians(70.0)), body_yaw=math.radians(50.0))
    assert run(tool)["head"] == run("get_robot_state")["head"]
    assert run(tool)["head"]["yaw_deg"] == 20.0


def test_take_photo_tool_saves_file_before_it_returns(run: Any, tmp_path: Path) -> None:
    result = run("take_photo")
    assert Path(result["path"]).read_bytes() == b"\xff\xd8jpeg"
    assert Path(result["path"]).parent == tmp_path / "photos"
    assert (result["width"], result["height"], result["head"]["yaw_deg"]) == (4, 2, 0.0)


def test_take_photo_tool_raises_error_if_photo_cannot_be_saved(run: Any, tmp_path: Path) -> None:
    (tmp_path / "photos").write_text("in the way")
    with pytest.raises(AgentError) as caught:
        run("take_photo")
    assert caught.value.code is ErrorCode.STORAGE_FAILED
    assert str(tmp_path) not in caught.value.message


def test_speak_tool_speaks_text(run: Any, body: RecordingBody) -> None:
    assert run("speak", text="Good morning.") == {"spoken": "Good morning."}
    assert body.said == ["Good morning."]


def test_stop_tool_holds_robot_and_returns_posture(run: Any, body: RecordingBody) -> None:
    assert run("stop")["head"]["yaw_deg"] == 0.0
    assert body.held == 1


def test_robot_state_tool_returns_degrees(run: Any) -> None:
    state = run("get_robot_state")
    assert state["activity"] == "idle"
    assert state["head"] == {"roll_deg": 0.0, "pitch_deg": 0.0, "yaw_deg": 0.0, "x_mm": 0.0, "y_mm": 0.0, "z_mm": 0.0}


def test_gesture_tool_repeats_gesture(run: Any, body: RecordingBody) -> None:
    run("gesture", gesture="nod", repetitions=2)
    assert body.motions == [NamedMotion(MoveLibrary.GESTURE, "nod")] * 2


class Lively(ExecutionStyle):
    """Learned execution style: the robot makes smaller and faster moves and comes closer."""

    def __init__(self) -> None:
        self.distances: list[float | None] = []

    def style(self, library: MoveLibrary) -> Style:
        return Style(0.5, 2.0 if library is MoveLibrary.GESTURE else 0.8)

    def lean(self) -> float:
        return 0.025

    def looks_at(self, distance: float | None) -> None:
        self.distances.append(distance)


def test_moves_except_go_to_sleep_follow_learned_style(body: RecordingBody) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("gesture", {"gesture": "nod"}),
        ("gesture", {"gesture": "go_to_sleep"}),
        ("express_emotion", {"emotion": "joy", "intensity": 0.5}),
        ("dance", {"dance": "yeah_nod"}),
    ]
    catalogue = ToolCatalogue([TOOLS[name] for name in ("gesture", "express_emotion", "dance")])
    runner = ToolRunner(catalogue, body, perform=lambda _request: nullcontext(Lively()))
    outcomes: Queue[CallOutcome] = Queue()
    for name, arguments in calls:
        runner.start(ToolRequest(name, json.dumps(arguments)), outcomes.put)
        assert outcomes.get(timeout=5.0).error is None
    assert body.motions == [
        NamedMotion(MoveLibrary.GESTURE, "nod", 0.5, 2.0),
        NamedMotion(MoveLibrary.GESTURE, "go_to_sleep"),
        NamedMotion(MoveLibrary.EMOTION, "joy", 0.25, 0.8),
        NamedMotion(MoveLibrary.DANCE, "yeah_nod", 0.5, 0.8),
    ]


def test_approach_tool_moves_head_in_gaze_direction_by_learned_distance(body: RecordingBody) -> None:
    body.pose = BodyPose(head=head_transform(pitch=0.2, yaw=math.radians(30), z=0.01))
    catalogue = ToolCatalogue([TOOLS["approach"]])
    runner = ToolRunner(catalogue, body, perform=lambda _request: nullcontext(Lively()))
    outcomes: Queue[CallOutcome] = Queue()
    runner.start(ToolRequest("approach"), outcomes.put)
    assert outcomes.get(timeout=5.0).error is None
    (motion,) = body.motions
    assert isinstance(motion, PoseMotion)
    assert motion.head is not None
    assert np.allclose(motion.head[:3, :3], body.pose.head[:3, :3])
    assert np.allclose(motion.head[:3, 3], (0.025 * math.cos(math.radians(30)), 0.0125, 0.01))


def test_look_at_tool_reports_distance_of_point_to_execution_style(body: RecordingBody) -> None:
    manner = Lively()
    runner = ToolRunner(ToolCatalogue([TOOLS["look_at"]]), body, perform=lambda _request: nullcontext(manner))
    outcomes: Queue[CallOutcome] = Queue()
    runner.start(ToolRequest("look_at", '{"x_m": 2.0395, "y_m": 0, "z_m": 0.23}'), outcomes.put)
    assert outcomes.get(timeout=5.0).error is None
    assert manner.distances == [pytest.approx(2.0, abs=0.01)]


def test_play_move_tool_plays_recorded_move_by_name(run: Any, body: RecordingBody) -> None:
    run("play_move", name="victory")
    assert body.motions == [NamedMotion(MoveLibrary.RECORDED, "victory")]
