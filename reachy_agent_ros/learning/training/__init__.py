"""Training of policies from demonstrations, comparisons and rewards. Only this package requires PyTorch."""
