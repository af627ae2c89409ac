"""Client for the parameters of another node."""

from __future__ import annotations

from typing import Any

from rcl_interfaces.srv import GetParameters, SetParameters
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor


class ParameterCaller:
    """Reads and sets the parameters of a running node. Both methods block, like `ServiceCaller.call`.

    Args:
        node: Calling node. Its executor must be spinning in another thread.
        other: Name of the node with the parameters, relative to the namespace.
        watch: Heartbeat monitor of that node.
    """

    def __init__(self, node: Node, other: str, watch: HeartbeatMonitor) -> None:
        self._other = other
        self._get = ServiceCaller(node, GetParameters, f"{other}/get_parameters", watch)
        self._set = ServiceCaller(node, SetParameters, f"{other}/set_parameters", watch)

    def get(self, name: str) -> Any:
        """Returns the value of a parameter.

        Raises:
            AgentError: The errors of `ServiceCaller.call`.
        """
        (value,) = self._get.call(GetParameters.Request(names=[name])).values
        return parameter_value_to_python(value)

    def set(self, name: str, value: Any, cancel: CancelToken | None = None) -> None:
        """Sets a parameter until the node restarts.

        Raises:
            AgentError: The errors of `ServiceCaller.call`; `INVALID_ARGUMENTS` if the node rejects the value.
        """
        request = SetParameters.Request(parameters=[Parameter(name, value=value).to_parameter_msg()])
        (result,) = self._set.call(request, cancel=cancel).results
        if not result.successful:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{self._other} rejected {name}: {result.reason}")
