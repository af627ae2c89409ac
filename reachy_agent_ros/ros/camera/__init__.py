"""The node that publishes the camera's images."""
