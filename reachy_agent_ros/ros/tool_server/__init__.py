"""Node `tool_server`: execution of predefined and generated tools."""
