"""Helpers for tests of the package `learning`."""
