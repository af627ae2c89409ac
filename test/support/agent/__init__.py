"""Helpers for tests of the agent."""
