"""Helpers for tests of the sandbox and tool generation."""
