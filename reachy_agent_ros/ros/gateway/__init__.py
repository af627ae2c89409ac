"""Node `gateway`: HTTP and WebSocket access to the graph."""
