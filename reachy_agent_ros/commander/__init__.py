"""Python interface to a running robot."""

from reachy_agent_ros.commander.reachy_commander import ReachyCommander
from reachy_agent_ros.commander.results import Answer, Measured, Task
from reachy_agent_ros.core.errors import AgentError, ErrorCode

__all__ = ["AgentError", "Answer", "ErrorCode", "Measured", "ReachyCommander", "Task"]
