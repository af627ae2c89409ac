"""Answers of services, awaited."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.event_loop import in_thread

ANSWER_LIMIT = 10.0
"""s; whoever serves writes to a disk."""


async def answered(caller: ServiceCaller, request: Any, limit: float = ANSWER_LIMIT) -> Any:
    """Calls a service whose answer tells errors in `error_code` and `error_msg`.

    Args:
        caller: Of the service.
        request: Message of its Request type.
        limit: s to the answer.

    Raises:
        AgentError: The answer's own error, or there was no answer.
    """
    answer = await in_thread(lambda token: caller.call(request, limit, token))
    require_success(answer)
    return answer


def require_success(answer: Any) -> None:
    """Raises what a result or an answer says went wrong.

    Raises:
        AgentError: As it says.
    """
    if answer.error_code != ErrorCode.NONE:
        raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
