"""Supervision of the graph's processes, their network access, and their records."""
