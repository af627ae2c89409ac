"""Test support for the agent: a scripted language model server, a simulated robot, and scenarios."""
