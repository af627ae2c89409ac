"""Validation of the source of a tool without running it."""
