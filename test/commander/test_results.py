from __future__ import annotations

from concurrent.futures import Future

import pytest

from reachy_agent_ros.commander.results import Task
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@pytest.mark.parametrize("timeout", [None, 1.0])
def test_wait_raises_timeout_error_of_method(timeout: float | None) -> None:
    work: Future[None] = Future()
    work.set_exception(TimeoutError("the door did not open"))
    with pytest.raises(TimeoutError, match="the door did not open"):
        Task(work, CancelToken()).wait(timeout)


def test_wait_reports_task_that_is_still_running() -> None:
    with pytest.raises(AgentError, match=r"still running after 0\.001 s") as caught:
        Task(Future[None](), CancelToken()).wait(0.001)
    assert caught.value.code is ErrorCode.TIMEOUT
