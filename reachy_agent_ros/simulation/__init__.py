"""Simulated robots that tools move, see and speak with, and the dynamics of the learning environments."""
