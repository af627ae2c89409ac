"""Training of policies from demonstrations, comparisons and rewards. This is the only package that requires PyTorch."""
