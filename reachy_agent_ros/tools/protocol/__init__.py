"""Tool descriptions and arguments as exchanged between nodes."""
