"""Durations, points in time and recurrences in words."""
