"""The `reachy-agent` commands. Each module defines one, with `HELP`, `EXAMPLES`, `add_arguments` and `run`."""
