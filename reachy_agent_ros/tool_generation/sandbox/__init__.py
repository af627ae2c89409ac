"""Sandbox for generated code, and the probes that verify it."""
