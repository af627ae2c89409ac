"""Parsing and formatting of durations, points in time and recurrences."""
