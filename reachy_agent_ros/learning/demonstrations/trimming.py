"""A part of a demonstration, as one of its own."""

from __future__ import annotations

import uuid
from dataclasses import replace

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.demonstration import Demonstration
from reachy_agent_ros.learning.demonstrations.index import Demonstrations


def trimmed(demonstrations: Demonstrations, whole: Demonstration, start: float, end: float) -> Demonstration:
    """Copies a part; the whole one stays.

    Args:
        demonstrations: Where both are.
        whole: What to take from.
        start: s from its beginning.
        end: s from its beginning.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there is no such part; `NO_DATA`: no posture is in it; `STORAGE_FAILED`.
    """
    if not whole.ended or whole.duration is None:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "The demonstration is still being recorded.")
    if not 0.0 <= start < end:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no part from {start:g} to {end:g} s.")
    if start >= whole.duration:
        message = f"The demonstration takes {whole.duration:.2f} s; nothing of it is after {start:g} s."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    demonstrations.bag(whole).require_unchanged()
    about = replace(
        whole,
        identifier=str(uuid.uuid4()),
        began=whole.began + start,
        duration=None,
        quality=None,
        digest="",
        origin=f"{whole.identifier} from {start:g} to {min(end, whole.duration):g} s",
    )
    return demonstrations.add(demonstrations.path(whole), about, (start, end))
