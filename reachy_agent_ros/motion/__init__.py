"""Moves of the body: planning, playback, and transitions between moves."""
