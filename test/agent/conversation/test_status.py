import threading
import uuid
from collections.abc import Callable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.status import NO_TURN, AgentActivity, Status, StatusBoard

TURN = uuid.UUID(int=7)
FACTS: dict[str, Callable[[StatusBoard], None]] = {
    "ready": StatusBoard.ready,
    "works": lambda board: board.works(TURN, "robot"),
    "rests": StatusBoard.rests,
    "fails": lambda board: board.rests("the disk is full"),
    "asks": lambda board: board.asks("asks about erase"),
    "is answered": lambda board: board.asks(""),
    "waits": lambda board: board.waits(2),
    "closes": StatusBoard.closes,
}


def expected(told: list[str]) -> AgentActivity:
    """Computes the agent state that is expected after the reported facts, with an independent model."""

    def last(*facts: str) -> str:
        return next((fact for fact in reversed(told) if fact in facts), "")

    if "closes" in told:
        return AgentActivity.SHUTDOWN
    if last("asks", "is answered") == "asks":
        return AgentActivity.WAITING_FOR_APPROVAL
    if last("works", "rests", "fails") == "works":
        return AgentActivity.PROCESSING
    if "ready" not in told:
        return AgentActivity.INITIALIZING
    return AgentActivity.ERROR if last("rests", "fails") == "fails" else AgentActivity.READY


@given(st.lists(st.sampled_from(list(FACTS))))
def test_agent_state_matches_reported_facts(told: list[str]) -> None:
    shown: list[Status] = []
    board = StatusBoard(shown.append)
    for fact in told:
        FACTS[fact](board)
    assert board.status.state is expected(told)
    assert (board.status.turn_id == NO_TURN) == (board.status.agent == "")
    assert all(earlier != later for earlier, later in pairwise(shown))
    assert not shown or shown[-1] == board.status
    assert board.status.detail or board.status.state is AgentActivity.READY


def test_agent_status_contains_all_concurrent_reports() -> None:
    shown: list[Status] = []
    board = StatusBoard(shown.append)
    board.ready()

    def often(fact: Callable[[], None]) -> None:
        for _ in range(500):
            fact()

    told = [lambda: board.waits(3), lambda: board.asks(""), lambda: board.works(TURN, "robot")]
    threads = [threading.Thread(target=often, args=[fact]) for fact in told]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (board.status.turn_id, board.status.turns_waiting) == (TURN, 3)
    assert shown[-1] == board.status
