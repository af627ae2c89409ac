"""Helpers for tests of the nodes and the graph."""
