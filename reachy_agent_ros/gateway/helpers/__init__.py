"""Processes for what is too heavy, or too hostile, for the gateway's own: they begin when needed and end when idle."""
