import asyncio
import uuid

import pytest
from mind_world import until

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.approvals import Approvals, PendingApproval


def test_the_first_answer_counts_and_a_second_is_refused() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(10.0, waiting.append)

    async def ask() -> None:
        asked = asyncio.create_task(approvals.ask("erase", "{}", uuid.uuid4(), "robot"))
        await until(lambda: waiting)
        approval_id = waiting[0][0].approval_id
        approvals.decide(approval_id, True)
        with pytest.raises(AgentError, match="Nothing waits"):
            approvals.decide(approval_id, False)
        assert await asked == approval_id

    asyncio.run(ask())
    assert waiting[-1] == []


def test_a_late_answer_is_refused() -> None:
    waiting: list[list[PendingApproval]] = []
    approvals = Approvals(0.01, waiting.append)
    with pytest.raises(AgentError, match="in time") as error:
        asyncio.run(approvals.ask("erase", "{}", uuid.uuid4(), "robot"))
    assert error.value.code is ErrorCode.APPROVAL_DENIED
    with pytest.raises(AgentError) as late:
        approvals.decide(waiting[0][0].approval_id, True)
    assert late.value.code is ErrorCode.INVALID_GOAL
