"""Traces of turns: recording, display and export."""
