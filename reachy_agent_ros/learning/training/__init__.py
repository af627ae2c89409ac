"""Policies from demonstrations, comparisons and rewards, with PyTorch, which nothing else of the project needs."""
