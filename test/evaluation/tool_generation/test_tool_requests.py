"""Tests of the evaluation of tool generation. The model is scripted; all other components are real."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from evaluation.tool_generation.hidden_case import comes_to
from evaluation.tool_generation.tool_requests import ToolRequest, Written, figures, load, written
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint

SUM = '''def add_up(first: float, second: float) -> dict:
    """Adds two numbers.

    Args:
        first: A number.
        second: Another one.

    Returns:
        total: both together.
    """
    return {"total": first + second}
'''

TURN = '''from reachy_mini import ReachyMini
from reachy_mini.utils import create_head_pose


def glance_left(angle_deg: float) -> dict:
    """Looks to the left and says so.

    Args:
        angle_deg: How far, 0 to 40.

    Returns:
        photo: path of a photo from there.
    """
    if not 0 <= angle_deg <= 40:
        raise ValueError("angle_deg is 0 to 40")
    with ReachyMini() as reachy:
        reachy.goto_target(head=create_head_pose(yaw=angle_deg), duration=1.0)
        photo = take_photo()
        say("I look to the left.")
        reachy.goto_target(head=create_head_pose(), duration=1.0)
    return {"photo": photo["path"]}
'''

REQUESTS = [
    ToolRequest.model_validate(one)
    for one in (
        {"ask": "Write a tool that adds two numbers.", "cases": [{"given": [2, 3], "finds": 5}]},
        {
            "ask": "Write a tool that looks left by an angle, says so, takes a photo there and looks ahead again.",
            "cases": [
                {
                    "given": [20],
                    "reaches": [{"yaw_deg": 20}, {"yaw_deg": 0}],
                    "says": ["left"],
                    "photos": 1,
                    "lasts": 2,
                },
                {"given": [20], "reaches": [{"yaw_deg": -20}]},
                {"given": [90], "refuses": True},
                {"given": [20], "photos": 2},
            ],
        },
        {"ask": "Write a tool that doubles a number.", "cases": [{"given": [1], "finds": 2}]},
    )
]


def writes(source: str) -> ScriptedAnswer:
    return ScriptedAnswer(calls=(("write_tool", {"source": source, "explanation": "It is asked for."}),))


HAND_OVER = ScriptedAnswer(calls=(("transfer_to_code", {}),))


async def asked(server: ScriptedEndpoint, requests: Sequence[ToolRequest]) -> list[Written]:
    return [one async for one in written(requests, Endpoint(server.url, "scripted"))]


@pytest.fixture(scope="module")
def outcomes() -> list[Written]:
    first = [HAND_OVER, writes(SUM.replace("first +", "missing +")), writes(SUM)]
    second = [HAND_OVER, writes(TURN)]
    third = [HAND_OVER, ScriptedAnswer("def double(number): return 2 * number")]
    with ScriptedEndpoint([*first, *second, *third]) as server:
        try:
            found = asyncio.run(asked(server, REQUESTS))
        except AgentError as error:
            if error.code is not ErrorCode.SANDBOX_UNAVAILABLE:
                raise
            pytest.skip(error.message)
        server.assert_complete()
        shown = str(server.chats)
    assert "reaches" not in shown
    return found


@pytest.mark.nightly
def test_repaired_tool_is_registered_and_passes_hidden_cases(outcomes: list[Written]) -> None:
    assert (outcomes[0].tool, outcomes[0].attempts, outcomes[0].whole) == ("add_up", 2, True)
    assert "the name missing is not defined" in outcomes[0].failures[0]


@pytest.mark.nightly
def test_motion_tool_is_approved_and_evaluated_in_simulation(outcomes: list[Written]) -> None:
    assert (outcomes[1].tool, outcomes[1].right, outcomes[1].whole) == ("glance_left", 2, False)
    assert [fault.split(": ")[1].split(" [")[0] for fault in outcomes[1].faults] == ["it comes to", "it takes 1 photos"]


@pytest.mark.nightly
def test_source_code_in_reply_does_not_count_as_tool(outcomes: list[Written]) -> None:
    assert (outcomes[2].tool, outcomes[2].attempts, outcomes[2].whole) == ("", 0, False)
    assert "no tool in 0 attempts" in outcomes[2].line


@pytest.mark.nightly
def test_figures_are_percentages_of_all_tool_requests(outcomes: list[Written]) -> None:
    values = {figure.name: figure.value for figure in figures(outcomes)}
    assert values["requests"] == 3
    assert round(values["a tool was kept"]) == 67
    assert round(values["at the first attempt"]) == 33
    assert round(values["it passes all hidden cases"]) == 33
    assert values["hidden cases right"] == 3


def test_evaluation_has_twenty_requests_with_at_least_two_cases() -> None:
    assert len(load()) == 20
    assert all(len(request.cases) >= 2 for request in load())


def test_postures_must_be_reached_in_order() -> None:
    postures = [{"yaw_deg": 19.0, "roll_deg": 0.0}, {"yaw_deg": 0.0, "roll_deg": 0.0}]
    assert comes_to([{"yaw_deg": 20.0}, {"yaw_deg": 0.0}], postures)
    assert not comes_to([{"yaw_deg": 0.0}, {"yaw_deg": 20.0}], postures)
