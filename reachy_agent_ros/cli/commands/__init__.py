"""The `reachy-agent` commands, one a file: `HELP`, `EXAMPLES`, `add_arguments` and `run`."""
