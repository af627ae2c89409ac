"""The `reachy-agent` commands. Each module defines one command by `HELP`, `EXAMPLES`, `add_arguments` and `run`."""
