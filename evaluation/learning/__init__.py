"""Evaluation of learning from feedback, demonstrations and rewards."""
