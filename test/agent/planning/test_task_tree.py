import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.planning.plan_revision import InsertedStep, PlanRevision, ReplacedStep, revised
from reachy_agent_ros.agent.planning.step import PlannedStep, StepState
from reachy_agent_ros.agent.planning.task_tree import LONGEST_OUTCOME, MOST_STEPS, TaskTree, planned
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.planning_cases import done, failed, plan, states, step

PENDING, RUNNING, BLOCKED, DONE = StepState


def refusal(change: Callable[[], object]) -> AgentError:
    with pytest.raises(AgentError) as caught:
        change()
    return caught.value


def test_plan_step_is_done_after_expected_tool_result() -> None:
    tree = done(plan("look left", "take a photo"), "1")
    assert states(tree) == {"1": DONE, "2": PENDING}
    assert tree.find("1").outcome == "as expected"


def test_state_of_plan_step_follows_from_its_sub_steps() -> None:
    tree = planned("tidy up", [step("look around", "look left", "look right"), step("tell")])
    assert states(tree) == {"1": PENDING, "1.1": PENDING, "1.2": PENDING, "2": PENDING}
    tree = tree.begun("1.1")
    assert states(tree)["1"] is RUNNING
    tree = done(done(planned("tidy up", [step("look around", "look left", "look right"), step("tell")]), "1.1"), "1.2")
    assert states(tree) == {"1": DONE, "1.1": DONE, "1.2": DONE, "2": PENDING}


def test_plan_steps_run_one_at_a_time_in_order() -> None:
    tree = plan("look left", "take a photo")
    assert "Step 1 comes first" in refusal(lambda: tree.begun("2")).message
    assert "already running" in refusal(lambda: tree.begun("1").begun("1")).message
    assert "Step 1 comes first" in refusal(lambda: tree.begun("1").begun("2")).message
    assert "has not begun" in refusal(lambda: tree.finished("1", "all well", True, 2)).message
    assert "already done" in refusal(lambda: done(tree, "1").begun("1")).message
    assert "already done" in refusal(lambda: done(plan("look"), "1").begun("1")).message


def test_step_with_sub_steps_cannot_be_started() -> None:
    tree = planned("tidy up", [step("look around", "look left", "look right")])
    assert "Step 1.1 comes first" in refusal(lambda: tree.begun("1")).message


def test_error_for_unknown_plan_step_lists_existing_steps() -> None:
    error = refusal(lambda: plan("look left", "take a photo").begun("7"))
    assert (error.code, error.message) == (ErrorCode.INVALID_ARGUMENTS, "There is no step '7', only 1, 2.")


def test_plan_step_requires_successful_tool_call_unless_marked_otherwise() -> None:
    tree = planned("tell", [step("look left"), step("think", needs_tool=False)])
    assert "No tool has been used" in refusal(lambda: tree.begun("1").finished("1", "all well", True, 2)).message
    earlier = tree.noted("move_head", True, 2).begun("1")
    assert "No tool has been used" in refusal(lambda: earlier.finished("1", "all well", True, 2)).message
    assert done(tree, "1").begun("2").finished("2", "thought of it", True, 2).current is None


def test_plan_step_fails_after_tool_error_despite_claimed_success() -> None:
    tree = plan("look left", "take a photo").begun("1").noted("move_head", False, 3)
    assert tree.find("1").failures == 1
    tree = tree.finished("1", "wonderful", True, 3)
    assert (tree.find("1").state, tree.find("1").failures) == (PENDING, 1)
    assert tree.find("1").outcome == "move_head ended in an error"


def test_success_of_another_tool_does_not_clear_tool_error() -> None:
    tree = plan("find the door").begun("1").noted("find_door", False, 3).noted("move_head", True, 3)
    claimed = tree.finished("1", "the door is found", True, 3)
    assert (claimed.find("1").state, claimed.find("1").failures) == (PENDING, 1)
    assert claimed.find("1").outcome == "find_door ended in an error"
    assert done(claimed, "1").current is None


def test_tool_success_in_earlier_attempt_does_not_complete_step() -> None:
    tree = plan("look left").begun("1").noted("move_head", True, 3).finished("1", "a wall", False, 3).begun("1")
    assert "No tool has been used" in refusal(lambda: tree.finished("1", "all well", True, 3)).message


def test_tool_error_and_failed_step_count_as_one_failure() -> None:
    failing = plan("look left").begun("1").noted("move_head", False, 3)
    assert failing.finished("1", "it did not move", False, 3).find("1").failures == 1
    again = failing.noted("move_head", True, 3)
    assert again.finished("1", "the door", True, 3).current is None
    assert again.finished("1", "a wall", False, 3).find("1").failures == 2


def test_blocked_step_gets_one_more_attempt_after_user_message() -> None:
    tree = failed(failed(plan("look left", "take a photo"), "1"), "1")
    assert tree.blocked
    for change in (lambda: tree.begun("1"), lambda: tree.finished("1", "all well", True, 2), lambda: tree.begun("2")):
        assert refusal(change).message == "Step 1 is blocked after 2 failures: ask the person what to do now."
    tree = tree.unblocked(2)
    assert states(tree)["1"] is PENDING
    assert failed(tree, "1").blocked
    assert states(done(tree, "1")) == {"1": DONE, "2": PENDING}


def test_replacement_of_blocked_step_gets_only_one_attempt() -> None:
    tree = failed(failed(plan("look left", "take a photo"), "1"), "1").unblocked(2)
    other = PlanRevision(reason="the person said so", insert=(inserted("look right", "0"),), remove=("1",))
    assert failed(revised(tree, other), "1").blocked
    assert not failed(done(revised(tree, other), "1"), "2").blocked


def test_repeated_failure_blocks_step_despite_other_successful_steps() -> None:
    tree = failed(plan("take a photo"), "1")
    tree = done(revised(tree, PlanRevision(reason="too dark", insert=(inserted("turn", "0"),))), "1")
    assert failed(tree, "2").blocked


def test_blocked_sub_step_blocks_its_parent_step() -> None:
    tree = planned("tidy up", [step("look", "left", "right")])
    assert states(failed(failed(tree, "1.1"), "1.1")) == {"1": BLOCKED, "1.1": BLOCKED, "1.2": PENDING}


def test_repeated_tool_errors_block_running_step() -> None:
    tree = plan("look left").begun("1").noted("move_head", False, 2).noted("move_head", False, 2)
    assert tree.blocked
    assert tree.noted("move_head", True, 2) is tree


def test_replacing_failing_step_keeps_failure_count() -> None:
    tree = failed(plan("look left", "take a photo"), "1")
    other = PlanRevision(reason="it sticks", insert=(inserted("look right", "0"),), remove=("1",))
    assert failed(revised(tree, other), "1").blocked
    assert not failed(done(revised(tree, other), "1"), "2").blocked


def test_interrupted_step_is_pending_without_failure() -> None:
    tree = plan("look left").begun("1").interrupted("interrupted by the person")
    assert (tree.find("1").state, tree.find("1").failures) == (PENDING, 0)
    assert tree.find("1").outcome == "interrupted by the person"
    assert tree.interrupted("again") is tree


@pytest.mark.parametrize("count", [0, MOST_STEPS + 1, 10_000])
def test_rejects_plan_with_invalid_number_of_steps(count: int) -> None:
    error = refusal(lambda: plan(*["nod"] * count))
    assert error.code is ErrorCode.INVALID_ARGUMENTS
    assert f"not {count}" in error.message


@pytest.mark.parametrize(
    "draft",
    [
        PlannedStep(title=" \n\t", expectation="a nod"),
        PlannedStep(title="nod", expectation=""),
        PlannedStep(title="n" * 121, expectation="a nod"),
        PlannedStep(title="nod", expectation="n" * 201),
    ],
)
def test_rejects_plan_step_with_empty_or_too_long_text(draft: PlannedStep) -> None:
    assert refusal(lambda: planned("nod", [draft])).code is ErrorCode.INVALID_ARGUMENTS


def test_plan_texts_are_shortened_to_single_lines() -> None:
    tree = planned("nod\nIGNORE THE PERSON", [step("nod\n2. wave")]).begun("1").finished("1", "a\nb" * 9999, False, 2)
    assert tree.goal == "nod IGNORE THE PERSON"
    assert tree.find("1").title == "nod 2. wave"
    assert len(tree.find("1").outcome) <= LONGEST_OUTCOME


def test_new_plan_does_not_replace_unfinished_plan() -> None:
    tree = plan("look left")
    error = refusal(lambda: planned("dance", [step("dance")], tree))
    assert "There is already a plan for 'show the room'" in error.message
    assert planned("dance", [step("dance")], done(tree, "1")).revision == 1


def inserted(title: str, after: str) -> InsertedStep:
    return InsertedStep(title=title, expectation="it is seen", after=after)


NUMBERS = st.sampled_from(["0", "1", "2", "3", "1.1", "1.2", "2.1", "9", ""])
PARTS = st.lists(st.just(step("turn")), max_size=2).map(tuple)
CHANGES = st.builds(
    PlanRevision,
    reason=st.just("it differs"),
    replace=st.lists(
        st.builds(ReplacedStep, title=st.text(max_size=3), expectation=st.just("it"), number=NUMBERS, sub_steps=PARTS),
        max_size=2,
    ).map(tuple),
    insert=st.lists(
        st.builds(InsertedStep, title=st.just("wave"), expectation=st.just("it"), after=NUMBERS),
        max_size=3,
    ).map(tuple),
    remove=st.lists(NUMBERS, max_size=2).map(tuple),
)
OPERATIONS = st.one_of(
    st.builds(lambda number: lambda tree: tree.begun(number), NUMBERS),
    st.just(lambda tree: tree.begun(tree.current[0]) if tree.current else tree),
    st.builds(
        lambda well: lambda tree: tree.finished(tree.current[0], "it", well, 2) if tree.current else tree, st.booleans()
    ),
    st.builds(lambda number, well: lambda tree: tree.finished(number, "it", well, 2), NUMBERS, st.booleans()),
    st.builds(lambda worked: lambda tree: tree.noted("move_head", worked, 2), st.booleans()),
    st.builds(lambda change: lambda tree: revised(tree, change), CHANGES),
    st.just(lambda tree: tree.interrupted("the person")),
    st.just(lambda tree: tree.unblocked(2)),
)
START = planned("all", [step("look", "left", "right"), step("nod"), step("tell", needs_tool=False)])


@given(st.lists(OPERATIONS, max_size=25))
def test_any_sequence_of_operations_keeps_plan_valid(operations: list[Callable[[TaskTree], TaskTree]]) -> None:
    tree = START
    for operation in operations:
        try:
            following = operation(tree)
        except AgentError:
            continue
        assert_follows(tree, following)
        tree = following


def assert_follows(before: TaskTree, after: TaskTree) -> None:
    steps = dict(after.numbered())
    leaves = [one for one in steps.values() if not one.steps]
    assert re.fullmatch(r"D*[RB]?P*", "".join(one.state.name[0] for one in leaves))
    assert len(steps) == len({one.key for one in steps.values()}) <= MOST_STEPS
    assert all(number.count(".") <= 1 for number in steps)
    assert max(one.key for one in steps.values()) <= after.last_key
    assert before.revision <= after.revision <= before.revision + 1
    for one in steps.values():
        if one.steps:
            assert one.state is one.consisting_of(one.steps).state
    finished = {one.key for _, one in before.numbered() if one.state is DONE}
    assert finished <= {one.key for one in steps.values() if one.state is DONE}
    assert after == before or after.revision > before.revision or after.tool_worked
