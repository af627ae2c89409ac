"""Tells what is decided and done, when it begins and when it has ended."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.learning.act import Act


class ActJournal:
    """Tells each act when it begins and again when it has ended. Any thread may use it.

    Args:
        tell: Takes it.
    """

    def __init__(self, tell: Callable[[Act], object]) -> None:
        self._tell = tell

    def begin(self, act: Act) -> Act:
        """Tells that it begins now. Returns it without an end."""
        begun = replace(act, began=time.time(), ended=math.inf)
        self._tell(begun)
        return begun

    def end(self, act: Act, error: ErrorCode = ErrorCode.NONE) -> None:
        """Tells that it has ended, and how."""
        ended = max(time.time(), act.began)  # a wall clock may be set back
        success = float(error is ErrorCode.NONE)
        outcome = {"elapsed": ended - act.began, "success": success, "error_code": float(error)}
        self._tell(replace(act, ended=ended, outcome=outcome))
