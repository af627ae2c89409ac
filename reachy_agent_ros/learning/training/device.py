"""What trains: the processor, or a graphics card where there is one."""

from __future__ import annotations

import torch

from reachy_agent_ros.core.errors import AgentError, ErrorCode

AUTOMATIC = "auto"


def device(wanted: str = AUTOMATIC) -> str:
    """A device as PyTorch names it.

    Args:
        wanted: "auto" for a graphics card where there is one, "cpu", or as in "cuda" or "cuda:1".

    Raises:
        AgentError: `INVALID_GOAL` for one that is not there.
    """
    if wanted == AUTOMATIC:
        return "cuda" if torch.cuda.is_available() else "cpu"
    there = ["cpu", "cuda", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
    if wanted not in there or (wanted != "cpu" and not torch.cuda.is_available()):
        usable = ", ".join(there) if torch.cuda.is_available() else "cpu"
        raise AgentError(ErrorCode.INVALID_GOAL, f"there is no device {wanted!r:.40} here, only: {usable}")
    return wanted
