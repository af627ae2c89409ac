"""Lint for the English texts of this repository, which finds banned patterns."""
