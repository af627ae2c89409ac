"""Models of what the WebSockets and the chat stream send, for which the paths of an OpenAPI document have no place."""
