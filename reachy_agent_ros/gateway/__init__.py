"""The HTTP gateway: REST, WebSocket and MCP. Independent of ROS: the node passes in a `Gateway` of services."""
