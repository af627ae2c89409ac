"""Validation of a tool's source without running it."""
