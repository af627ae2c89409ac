import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from reachy_agent_ros.agent.planning.plan_board import PLAN_TOOLS, PlanBoard
from reachy_agent_ros.agent.planning.plan_revision import PlanRevision, ReplacedStep
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.step import StepState
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.planning_cases import WatchedBoard, states, step, titles
from support.flipped_bits import flip

PENDING, RUNNING, BLOCKED, DONE = StepState
HOME, OFFICE = "home", "office"


def tree_of(board: PlanBoard, session_id: str = HOME) -> TaskTree:
    tree = board.tree(session_id)
    assert tree is not None
    return tree


def planned(board: PlanBoard, *names: str) -> None:
    board.make(HOME, "show the room", [step(name) for name in names or ("look left", "take a photo")])


def do(board: PlanBoard, number: str) -> None:
    board.begin(HOME, number)
    board.note_result(HOME, "move_head", worked=True)
    board.finish(HOME, number, "as it should be", as_expected=True)


def fail(board: PlanBoard, number: str) -> None:
    board.begin(HOME, number)
    board.finish(HOME, number, "nothing there", as_expected=False)


def test_publishes_every_plan_change_with_its_conversation(board: WatchedBoard) -> None:
    planned(board)
    do(board, "1")
    board.drop(HOME)
    assert [session_id for session_id, _ in board.shown] == [HOME] * 4
    assert [tree and tree.revision for _, tree in board.shown] == [1, 2, 3, None]


def test_each_conversation_has_separate_plan(board: WatchedBoard) -> None:
    planned(board)
    board.make(OFFICE, "dance", [step("dance")])
    board.note_result(OFFICE, "move_head", worked=False)
    board.person_spoke(OFFICE)
    assert (tree_of(board).goal, tree_of(board, OFFICE).goal) == ("show the room", "dance")
    board.drop(HOME)
    assert board.tree(HOME) is None
    assert tree_of(board, OFFICE).revision == 1


def test_rejects_change_to_missing_plan(board: WatchedBoard) -> None:
    for change in (lambda: board.begin(HOME, "1"), lambda: board.drop(HOME)):
        with pytest.raises(AgentError, match="There is no plan: make one first"):
            change()
    board.person_spoke(HOME)
    board.note_result(HOME, "move_head", worked=False)
    board.forget(HOME)
    assert board.shown == []


def test_restart_preserves_plan_and_interrupts_running_step(board: WatchedBoard, path: Path) -> None:
    board.make(HOME, "show the room", [step("look", "left", "right"), step("tell", needs_tool=False)])
    do(board, "1.1")
    board.begin(HOME, "1.2")
    before = tree_of(board)
    with closing(WatchedBoard(path).store) as store:
        after = tree_of(PlanBoard(store))
    assert states(before) == {"1": RUNNING, "1.1": DONE, "1.2": RUNNING, "2": PENDING}
    assert states(after) == {"1": PENDING, "1.1": DONE, "1.2": PENDING, "2": PENDING}
    assert after.find("1.2").outcome == "interrupted by a restart"
    assert (after.find("1.1"), after.find("2")) == (before.find("1.1"), before.find("2"))


def test_blocked_plan_is_still_blocked_after_restart(board: WatchedBoard, path: Path) -> None:
    planned(board)
    fail(board, "1")
    fail(board, "1")
    with closing(PlanStore(path)) as store:
        again = PlanBoard(store)
        assert tree_of(again) == tree_of(board)
        with pytest.raises(AgentError, match="ask the person"):
            again.begin(HOME, "1")


@pytest.mark.slow
def test_published_plan_survives_killed_process(path: Path) -> None:
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from reachy_agent_ros.agent.planning.plan_board import PlanBoard\n"
        "from reachy_agent_ros.agent.planning.plan_store import PlanStore\n"
        "from reachy_agent_ros.agent.planning.step import PlannedStep\n"
        "board = PlanBoard(PlanStore(Path(sys.argv[1])), on_change=lambda *_: os._exit(7))\n"
        "board.make('home', 'nod', [PlannedStep(title='nod', expectation='a nod')])\n"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 7
    with closing(PlanStore(path)) as store:
        assert titles(tree_of(PlanBoard(store))) == {"1": "nod"}


def test_dropped_plan_does_not_return_after_restart(board: WatchedBoard, path: Path) -> None:
    planned(board)
    board.drop(HOME)
    with closing(PlanStore(path)) as store:
        assert PlanBoard(store).tree(HOME) is None


def test_unreadable_plan_does_not_affect_other_plans(board: WatchedBoard, path: Path) -> None:
    planned(board)
    board.make(OFFICE, "dance", [step("dance")])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE plans SET tree = '{\"goal\": 3}' WHERE session_id = ?", (OFFICE,))
    with closing(PlanStore(path)) as store:
        again = PlanBoard(store)
    assert titles(tree_of(again)) == titles(tree_of(board))
    assert again.tree(OFFICE) is None


def test_sets_aside_damaged_plan_database(board: WatchedBoard, path: Path, tmp_path: Path) -> None:
    planned(board)
    damaged = tmp_path / "damaged" / "plans.sqlite3"
    damaged.parent.mkdir()
    shutil.copy(path, damaged)
    damaged.write_bytes(b"nonsense" * 1000)
    with closing(PlanStore(damaged)) as store:
        assert PlanBoard(store).tree(HOME) is None


def test_sets_aside_plan_database_with_invalid_names(path: Path) -> None:
    PlanStore(path).close()
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE plans", b"CREATE \xffABLE plans"))
    with closing(PlanStore(path)) as store:
        assert store.load() == {}
    assert len(list(path.parent.glob("*.damaged-*"))) == 1


def test_plan_is_unchanged_if_change_cannot_be_stored(board: WatchedBoard) -> None:
    planned(board)
    before, shown = tree_of(board), len(board.shown)
    board.store.close()
    for change in (lambda: board.begin(HOME, "1"), lambda: board.drop(HOME)):
        with pytest.raises(AgentError) as caught:
            change()
        assert caught.value.code is ErrorCode.STORAGE_FAILED
    assert tree_of(board) is before
    assert len(board.shown) == shown


def test_user_message_interrupts_running_step(board: WatchedBoard) -> None:
    planned(board)
    board.begin(HOME, "1")
    board.person_spoke(HOME)
    assert states(tree_of(board)) == {"1": PENDING, "2": PENDING}
    assert tree_of(board).find("1").outcome == "interrupted by the person"


def test_plan_can_be_revised_after_correction_by_user(board: WatchedBoard) -> None:
    planned(board)
    board.begin(HOME, "1")
    board.person_spoke(HOME)
    other = ReplacedStep(title="look right", expectation="the other one is seen", number="1")
    board.revise(HOME, PlanRevision(reason="no, the other one", replace=(other,)))
    do(board, "1")
    assert titles(tree_of(board)) == {"1": "look right", "2": "take a photo"}
    assert states(tree_of(board)) == {"1": DONE, "2": PENDING}


def test_only_user_message_unblocks_plan(board: WatchedBoard) -> None:
    planned(board)
    fail(board, "1")
    fail(board, "1")
    for change in (
        lambda: board.begin(HOME, "1"),
        lambda: board.finish(HOME, "1", "all well", as_expected=True),
        lambda: board.drop(HOME),
        lambda: planned(board),
    ):
        with pytest.raises(AgentError) as caught:
            change()
        assert caught.value.code is ErrorCode.INVALID_GOAL
    board.person_spoke(HOME)
    do(board, "1")
    assert states(tree_of(board)) == {"1": DONE, "2": PENDING}


def test_user_message_does_not_change_plan_without_running_step(board: WatchedBoard) -> None:
    planned(board)
    board.person_spoke(HOME)
    assert len(board.shown) == 1


def test_completed_plan_is_deleted_at_next_user_message(board: WatchedBoard) -> None:
    planned(board, "nod")
    do(board, "1")
    assert tree_of(board).current is None
    board.person_spoke(HOME)
    assert board.tree(HOME) is None
    assert board.shown[-1] == (HOME, None)


def test_result_of_planning_tool_does_not_affect_running_step(board: WatchedBoard) -> None:
    planned(board)
    board.begin(HOME, "1")
    for tool in PLAN_TOOLS:
        board.note_result(HOME, tool, worked=True)
        board.note_result(HOME, tool, worked=False)
    with pytest.raises(AgentError, match="No tool has been used"):
        board.finish(HOME, "1", "all well", as_expected=True)
    assert tree_of(board).find("1").failures == 0


def test_failure_limit_of_plan_is_configurable(path: Path) -> None:
    with closing(PlanStore(path)) as store:
        board = PlanBoard(store, most_failures=1)
        planned(board)
        fail(board, "1")
        assert tree_of(board).blocked
        with pytest.raises(AgentError):
            PlanBoard(store, most_failures=0)


def test_only_one_of_several_threads_starts_plan_step(board: WatchedBoard) -> None:
    planned(board)
    refused: list[AgentError] = []

    def begin() -> None:
        try:
            board.begin(HOME, "1")
        except AgentError as error:
            refused.append(error)

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 7
    assert [tree and tree.revision for _, tree in board.shown] == [1, 2]


def test_plan_deleted_by_another_process_is_dropped_at_next_user_message(board: WatchedBoard, path: Path) -> None:
    planned(board)
    other = PlanStore(path)
    other.put(HOME, None)
    other.close()
    board.person_spoke(HOME)
    assert board.tree(HOME) is None
    assert board.shown[-1] == (HOME, None)


def test_plan_with_flipped_bit_is_dropped_and_reported(board: WatchedBoard, path: Path) -> None:
    planned(board)
    board.close()
    flip(path, '"goal"', 10)
    with closing(PlanStore(path)) as store:
        again = PlanBoard(store)
        assert again.tree(HOME) is None
        assert f"the plan of {HOME}" in again.damage
