"""What the agent is about to do in several steps, and how it compares what came of each with what it expected."""
