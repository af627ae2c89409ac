"""Web search with the search engine that the user has configured."""
