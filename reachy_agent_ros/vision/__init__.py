"""From scene to images."""
