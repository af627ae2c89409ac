"""Simulated robots for tools, and the dynamics of the learning environments."""
