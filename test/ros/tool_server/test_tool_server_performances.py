"""Tool calls, which are recorded as actions and adapt to corrections by users."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.learner import OnlineLearner
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.correction.skills import DANCE, EXPRESS_EMOTION, LOOK_AT_OBJECT, MAKE_GESTURE, Skill
from reachy_agent_ros.learning.score import Axis, Score, Sign
from reachy_agent_ros.ros.action_records import act_from_message
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import RECENT
from reachy_agent_ros.ros.tool_server.tool_server import Performances
from reachy_agent_ros.tools.body import MoveLibrary
from reachy_agent_ros.tools.call import ToolRequest
from reachy_agent_ros.tools.execution_style import LEAN, Direction, Style
from support.nodes.node_process import Ros
from support.waiting import wait_until

TURN = uuid.uuid4()


class Stage:
    """Test environment that performs tool calls and collects their action records."""

    def __init__(self, ros: Ros, node: AgentNode, folder: Path) -> None:
        self.acts: list[ActionRecord] = []
        self.folder = folder
        self._heard = ros.node.create_subscription(
            ActionRecordMessage,
            names.ACTION_RECORDS,
            lambda message: self.acts.append(act_from_message(message)),
            RECENT,
        )
        self.performances = Performances(node, folder)

    def wait_for(self, count: int) -> None:
        wait_until(lambda: len(self.acts) >= count, f"{count} acts")

    def taught(self, *axes: Axis) -> None:
        learner = OnlineLearner(LOOK_AT_OBJECT, PolicyStore(self.folder), seed=0)
        ahead = {"target_pitch": 0.0, "target_yaw": 0.0}
        learner.learn(learner.act(ahead), Score(Sign.NEGATIVE, -0.3, 0.95, axes))


@pytest.fixture
def stage(ros: Ros, tmp_path: Path) -> Iterator[Stage]:
    node = AgentNode(f"performing_{uuid.uuid4().hex}")
    yield Stage(ros, node, tmp_path)
    node.destroy_node()


def test_tool_call_is_recorded_as_action_at_start_and_end(stage: Stage) -> None:
    arguments = '{"yaw_deg": 20, "queued": true, "name": "x"}'
    with stage.performances.perform(ToolRequest("move_head", arguments, turn_id=TURN)):
        stage.wait_for(1)
    stage.wait_for(2)
    begun, ended = stage.acts
    assert (begun.skill, begun.turn_id, begun.action, begun.policy_version) == (
        "move_head",
        TURN,
        {"yaw_deg": 20.0},
        "",
    )
    assert math.isinf(begun.ended)
    assert (ended.act_id, ended.outcome["success"]) == (begun.act_id, 1.0)


def test_action_record_of_failed_call_has_error(stage: Stage) -> None:
    with pytest.raises(AgentError), stage.performances.perform(ToolRequest("dance")):
        raise AgentError(ErrorCode.CANCELED, "Canceled.")
    stage.wait_for(2)
    assert stage.acts[1].outcome["error_code"] == float(ErrorCode.CANCELED)
    assert stage.acts[1].outcome["success"] == 0.0


def test_uncorrected_skill_uses_defaults(stage: Stage) -> None:
    seen = Direction(0.3, 0.2)
    with stage.performances.perform(ToolRequest("look_at_object", turn_id=TURN)) as manner:
        aim = manner.aim(seen)
        assert manner.style(MoveLibrary.GESTURE) == Style()
    assert (aim.yaw, aim.pitch) == pytest.approx((seen.yaw, seen.pitch))
    stage.wait_for(6)
    decided = {act.skill: act for act in stage.acts if act.policy_version}
    assert set(decided) == {LOOK_AT_OBJECT.name, MAKE_GESTURE.name}
    assert decided[LOOK_AT_OBJECT.name].context == pytest.approx({"target_pitch": 0.2, "target_yaw": 0.3})


def test_skill_uses_distance_of_latest_gaze_target(stage: Stage) -> None:
    with stage.performances.perform(ToolRequest("look_at_object")) as manner:
        manner.looks_at(2.5)
    with stage.performances.perform(ToolRequest("gesture")) as manner:
        manner.style(MoveLibrary.GESTURE)
    with stage.performances.perform(ToolRequest("approach")) as manner:
        assert manner.lean() == pytest.approx(LEAN)
        manner.looks_at(None)
        manner.style(MoveLibrary.GESTURE)
    stage.wait_for(12)
    distances = [act.context["distance"] for act in stage.acts if act.policy_version and math.isinf(act.ended)]
    assert distances == [2.5, 2.5, 1.0]


@pytest.mark.parametrize(("library", "skill"), [(MoveLibrary.EMOTION, EXPRESS_EMOTION), (MoveLibrary.DANCE, DANCE)])
def test_emotions_and_dances_have_separate_learned_styles(stage: Stage, library: MoveLibrary, skill: Skill) -> None:
    learner = OnlineLearner(skill, PolicyStore(stage.folder), seed=0)
    learner.learn(learner.act({"distance": 1.0}), Score(Sign.NEGATIVE, -0.3, 0.95, (Axis.SMALLER, Axis.SLOWER)))
    with stage.performances.perform(ToolRequest(skill.name, turn_id=TURN)) as manner:
        style = manner.style(library)
        assert manner.style(MoveLibrary.GESTURE) == Style()
    assert 0.5 <= style.size < 0.95
    assert 0.5 <= style.tempo < 0.95
    stage.wait_for(6)
    assert skill.name in [act.skill for act in stage.acts if act.policy_version]


@pytest.mark.parametrize("seen", [Direction(0.1, 0.1), Direction(2.5, 0.1), Direction(0.0, 0.9)])
def test_learned_offset_applies_to_gaze_with_body_rotation(stage: Stage, seen: Direction) -> None:
    stage.taught(Axis.PITCH_UP)
    with stage.performances.perform(ToolRequest("find_object")) as manner:
        aim = manner.aim(seen)
    assert aim.pitch < seen.pitch - 0.02
    assert aim.yaw == pytest.approx(seen.yaw, abs=0.02)


def test_damaged_policy_is_reported_and_ignored(stage: Stage) -> None:
    stage.taught(Axis.PITCH_UP)
    (stage.folder / LOOK_AT_OBJECT.name / "2" / "weights.npz").write_bytes(b"nothing")
    with stage.performances.perform(ToolRequest("look_at_object")) as manner:
        assert manner.aim(Direction(0.0, 0.1)).pitch == pytest.approx(0.1)
    assert "damaged" in stage.performances.problem
