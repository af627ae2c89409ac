"""Parsing and wording of durations, points in time and recurrences."""
