"""Clients of a running graph, for commands and scripts."""
