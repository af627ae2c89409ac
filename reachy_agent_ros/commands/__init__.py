"""The `reachy-agent` commands, one a file: `HELP`, `add_arguments` and `run`."""
