import json

import pytest

from reachy_agent_ros.agent.planning.review import PlanReview, needs_yes, question
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.planning_cases import done, failed, plan

STEPS = [{"title": title, "expectation": "it is seen"} for title in ("look left", "take a photo.")]
PLAN = json.dumps({"goal": "show the room", "steps": STEPS})


@pytest.mark.parametrize(
    ("review", "asked"),
    [
        (PlanReview.ACT, []),
        (PlanReview.APPROVE_PLAN, ["make_plan", "revise_plan"]),
        (PlanReview.APPROVE_STEPS, ["make_plan", "begin_step", "revise_plan"]),
    ],
)
def test_plan_review_mode_determines_which_calls_need_approval(review: PlanReview, asked: list[str]) -> None:
    tools = ["make_plan", "begin_step", "finish_step", "revise_plan", "drop_plan", "move_head"]
    assert [tool for tool in tools if needs_yes(tool, review)] == asked


def test_plan_review_question_lists_all_steps() -> None:
    assert question("make_plan", PLAN, None) == "Plan: 1. look left, 2. take a photo. Shall I?"


def test_plan_review_question_describes_revision_and_reason() -> None:
    other = {"number": 1, "title": "look right", "expectation": "the other one"}
    revision = json.dumps({"reason": "you said\nthe other one.", "replace": [other], "remove": ["2"]})
    assert question("revise_plan", revision, plan("look left", "take a photo")) == (
        "Change of plan, because you said the other one: Step 2 is removed: take a photo. "
        "Step 1 is now: look right. Step 1 now expects: the other one. Shall I?"
    )


def test_plan_review_question_contains_step_title() -> None:
    tree = done(plan("look left", "take a photo"), "1")
    assert question("begin_step", '{"number": "2"}', tree) == "Step 2: take a photo. Shall I?"


@pytest.mark.parametrize(
    ("tool", "arguments_json", "code"),
    [
        ("make_plan", '{"goal": "nod"}', ErrorCode.INVALID_ARGUMENTS),
        ("make_plan", PLAN, ErrorCode.INVALID_GOAL),
        ("make_plan", json.dumps({"goal": "nod", "steps": STEPS * 99}), ErrorCode.INVALID_GOAL),
        ("revise_plan", '{"reason": "so", "remove": ["9"]}', ErrorCode.INVALID_ARGUMENTS),
        ("begin_step", '{"number": "2"}', ErrorCode.INVALID_ARGUMENTS),
    ],
)
def test_invalid_planning_call_raises_error_instead_of_requesting_review(
    tool: str, arguments_json: str, code: ErrorCode
) -> None:
    with pytest.raises(AgentError) as caught:
        question(tool, arguments_json, plan("look left", "take a photo"))
    assert caught.value.code is code


def test_missing_or_blocked_plan_raises_error_instead_of_requesting_review() -> None:
    blocked = failed(failed(plan("look left"), "1"), "1")
    for tree in (None, blocked):
        with pytest.raises(AgentError) as caught:
            question("begin_step", '{"number": "1"}', tree)
        assert caught.value.code is ErrorCode.INVALID_GOAL
