"""Where the scripted endpoint was before it became a module for everyone."""

from reachy_agent_ros.testing.scripted_endpoint import SELF_TEST_TOOL, Answer, ScriptedEndpoint

__all__ = ["SELF_TEST_TOOL", "Answer", "ScriptedEndpoint"]
