"""Mutation of bytes, JSON documents, texts and ROS messages."""
