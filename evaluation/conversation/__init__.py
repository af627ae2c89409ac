"""Conversations with a running graph and a scripted model."""
