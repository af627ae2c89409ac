"""Access control: authentication, tokens, request validation and rate limits."""
