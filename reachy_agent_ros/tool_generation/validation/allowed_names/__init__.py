"""Allow-lists of the modules that a generated tool may import, and of the names in them that it may use."""
