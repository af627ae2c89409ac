"""Tables of the modules that a tool may import, and of the names in them that it may use."""
