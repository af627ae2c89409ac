"""Reading a tool's source without running any of it."""
