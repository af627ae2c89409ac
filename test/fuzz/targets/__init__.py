"""Loaders, validators and clients, each with the input that it is given."""
