"""Statements of people about themselves, other people, pets and things, and questions about them."""
