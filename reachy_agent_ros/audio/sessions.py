"""A sound device that may come and go, session after session."""

from __future__ import annotations

from collections.abc import Callable

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode

RETRY = 2.0
"""Seconds between two attempts to open it."""


def run_sessions(session: Callable[[int], None], report: Callable[[str], None], cancel: CancelToken) -> None:
    """Uses a device until cancelled, and tries again for as long as there is none.

    Args:
        session: Opens and uses it until cancelled, or until it is gone: an `AgentError`. Gets its number, from 1.
        report: Called with the reason of each end.
        cancel: Ends it.
    """
    number = 0
    while not cancel.cancelled:
        number += 1
        try:
            session(number)
        except AgentError as error:
            if error.code is not ErrorCode.CANCELED:
                report(error.message)
                cancel.wait(RETRY)
