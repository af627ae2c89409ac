"""The command `reachy-agent`."""
