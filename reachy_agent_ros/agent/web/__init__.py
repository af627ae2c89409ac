"""Searching the web, where a person has chosen an engine."""
