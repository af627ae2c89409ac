"""Tools of the agent from all sources, and tools that are part of the agent."""
