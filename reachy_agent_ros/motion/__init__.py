"""Moves: what the body plays, and how one gives way to the next."""
