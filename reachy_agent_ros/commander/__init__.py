"""A running robot for people's own scripts."""

from reachy_agent_ros.commander.answer import Answer, Measured
from reachy_agent_ros.commander.reachy_commander import ReachyCommander
from reachy_agent_ros.commander.task import Task
from reachy_agent_ros.core.errors import AgentError, ErrorCode

__all__ = ["AgentError", "Answer", "ErrorCode", "Measured", "ReachyCommander", "Task"]
