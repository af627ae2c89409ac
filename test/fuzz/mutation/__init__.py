"""Ways to break a byte string, a JSON document, a text or a message."""
