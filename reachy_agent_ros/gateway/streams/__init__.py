"""Models of messages on WebSockets and in the chat stream, which OpenAPI paths cannot describe."""
