"""Plans in various states, for tests of planning."""

from pathlib import Path

from reachy_agent_ros.agent.planning.plan_board import PlanBoard
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.step import PlannedStep, PlannedSubStep, StepState
from reachy_agent_ros.agent.planning.task_tree import TaskTree, planned


def step(title: str, *parts: str, needs_tool: bool = True) -> PlannedStep:
    sub_steps = tuple(PlannedSubStep(title=part, expectation=f"{part} is seen") for part in parts)
    return PlannedStep(title=title, expectation=f"{title} is seen", needs_tool=needs_tool, sub_steps=sub_steps)


def plan(*titles: str) -> TaskTree:
    return planned("show the room", [step(title) for title in titles])


def states(tree: TaskTree) -> dict[str, StepState]:
    return {number: step.state for number, step in tree.numbered()}


def titles(tree: TaskTree) -> dict[str, str]:
    return {number: step.title for number, step in tree.numbered()}


def done(tree: TaskTree, number: str) -> TaskTree:
    return tree.begun(number).noted("move_head", True, 2).finished(number, "as expected", True, 2)


def failed(tree: TaskTree, number: str) -> TaskTree:
    return tree.begun(number).finished(number, "nothing there", False, 2)


class WatchedBoard(PlanBoard):
    """Plan board that records each published plan."""

    def __init__(self, path: Path) -> None:
        self.shown: list[tuple[str, TaskTree | None]] = []
        self.store = PlanStore(path)
        super().__init__(self.store, on_change=lambda *change: self.shown.append(change))
