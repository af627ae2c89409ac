"""Tool descriptions and arguments that nodes exchange."""
