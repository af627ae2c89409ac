from std_msgs.msg import Header

from reachy_agent_ros.agent.planning.plan_text import rendered
from reachy_agent_ros.agent.planning.review import PlanReview
from reachy_agent_ros.agent.planning.task_tree import TaskTree, planned
from reachy_agent_ros.ros.agent.agent_messages import plan_message, tree_from_message
from support.agent.planning_cases import done, plan, step


def sent(tree: TaskTree | None) -> TaskTree | None:
    return tree_from_message(plan_message(Header(), "default", tree, PlanReview.ACT))


def test_plan_is_unchanged_by_conversion_to_message() -> None:
    tree = done(planned("show the room", [step("look", "left", "right"), step("tell")]), "1.1")
    for one in (tree, plan("look").begun("1")):
        received = sent(one)
        assert received is not None
        assert rendered(received) == rendered(one)


def test_missing_plan_is_unchanged_by_conversion_to_message() -> None:
    assert sent(None) is None
