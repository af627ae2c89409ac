"""Node `trainer`: demonstrations, training and policies."""
