"""Migrations of the feedback database with Alembic, one file a revision in `versions`."""
