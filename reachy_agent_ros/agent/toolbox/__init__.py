"""Toolbox that combines the tools of all sources, including the agent's own tools."""
