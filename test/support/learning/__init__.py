"""Helpers for tests of learning."""
