"""Web search with the engine that a person has configured."""
