"""Tools for testing the agent: a scripted language model server, a simulated robot, and scenarios."""
