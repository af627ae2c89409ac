import math
from typing import Any

import pytest

from reachy_agent_ros.agent.conversation.turn_request import TurnResult
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.testing.evaluation import differences
from reachy_agent_ros.testing.scenario import Scenario
from reachy_agent_ros.testing.scenario_file import parse_scenarios
from reachy_agent_ros.testing.scenario_player import PlayedCall, PlayedTurn, ScenarioRun
from reachy_agent_ros.tools.body import BodyState

SCHEMAS = {"move_head": {"properties": {"yaw_deg": {"default": 0.0}, "pitch_deg": {"default": 0.0}}}}
SCENARIO = """\
- name: a plain command
  turns:
    - say: look left
      agent: reflex
      tools: [{tool: move_head, arguments: {yaw_deg: 30}}]
      reply: {contains: [left], lacks: [right]}
      seconds: 5
  end: {posture: {yaw_deg: 30}}
"""


def scenario() -> Scenario:
    return parse_scenarios(SCENARIO, "here")[0]


def performance(arguments: str = '{"yaw_deg": 30.2}', error: AgentError | None = None, **result: Any) -> ScenarioRun:
    played = PlayedTurn([PlayedCall("move_head", arguments, error, ended=True)])
    played.result = TurnResult(**{"reply": "I looked to the LEFT.", "agent": "reflex", **result})
    pose = BodyPose(head_transform(yaw=math.radians(31.0)))
    state = BodyState(pose, "idle", "enabled", True, True, False, "", "")
    return ScenarioRun([played], state, math.nan, [])


def found(played: ScenarioRun) -> list[str]:
    return differences(scenario(), played, SCHEMAS, scripted=True)


def test_expected_behavior_causes_no_differences() -> None:
    assert found(performance()) == []


def test_explicit_default_argument_is_not_reported_as_difference() -> None:
    assert found(performance('{"yaw_deg": 30, "pitch_deg": 0}')) == []


@pytest.mark.parametrize(
    ("played", "words"),
    [
        (performance('{"yaw_deg": -30}'), "yaw_deg -30 instead of 30"),
        (performance('{"yaw_deg": 30, "pitch_deg": 9}'), "pitch_deg 9 instead of 0"),
        (performance(error=AgentError(ErrorCode.NOT_REACHED, "stuck")), "NOT_REACHED instead of success"),
        (performance(reply="I looked to the left, right?"), "claims 'right'"),
        (performance(reply="Done."), "lacks 'left'"),
        (performance(reply=""), "the reply is empty"),
        (performance(agent="robot"), "robot answered instead of reflex"),
        (performance(elapsed=6.0), "took 6.0 s, maximum 5 s"),
    ],
)
def test_reports_each_difference_from_expected_behavior(played: ScenarioRun, words: str) -> None:
    assert any(words in each for each in found(played))


def test_unexpected_error_is_reported_as_difference() -> None:
    played = performance()
    assert played.turns[0].result is not None
    played.turns[0].result.error = AgentError(ErrorCode.CANCELED, "it was canceled")
    assert found(played) == ["ended with CANCELED instead of none"]


def test_reports_registered_tool_if_none_is_expected() -> None:
    text = SCENARIO.replace("end: {", "world: {tool_review: never}\n  end: {registered: {}, ")
    played = performance()
    assert differences(parse_scenarios(text, "here")[0], played, SCHEMAS, scripted=True) == []
    played.registered["tidy_up"] = 0
    told = differences(parse_scenarios(text, "here")[0], played, SCHEMAS, scripted=True)
    assert told == ["{'tidy_up': 0} was registered instead of none"]


def test_additional_tool_call_is_reported_as_difference() -> None:
    played = performance()
    played.turns[0].calls.append(PlayedCall("stop", "{}", ended=True))
    assert found(played) == ["called move_head, stop instead of move_head"]


def test_expected_invalid_call_may_be_rejected_before_tool() -> None:
    strict = parse_scenarios(SCENARIO.replace("{yaw_deg: 30}}]", "{yaw_deg: 30}, fails: INVALID_ARGUMENTS}]"), "here")[
        0
    ]
    played = performance()
    played.turns[0].calls.clear()
    assert differences(strict, played, SCHEMAS, scripted=True) == []


def test_unexpected_final_pose_is_reported_as_difference() -> None:
    played = performance()
    state = BodyState(BodyPose(), "idle", "enabled", True, True, False, "", "")
    assert found(ScenarioRun(played.turns, state, math.nan, [])) == ["yaw_deg ended at 0 instead of 30"]


LEARNING = """\
- name: it learns
  world: {learns: true}
  turns:
    - say: look at the apple
      tools: [{tool: move_head, arguments: {yaw_deg: 30}}]
      gaze: {thing: apple, at_least: 2, at_most: 5}
      reaches: {antenna_right_deg: -50}
  end: {ways: 2}
"""


def learned(off: float = 3.0, reached: float = -45.0, ways: int = 2, unsafe: int = 0) -> list[str]:
    played = performance()
    played.turns[0].gaze_error = math.radians(off)
    played.turns[0].see({"antenna_right_deg": 5.0})
    played.turns[0].see({"antenna_right_deg": reached})
    played.ways, played.unsafe = ways, unsafe
    return differences(parse_scenarios(LEARNING, "here")[0], played, SCHEMAS, scripted=True)


def test_judgment_checks_gaze_error_and_reach_and_variations_after_learning() -> None:
    assert learned() == []
    assert learned(off=1.0) == ["the apple is 1.0 deg from where it looks instead of 2 to 5"]
    assert learned(off=6.0) == ["the apple is 6.0 deg from where it looks instead of 2 to 5"]
    assert learned(off=math.nan) == ["the apple is nan deg from where it looks instead of 2 to 5"]
    assert learned(reached=-30.0) == ["antenna_right_deg reached -30 instead of -50"]
    assert learned(ways=1) == ["gestures were made in 1 ways instead of at least 2"]


def test_unsafe_command_is_reported_as_difference_in_every_scenario() -> None:
    assert learned(unsafe=2) == ["2 commands that passed the gate were outside the envelope, or jumped"]
