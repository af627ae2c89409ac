"""Hostile and honest generated tools, and what has to happen to each."""
