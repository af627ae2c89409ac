"""Models of the messages on WebSockets and the chat stream, which OpenAPI paths cannot describe."""
