"""The graph as Foxglove sees it."""
