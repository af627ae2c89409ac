"""Alembic migrations of the feedback database, one file for each revision in `versions`."""
