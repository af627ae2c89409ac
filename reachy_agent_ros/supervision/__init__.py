"""Keeps the graph's processes running, closed to strangers, and known to the commands."""
