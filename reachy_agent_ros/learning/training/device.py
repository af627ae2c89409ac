"""What trains: the processor, or a graphics card where there is one and it helps."""

from __future__ import annotations

import torch

from reachy_agent_ros.core.errors import AgentError, ErrorCode

AUTOMATIC = "auto"


def device(wanted: str = AUTOMATIC, played: bool = False) -> str:
    """A device as PyTorch names it.

    Args:
        wanted: "auto" for a graphics card where there is one and it helps, "cpu", or as in "cuda" or "cuda:1".
        played: Whether what learns waits for what it plays, one small matrix at a time: "auto" is the processor then,
            as stable-baselines3 advises for PPO. What learns from stored samples waits for its gradient instead.

    Raises:
        AgentError: `INVALID_GOAL` for one that is not there.
    """
    if wanted == AUTOMATIC:
        return "cuda" if torch.cuda.is_available() and not played else "cpu"
    there = ["cpu", "cuda", *(f"cuda:{index}" for index in range(torch.cuda.device_count()))]
    if wanted not in there or (wanted != "cpu" and not torch.cuda.is_available()):
        usable = ", ".join(there) if torch.cuda.is_available() else "cpu"
        raise AgentError(ErrorCode.INVALID_GOAL, f"There is no device {wanted!r:.40} here, only: {usable}.")
    return wanted
