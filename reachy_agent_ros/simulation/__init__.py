"""Simulated robots for tools, and the dynamics used by the learning environments."""
