"""Simulated robots for testing tools, and the dynamics of the robot for the learning environments."""
