"""What happened in a turn, step by step: recorded, shown and exported."""
