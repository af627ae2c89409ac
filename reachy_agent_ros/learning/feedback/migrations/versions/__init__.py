"""Revisions of the feedback database, ordered by number. Never edit a published revision."""
