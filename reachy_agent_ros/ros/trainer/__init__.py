"""The node for demonstrations, training and policies."""
