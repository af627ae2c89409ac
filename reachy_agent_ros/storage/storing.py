"""Conversion of disk errors to errors with the code `STORAGE_FAILED`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from reachy_agent_ros.core.errors import AgentError, ErrorCode


@contextmanager
def storing(complaint: str) -> Iterator[None]:
    """Converts an `OSError` in the block to an `AgentError` with the code `STORAGE_FAILED`.

    Args:
        complaint: Beginning of the sentence, as in "The tool wave cannot be stored".
    """
    try:
        yield
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{complaint}: {error.strerror}.") from error
