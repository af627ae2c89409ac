"""Helpers for tests of the robot and its motion."""
