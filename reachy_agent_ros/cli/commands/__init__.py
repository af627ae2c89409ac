"""The `reachy-agent` commands, one per file: `HELP`, `EXAMPLES`, `add_arguments` and `run`."""
