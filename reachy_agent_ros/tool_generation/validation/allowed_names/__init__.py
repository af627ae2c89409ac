"""Lists of the modules that a generated tool may import, and of the names that it may use from them."""
