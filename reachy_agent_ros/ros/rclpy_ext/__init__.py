"""Shared parts of the nodes: base class, calls, actions, heartbeats, and the workarounds that README.md lists."""
