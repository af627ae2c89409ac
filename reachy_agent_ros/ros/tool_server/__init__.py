"""The node that executes tools, predefined or generated."""
