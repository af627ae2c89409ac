"""Worker processes for tasks that are too slow or too risky for the gateway. Start on demand, and end when idle."""
