"""Where proven tools are kept, by version."""
