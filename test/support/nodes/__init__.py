"""Helpers for tests of nodes and graphs."""
