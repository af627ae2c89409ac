"""Helpers for tests of the web console."""
