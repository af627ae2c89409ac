"""Injected instructions and leaked secrets in a running graph."""
