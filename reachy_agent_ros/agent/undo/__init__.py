"""Undo: a journal of acts on disk, and the restoration of what they changed."""
