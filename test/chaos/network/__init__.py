"""Other machines, networks that lose packets, and nodes that join late."""
