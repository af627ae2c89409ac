"""Attacks on a running graph: prompt injection, leaked secrets, and attacks from a sandbox."""
