"""Worker processes for work that is too heavy or too risky for the gateway. They start on demand and end when idle."""
