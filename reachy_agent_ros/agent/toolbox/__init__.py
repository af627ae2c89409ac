"""Tools from all sources of the agent, and tools that are part of the agent."""
