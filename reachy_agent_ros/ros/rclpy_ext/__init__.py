"""Shared code of the nodes: base class, calls, actions, heartbeats, and the workarounds listed in README.md."""
