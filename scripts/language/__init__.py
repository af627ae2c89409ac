"""Lint for the English of this repository: extracts texts from files and finds banned patterns in them."""
