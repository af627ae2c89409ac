"""What the nodes share: base class, calls, actions, heartbeats; and the workarounds that README.md lists."""
