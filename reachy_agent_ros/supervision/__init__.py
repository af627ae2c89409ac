"""Supervision of the processes of a graph, their network access and their records."""
