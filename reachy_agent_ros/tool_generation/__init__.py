"""Generated tools: validation, sandbox, verification by dry runs, and a versioned registry."""
