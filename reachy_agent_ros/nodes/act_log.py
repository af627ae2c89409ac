"""Tells everybody what was decided and done, so that it can be judged and learned from."""

from __future__ import annotations

import math
import time
from dataclasses import replace

from reachy_agent_msgs.msg import Act as ActMessage

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.nodes.act_messages import act_message
from reachy_agent_ros.nodes.base import AgentNode
from reachy_agent_ros.nodes.qos import CALLS


class ActLog:
    """Publishes `acts`: each when it begins and again when it has ended. Any thread may use it.

    Args:
        node: Publishes.
    """

    def __init__(self, node: AgentNode) -> None:
        self._node = node
        self._acts = node.create_publisher(ActMessage, names.ACTS, CALLS)

    def begin(self, act: Act) -> Act:
        """Tells that it begins now. Returns it without an end."""
        begun = replace(act, began=time.time(), ended=math.inf)
        self._acts.publish(act_message(self._node.header(), begun))
        return begun

    def end(self, act: Act, error: ErrorCode = ErrorCode.NONE) -> None:
        """Tells that it has ended, and how."""
        ended = max(time.time(), act.began)  # a wall clock may be set back
        success = float(error is ErrorCode.NONE)
        outcome = {"elapsed": ended - act.began, "success": success, "error_code": float(error)}
        self._acts.publish(act_message(self._node.header(), replace(act, ended=ended, outcome=outcome)))
