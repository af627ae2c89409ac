"""The HTTP gateway: REST, WebSocket and MCP. Independent of ROS: the node provides the services as a `Gateway`."""
