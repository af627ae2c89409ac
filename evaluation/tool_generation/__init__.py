"""Tools that a language model writes on request."""
