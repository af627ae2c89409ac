"""Surfaces of a running graph: messages, HTTP requests and WebSocket frames."""
