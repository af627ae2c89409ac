import json

import pytest

from reachy_agent_ros.agent.planning.plan_revision import PlanRevision, revised
from reachy_agent_ros.agent.planning.step import StepState
from reachy_agent_ros.agent.planning.task_tree import MOST_STEPS, TaskTree, planned
from reachy_agent_ros.core.arguments import parse_arguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.planning_cases import done, failed, plan, states, step, titles

PENDING, RUNNING, BLOCKED, DONE = StepState


def change(**changes: object) -> PlanRevision:
    return PlanRevision.model_validate_json(written(**changes))


def written(**changes: object) -> str:
    return json.dumps({"reason": "the person said so", **changes})


def new(title: str, **more: object) -> dict[str, object]:
    return {"title": title, "expectation": f"{title} is seen", **more}


def refused(tree: TaskTree, **changes: object) -> str:
    with pytest.raises(AgentError) as caught:
        revised(tree, change(**changes))
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    return caught.value.message


def test_plan_revision_refers_to_original_step_numbers() -> None:
    tree = revised(
        plan("look left", "take a photo", "nod", "tell"),
        change(
            replace=[new("look right", number="1")],
            insert=[new("wave", after="2"), new("bow", after="2"), new("greet", after="0")],
            remove=["3"],
        ),
    )
    assert list(titles(tree).values()) == ["greet", "look right", "take a photo", "wave", "bow", "tell"]
    assert tree.revision == 2


def test_plan_step_can_be_split_into_sub_steps() -> None:
    tree = revised(plan("look around", "tell"), change(replace=[new("look", number="1", sub_steps=[new("left")])]))
    assert titles(tree) == {"1": "look", "1.1": "left", "2": "tell"}
    tree = revised(tree, change(insert=[new("right", after="1.1")]))
    assert titles(tree) == {"1": "look", "1.1": "left", "1.2": "right", "2": "tell"}


def test_new_steps_get_unique_keys() -> None:
    smaller = new("look", number="1", sub_steps=[new("left"), new("right")])
    tree = revised(plan("look around"), change(replace=[smaller], insert=[new("tell", after="1")]))
    keys = [one.key for _, one in tree.numbered()]
    assert len(set(keys)) == len(titles(tree)) == 4
    assert titles(done(done(tree, "1.1"), "1.2").begun("2"))["2"] == "tell"


def test_plan_step_is_removed_with_its_last_sub_step() -> None:
    tree = planned("tidy up", [step("look", "left", "right"), step("tell")])
    assert titles(revised(tree, change(remove=["1.1", "1.2"]))) == {"1": "tell"}


def test_replaced_plan_step_keeps_failure_count() -> None:
    tree = revised(failed(plan("look left", "tell"), "1"), change(replace=[new("look right", number="1")]))
    assert (tree.find("1").failures, tree.find("1").outcome) == (1, "")


def test_removing_all_remaining_steps_completes_plan() -> None:
    tree = revised(done(plan("look left", "take a photo"), "1"), change(remove=["2"]))
    assert tree.current is None
    assert "1 to 30 steps" in refused(plan("look left"), remove=["1"])


@pytest.mark.parametrize(
    "changes", [{"remove": ["1"]}, {"replace": [new("nod", number="1")]}, {"insert": [new("nod", after="0")]}]
)
def test_rejects_changes_to_done_and_running_steps(changes: dict[str, object]) -> None:
    for tree in (done(plan("look left", "take a photo"), "1"), plan("look left", "take a photo").begun("1")):
        assert refused(tree, **changes).startswith(("Step 1 can no longer be changed", "New steps must come after"))


def test_steps_after_running_step_can_be_changed() -> None:
    tree = revised(plan("look left", "take a photo").begun("1"), change(insert=[new("nod", after="1")], remove=["2"]))
    assert states(tree) == {"1": RUNNING, "2": PENDING}
    assert titles(tree)["2"] == "nod"


def test_rejects_sub_step_for_completed_step() -> None:
    tree = planned("tidy up", [step("look", "left"), step("tell")])
    assert "Step 1 can no longer be changed: it is done" in refused(
        done(tree, "1.1"), insert=[new("right", after="1.1")]
    )


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, "Nothing is replaced"),
        ({"remove": ["9"]}, "no step '9'"),
        ({"remove": ["2"], "replace": [new("nod", number="2")]}, "in one way only"),
        ({"replace": [new("nod", number="2"), new("bow", number="2")]}, "in one way only"),
        ({"remove": ["1"], "insert": [new("nod", after="1.1")]}, "'nod' belongs to a step that is itself removed"),
        ({"replace": [new("nod", number="1.1", sub_steps=[new("down")])]}, "Step 1.1 is a sub-step"),
        ({"insert": [new("nod", after="2")] * MOST_STEPS}, f"not {MOST_STEPS + 4}"),
        ({"insert": [new("", after="2")]}, "must not be empty"),
    ],
)
def test_rejects_invalid_revision_with_reason(changes: dict[str, object], why: str) -> None:
    assert why in refused(planned("tidy up", [step("look", "left", "right"), step("tell")]), **changes)


def test_blocked_plan_can_be_revised_only_after_user_message() -> None:
    tree = failed(failed(plan("look left"), "1"), "1")
    with pytest.raises(AgentError) as caught:
        revised(tree, change(replace=[new("look right", number="1")]))
    assert caught.value.code is ErrorCode.INVALID_GOAL
    assert titles(revised(tree.unblocked(2), change(replace=[new("look right", number="1")]))) == {"1": "look right"}


def test_plan_revision_accepts_step_number_as_integer() -> None:
    given = parse_arguments("revise_plan", PlanRevision, written(remove=[2, "3."]))
    assert titles(revised(plan("look", "nod", "tell"), given)) == {"1": "look"}
    for wrong in ([2.1], [True], [None]):
        with pytest.raises(AgentError, match=r"remove\.0"):
            parse_arguments("revise_plan", PlanRevision, written(remove=wrong))
